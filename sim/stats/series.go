package stats

import "strandscope/sim/clock"

// SeriesBuckets is the most buckets a series has.
const SeriesBuckets = 2048

// Series is a figure over a part of a run: buckets of equal width with the
// minimum, maximum and last sample of each. Bucket i covers
// [(First+i)·Step, (First+i+1)·Step). Values are integers: the figure times Scale.
type Series struct {
	Name  string
	Unit  string // "", "%", "ms"
	Scale int32
	Step  clock.Duration
	First int
	Min   []int32
	Max   []int32
	Last  []int32
	// Least and Most are the extremes of the whole run.
	Least, Most int32
}

// Len returns the number of buckets.
func (s *Series) Len() int { return len(s.Last) }

// Start is when a bucket begins.
func (s *Series) Start(i int) clock.Time { return clock.Time(int64(s.First+i) * int64(s.Step)) }

// Of is the bucket of a time, kept within those there are.
func (s *Series) Of(t clock.Time) int {
	return max(0, min(int(int64(t)/int64(s.Step))-s.First, s.Len()-1))
}

// The room of a history: buckets of its finest scale, and of a block. The scales
// together take 0.8 MB.
const (
	historyBuckets = 1 << 15
	historyBlock   = 256
)

// span32 is the least, greatest and last sample of a bucket.
type span32 struct{ min, max, last int32 }

func (a span32) with(b span32) span32 { return span32{min(a.min, b.min), max(a.max, b.max), b.last} }

// scale is a history in buckets of one width: the full ones.
type scale = blocks[span32, [historyBlock]span32]

// History keeps the samples of a figure over a whole run at every scale: buckets
// of its step, of twice that, and so on, each with minimum, maximum and last
// sample, so that no extreme is lost however far one zooms out. When the finest
// scale is full it goes, and the next one is the finest. Copies may share the
// full blocks, which are never changed.
type History struct {
	name, unit  string
	factor      int32
	step        clock.Duration // of the finest scale
	scales      []scale
	n           int    // of the bucket that is not full yet
	now         span32 // what it holds
	begun       bool
	least, most int32
}

// NewHistory returns an empty history whose finest buckets are a step wide.
func NewHistory(name, unit string, factor int32, step clock.Duration) History {
	return History{name: name, unit: unit, factor: factor, step: step, scales: make([]scale, 1)}
}

// Add puts a sample of time at into its bucket. Samples come in order of time;
// buckets without a sample repeat the last value, since it held until then.
func (h *History) Add(at clock.Time, v int32) {
	x := span32{v, v, v}
	if !h.begun {
		h.begun, h.now, h.least, h.most = true, x, v, v
	}
	h.least, h.most = min(h.least, v), max(h.most, v)
	for h.step*historyBuckets <= clock.Duration(at) {
		h.coarser()
	}
	i := int(int64(at) / int64(h.step))
	if h.n == i {
		h.now = h.now.with(x)
		return
	}
	for h.n < i {
		h.close()
	}
	h.now = x
}

// close puts the bucket that is full into all scales.
func (h *History) close() {
	x := h.now
	for k := 0; ; k++ {
		if k == len(h.scales) {
			h.scales = append(h.scales, scale{})
		}
		c := &h.scales[k]
		c.push(x)
		n := c.n()
		if n%2 == 1 {
			break
		}
		x = c.get(n - 2).with(*c.get(n - 1))
	}
	h.n++
	h.now = span32{h.now.last, h.now.last, h.now.last}
}

// coarser drops the finest scale.
func (h *History) coarser() {
	if h.n%2 == 1 {
		h.now = h.scales[0].get(h.n - 1).with(h.now)
	}
	h.n /= 2
	h.step *= 2
	h.scales = append([]scale(nil), h.scales[1:]...)
	if len(h.scales) == 0 {
		h.scales = make([]scale, 1)
	}
}

// Window copies a part of the history into the storage of a series, at the
// finest scale of which it has at most so many buckets.
func (h *History) Window(into *Series, from, to clock.Time, most int) {
	old := *into
	*into = Series{
		Name: h.name, Unit: h.unit, Scale: h.factor, Least: h.least, Most: h.most,
		Min: old.Min[:0], Max: old.Max[:0], Last: old.Last[:0],
	}
	k, step := 0, h.step
	from, to = max(0, from), max(0, to)
	last := func() int { return min(int(int64(to)/int64(step)), h.n>>k) }
	first := func() int { return min(int(int64(from)/int64(step)), last()) }
	for last()-first() >= max(1, most) {
		k, step = k+1, 2*step
	}
	into.Step, into.First = step, first()
	if !h.begun {
		return
	}
	for i := first(); i <= last(); i++ {
		x := h.at(k, i)
		into.Min, into.Max, into.Last = append(into.Min, x.min), append(into.Max, x.max), append(into.Last, x.last)
	}
}

// at is a bucket of a scale; the last one may not be full yet.
func (h *History) at(k, i int) span32 {
	if k < len(h.scales) && i < h.scales[k].n() {
		return *h.scales[k].get(i)
	}
	x, begun := h.now, false
	if k > 0 {
		// What the scales below have of it, oldest first.
		for j := k - 1; j >= 0; j-- {
			if n := h.n >> j; n&1 == 1 && j < len(h.scales) {
				y := *h.scales[j].get(n - 1)
				if !begun {
					x, begun = y, true
				} else {
					x = x.with(y)
				}
			}
		}
		if begun {
			x = x.with(h.now)
		}
	}
	return x
}
