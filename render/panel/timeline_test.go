package panel

import (
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/internal/fake"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// flicker is a frame whose strands switch at random, on average once in a mean
// time, and are busy for a part of it. One in four never does anything.
func flicker(m *machine.Machine, now clock.Time, mean clock.Duration, busy float64) *sim.Frame {
	f := fake.Frame(m, "java", 2000, len(m.CPUs), 0)
	f.Now = now
	r := rand.New(rand.NewPCG(1, uint64(mean)))
	t := stats.NewTimeline(len(m.CPUs))
	for cpu := range m.CPUs {
		if cpu%4 == 3 {
			continue
		}
		for at := clock.Time(0); at <= now; at += 1 + clock.Time(r.ExpFloat64()*float64(mean)) {
			e := trace.Event{At: at, Kind: trace.Idle, CPU: int16(cpu), Thread: sched.None}
			if r.Float64() < busy {
				e.Kind, e.Thread = trace.On, sched.ThreadID(r.IntN(len(m.CPUs)))
			}
			t.Observe(&e)
		}
	}
	t.Window(&f.Timeline, now.Add(-sim.TimelineSpan), now)
	return f
}

// busyIn is how long a strand was busy between two times, found the slow way.
func busyIn(s *stats.Strip, cpu int, from, to clock.Time) (sum clock.Duration) {
	marks := s.CPU(cpu)
	first := sort.Search(len(marks), func(i int) bool { return marks[i].At > from })
	for i := max(0, first-1); i < len(marks) && marks[i].At < to; i++ {
		end := s.To
		if i+1 < len(marks) {
			end = marks[i+1].At
		}
		if a, b := max(marks[i].At, from), min(end, to); marks[i].Thread >= 0 && a < b {
			sum += b.Sub(a)
		}
	}
	return sum
}

func TestColouredAreaIsTheBusyShareWithinAPixel(t *testing.T) {
	for _, mean := range []clock.Duration{300 * clock.Microsecond, 3 * clock.Millisecond, 50 * clock.Millisecond, 2 * clock.Second} {
		for _, share := range []float64{0.02, 0.4, 0.97} {
			for _, h := range []int{2, 3, 9} {
				f := flicker(fake.Machine(1, 2, 4), clock.Time(11*clock.Second+7777), mean, share)
				areaIsShare(t, f, h, strandLanes)
				areaIsShare(t, f, h, coreLanes)
			}
		}
	}
}

func areaIsShare(t *testing.T, f *sim.Frame, h int, kind laneKind) {
	t.Helper()
	const w = 300
	var l scene.List
	l.Reset(geom.Size{W: w, H: h}, scene.Fixed{})
	d := newPen(&l, f, fake.View("dark", w, h, 1000))
	g := lanes{m: f.Machine, kind: kind, n: len(f.CPUs), h: h}
	if kind == coreLanes {
		g.n = len(f.Machine.Cores)
	}
	var c laneTime
	c.begin(&f.Timeline, sim.TimelineSpan, w)
	ground := theme.Find("dark").Idle
	for lane := range g.n {
		l.Reset(geom.Size{W: w, H: h}, scene.Fixed{})
		d.lane(&g, &c, lane, geom.Rect{W: w, H: h}, 1)
		var drawn [w]int
		for _, it := range l.Items {
			for x := it.Rect.X; x < it.Rect.Right() && it.Box.Fill != ground; x++ {
				drawn[x] += it.Rect.H
			}
		}
		sum, area, stretches := 0.0, 0, 0
		for x, px := range drawn {
			var busy clock.Duration
			n := 0
			g.each(lane, func(cpu int) { busy += busyIn(&f.Timeline, cpu, c.start(x), c.end(x)); n++ })
			want := float64(h) * float64(busy) / float64(c.end(x).Sub(c.start(x))) / float64(n)
			require.Less(t, want-1, float64(px), "lane %d column %d", lane, x)
			require.Greater(t, want+1, float64(px), "lane %d column %d", lane, x)
			sum, area = sum+want, area+px
			if pure := px == 0 && busy == 0 || want == float64(h); pure {
				stretches++
			} else if x > 0 && drawn[x-1] == 0 && want > 0 && stretches == x {
				require.Positive(t, px, "the first moment after nothing")
			}
		}
		require.InDelta(t, sum, area, float64(stretches+1), "lane %d", lane)
	}
}

func TestAShortBurstAndAShortGapBothShow(t *testing.T) {
	second := clock.Duration(1_000_000)
	var b bars
	for _, h := range []int{1, 2, 5} {
		b = bars{h: h}
		assert.Equal(t, 0, b.next(0, second))
		assert.Equal(t, 1, b.next(1, second), "a burst of a millionth")
		assert.Equal(t, 0, b.next(0, second))
		assert.Equal(t, h, b.next(second, second))
		assert.Equal(t, max(1, h-1), b.next(second-1, second), "a gap of a millionth")
	}
}

func TestColumnsOfThePastStayAsTheyAre(t *testing.T) {
	f := flicker(fake.Machine(1, 1, 1), clock.Time(11*clock.Second), 5*clock.Millisecond, 0.5)
	var a, b laneTime
	a.begin(&f.Timeline, sim.TimelineSpan, 200)
	g := *f
	g.Timeline.To -= clock.Time(clock.Second + 3*clock.Millisecond)
	b.begin(&g.Timeline, sim.TimelineSpan, 200)
	for _, c := range []*laneTime{&a, &b} {
		c.add(c.strip.CPU(0))
		c.finish()
	}
	shift := int(int64(a.from-b.from) / int64(a.width))
	assert.Zero(t, int64(a.from-b.from)%int64(a.width))
	for i := 0; i+shift < b.n-1; i++ {
		assert.Equal(t, a.cells[i].spent, b.cells[i+shift].spent, i)
	}
}

func TestRowsByStrandByCoreAndByManyCores(t *testing.T) {
	kind := func(m *machine.Machine) laneKind { g := layLanes(m, 1000, 112); return g.kind }
	assert.Equal(t, strandLanes, kind(fake.Machine(1, 8, 4)))
	assert.Equal(t, strandLanes, kind(fake.Machine(1, 1, 1)))
	assert.Equal(t, coreLanes, kind(fake.Machine(1, 16, 8)))
	assert.Equal(t, heatLanes, kind(fake.Machine(64, 8, 8)))
	for _, m := range []*machine.Machine{fake.Machine(1, 8, 4), fake.Machine(1, 16, 8), fake.Machine(64, 8, 8), fake.Machine(1, 7, 3)} {
		for _, h := range []int{24, 112, 400} {
			g := layLanes(m, 1000, h)
			seen := map[int]bool{}
			for lane := range g.n {
				g.each(lane, func(cpu int) { seen[cpu] = true })
			}
			assert.Len(t, seen, len(m.CPUs), "every strand is in a row")
			last := g.row(geom.Rect{}, g.n-1)
			assert.LessOrEqual(t, last.Bottom(), h)
			assert.Equal(t, g.height(), last.Bottom())
			assert.Equal(t, g.n-1, g.of(len(m.CPUs)-1))
		}
	}
}

func TestIdleBesideWorkIsHatchedInTheTimeline(t *testing.T) {
	hatches := func(f *sim.Frame) (area int) {
		l := draw(Timeline{}, f, fake.View("dark", 740, 200, 1000), geom.Rect{W: 740, H: 160})
		for _, it := range l.Items {
			if it.Box.Hatch.A > 0 {
				area += it.Rect.W * it.Rect.H
			}
		}
		return area
	}
	tip := fake.T2000(12)
	assert.Positive(t, hatches(tip))
	assert.Contains(t, texts(draw(Timeline{}, tip, fake.View("dark", 740, 200, 1000), geom.Rect{W: 740, H: 160})), "hatched: idle while work waits")
	assert.Zero(t, hatches(fake.T2000(32)))
	tip.Timeline.Waits = nil
	assert.Zero(t, hatches(tip), "nothing waited")
}

func TestWhatWasDroppedIsSaid(t *testing.T) {
	f := fake.T2000(12)
	f.Timeline.Whole = f.Now.Add(-3200 * clock.Millisecond)
	assert.Contains(t, texts(draw(Timeline{}, f, fake.View("dark", 740, 200, 1000), geom.Rect{W: 740, H: 160})), "only the last 3.2 s are kept")
	assert.Contains(t, Timeline{}.Describe(f, nil), "Over the last 3.2 s")
	assert.Contains(t, Timeline{}.Describe(f, nil), "there was no room for more")
}

func TestRowsOfSeveralStrandsSayWhatTheirHeightIs(t *testing.T) {
	r, v := geom.Rect{W: 740, H: 160}, fake.View("dark", 740, 200, 1000)
	assert.Contains(t, texts(draw(Timeline{}, fake.Frame(fake.Machine(1, 16, 8), "java", 2000, 128, 128), v, r)), "height: share of strands busy")
	assert.Contains(t, texts(draw(Timeline{}, fake.Frame(fake.Machine(1, 16, 8), "java", 2000, 200, 100), v, r)),
		"height: share of strands busy · hatched: idle while work waits")
	assert.NotContains(t, draw(Timeline{}, fake.T2000(32), v, r).String(), "height:")
}

func TestAClickOnARowSelectsItsStrand(t *testing.T) {
	f, v := fake.T2000(12), fake.View("dark", 740, 200, 1000)
	r := geom.Rect{X: 20, Y: 11, W: 740, H: 160}
	_, rest := r.CutTop(headingHeight)
	g := lanesIn(f, 1000, rest)
	_, area := g.place(1000, rest)
	for lane := range g.n {
		row := g.row(area, lane)
		in := Input{At: geom.Point{X: 300, Y: row.Y}}
		want := act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: lane, Thread: sched.None}}
		assert.Equal(t, want, Timeline{}.Handle(in, f, v, r))
	}
	assert.Nil(t, Timeline{}.Handle(Input{At: geom.Point{X: 30, Y: 12}}, f, v, r))
}

func TestTimelineInWords(t *testing.T) {
	assert.Equal(t, "Over the last 10 s the strands were busy 37.5 % of the time and idle while work waited 62.5 %; "+
		"12 of 32 ran without a pause, 20 ran nothing.", Timeline{}.Describe(fake.T2000(12), nil))
	assert.Equal(t, "Over the last 10 s the strands were busy 100 % of the time; 32 of 32 ran without a pause, 0 ran nothing.",
		Timeline{}.Describe(fake.T2000(32), nil))
	assert.Equal(t, "Timeline: no time has passed yet.", Timeline{}.Describe(&sim.Frame{}, nil))
}
