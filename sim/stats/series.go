package stats

import "strandscope/sim/clock"

// SeriesBuckets is the most buckets a series keeps. When it is full, two
// buckets become one, so memory stays flat however long a run lasts and no
// minimum or maximum is ever lost.
const SeriesBuckets = 2048

// Series is a figure over time, kept as buckets of equal width with the
// minimum, maximum and last sample of each. Bucket i covers
// [i·Step, (i+1)·Step). Values are integers: the figure times Scale.
type Series struct {
	Name  string
	Unit  string // "", "%", "ms"
	Scale int32
	Step  clock.Duration
	Min   []int32
	Max   []int32
	Last  []int32
}

// NewSeries returns an empty series whose buckets begin at one sample a step.
func NewSeries(name, unit string, scale int32, step clock.Duration) Series {
	return Series{Name: name, Unit: unit, Scale: scale, Step: step}
}

// Len returns the number of buckets.
func (s *Series) Len() int { return len(s.Last) }

// Add puts a sample of time at into its bucket. Samples come in order of time;
// buckets without a sample repeat the last value, since it held until then.
func (s *Series) Add(at clock.Time, v int32) {
	for int64(at)/int64(s.Step) >= SeriesBuckets {
		s.halve()
	}
	i := int(int64(at) / int64(s.Step))
	for len(s.Last) < i && len(s.Last) > 0 {
		held := s.Last[len(s.Last)-1]
		s.append(held)
	}
	for len(s.Last) < i {
		s.append(v)
	}
	if len(s.Last) == i {
		s.append(v)
		return
	}
	s.Min[i] = min(s.Min[i], v)
	s.Max[i] = max(s.Max[i], v)
	s.Last[i] = v
}

func (s *Series) append(v int32) {
	s.Min = append(s.Min, v)
	s.Max = append(s.Max, v)
	s.Last = append(s.Last, v)
}

func (s *Series) halve() {
	n := len(s.Last)
	half := (n + 1) / 2
	for i := range half {
		a, b := 2*i, min(2*i+1, n-1)
		s.Min[i] = min(s.Min[a], s.Min[b])
		s.Max[i] = max(s.Max[a], s.Max[b])
		s.Last[i] = s.Last[b]
	}
	s.Min, s.Max, s.Last = s.Min[:half], s.Max[:half], s.Last[:half]
	s.Step *= 2
}

// Snapshot returns a copy that later samples do not change. The copy reuses
// the storage of into.
func (s *Series) Snapshot(into *Series) {
	old := *into
	*into = *s
	into.Min = reuse(old.Min, s.Min)
	into.Max = reuse(old.Max, s.Max)
	into.Last = reuse(old.Last, s.Last)
}

// reuse copies from into the storage of old.
func reuse(old, from []int32) []int32 { return append(old[:0], from...) }
