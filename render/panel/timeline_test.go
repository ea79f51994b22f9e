package panel

import (
	"math/rand/v2"
	"slices"
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
// time, and are busy for a part of it. One in four never does anything. It comes
// with its past and with what happened.
type flicker struct {
	*sim.Frame
	past   *stats.Timeline
	events []trace.Event
}

func newFlicker(m *machine.Machine, now clock.Time, mean clock.Duration, busy float64) *flicker {
	f := &flicker{Frame: fake.Frame(m, "java", 2000, len(m.CPUs), 0), past: stats.NewTimeline(len(m.CPUs), 10*clock.Millisecond)}
	f.Now = now
	r := rand.New(rand.NewPCG(1, uint64(mean)))
	for cpu := range m.CPUs {
		if cpu%4 == 3 {
			continue
		}
		for at := clock.Time(0); at <= now; at += 1 + clock.Time(r.ExpFloat64()*float64(mean)) {
			e := trace.Event{At: at, Kind: trace.Idle, CPU: int16(cpu), Thread: sched.None}
			if r.Float64() < busy {
				e.Kind, e.Thread = trace.On, sched.ThreadID(r.IntN(len(m.CPUs)))
			}
			f.events = append(f.events, e)
		}
	}
	slices.SortStableFunc(f.events, func(a, b trace.Event) int { return int(a.At - b.At) })
	for i := range f.events {
		f.past.Observe(&f.events[i])
	}
	return f
}

func (f *flicker) look(q stats.Query) { f.past.Window(&f.Timeline, q, f.Now) }

// busyIn is how long each strand was busy in each column, found the slow way.
func (f *flicker) busyIn(w *stats.Window) [][]float64 {
	busy := make([][]float64, len(f.CPUs))
	for cpu := range f.CPUs {
		busy[cpu] = make([]float64, w.Columns)
		on, since := false, clock.Time(0)
		span := func(to clock.Time) {
			for i := range busy[cpu] {
				if d := min(to, w.Start(i+1)) - max(since, w.Start(i)); on && d > 0 {
					busy[cpu][i] += float64(d)
				}
			}
		}
		for i := range f.events {
			if e := &f.events[i]; int(e.CPU) == cpu {
				if e.At > w.From {
					span(e.At)
				}
				on, since = e.Kind == trace.On, e.At
			}
		}
		span(f.Now)
	}
	return busy
}

func TestColouredAreaIsTheBusyShareWithinAPixelAtEveryZoom(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, mean := range []clock.Duration{3 * clock.Millisecond, 50 * clock.Millisecond, 2 * clock.Second} {
		for _, share := range []float64{0.02, 0.4, 0.97} {
			f := newFlicker(fake.Machine(1, 2, 4), clock.Time(11*clock.Second+7777), mean, share)
			for range 6 {
				from := clock.Time(r.Int64N(int64(f.Now)))
				to := from + 1 + clock.Time(r.ExpFloat64()*float64(mean)*50)
				for _, h := range []int{2, 9} {
					f.areaIsShare(t, from, to, 50+r.IntN(250), h, strandLanes)
					f.areaIsShare(t, from, to, 50+r.IntN(250), h, coreLanes)
				}
			}
			f.areaIsShare(t, 0, f.Now, 300, 3, strandLanes)
		}
	}
}

func (f *flicker) areaIsShare(t *testing.T, from, to clock.Time, width, h int, kind laneKind) {
	t.Helper()
	var l scene.List
	l.Reset(geom.Size{W: width, H: h}, scene.Fixed{})
	d := newPen(&l, f.Frame, fake.View("dark", width, h, 1000))
	g := lanes{m: f.Machine, kind: kind, n: len(f.CPUs), h: h}
	if kind == coreLanes {
		g.n = len(f.Machine.Cores)
	}
	q := stats.Query{From: from, To: to, Columns: width, Rows: make([]int32, len(f.CPUs))}
	for lane := range g.n {
		g.each(lane, func(cpu int) { q.Rows[cpu] = int32(lane) })
	}
	f.look(q)
	w := &f.Timeline
	each := f.busyIn(w)
	ground := theme.Find("dark").Idle
	for lane := range g.n {
		l.Reset(geom.Size{W: width, H: h}, scene.Fixed{})
		d.lane(w, lane, geom.Rect{W: width, H: h}, 1)
		drawn := make([]int, width)
		for _, it := range l.Items {
			for x := it.Rect.X; x < it.Rect.Right() && it.Box.Fill != ground; x++ {
				drawn[x] += it.Rect.H
			}
		}
		sum, area, stretches := 0.0, 0, 0
		for x, px := range drawn {
			busy, n := 0.0, 0
			g.each(lane, func(cpu int) { busy += each[cpu][x]; n++ })
			passed := float64(w.Passed(x)) * float64(n)
			if passed == 0 {
				require.Zero(t, px, "no time, no colour")
				continue
			}
			want := float64(h) * busy / passed
			require.Less(t, want-1, float64(px), "lane %d column %d", lane, x)
			require.Greater(t, want+1, float64(px), "lane %d column %d", lane, x)
			sum, area = sum+want, area+px
			if pure := busy == 0 || busy == passed; pure {
				stretches++
				require.InDelta(t, want, float64(px), 1e-9, "nothing is nothing and all is all")
			} else if x > 0 && drawn[x-1] == 0 && stretches == x {
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
	f := newFlicker(fake.Machine(1, 1, 1), clock.Time(11*clock.Second), 5*clock.Millisecond, 0.5)
	v := fake.View("dark", 740, 200, 1000)
	r := geom.Rect{W: 740, H: 160}
	now := f.Now
	f.look(Timeline{}.Look(f.Frame, v, r, now))
	a := f.Timeline
	a.Cells = slices.Clone(a.Cells)
	f.Now -= clock.Time(clock.Second + 3*clock.Millisecond)
	f.look(Timeline{}.Look(f.Frame, v, r, f.Now))
	b := f.Timeline
	width := int64(a.To-a.From) / int64(a.Columns)
	shift := int(int64(a.From-b.From) / width)
	assert.Zero(t, int64(a.From-b.From)%width)
	for i := 0; i+shift < b.Columns-1; i++ {
		assert.Equal(t, a.Cells[i].Busy(), b.Cells[i+shift].Busy(), i)
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
}

func TestWhatWasDroppedIsSaid(t *testing.T) {
	f, v, r := fake.T2000(12), fake.View("dark", 740, 200, 1000), geom.Rect{W: 740, H: 160}
	draw(Timeline{}, f, v, r)
	f.Timeline.Whole, f.Timeline.Step = clock.Time(148*clock.Second), 640*clock.Millisecond
	assert.Contains(t, texts(drawn(Timeline{}, f, v, r)), "before 148 s only sums of 640 ms are kept")
	assert.Contains(t, Timeline{}.Describe(f, v), "Of what was before 148 s only sums over 640 ms are kept")
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
	r := geom.Rect{X: 20, Y: 11, W: 740, H: 180}
	draw(Timeline{}, f, v, r)
	g := viewTime(f.Machine, 1000, r)
	for lane := range g.lanes.n {
		row := g.row(g.area, lane)
		in := Input{At: geom.Point{X: 300, Y: row.Y}}
		want := act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: lane, Thread: sched.None}}
		assert.Equal(t, want, Timeline{}.Handle(in, f, v, r))
		p := Timeline{}.PointAt(in.At, f, v, r)
		assert.True(t, p.On)
		assert.Equal(t, lane, p.CPU)
	}
	assert.Nil(t, Timeline{}.Handle(Input{At: geom.Point{X: 30, Y: 12}}, f, v, r))
}

func TestTimelineInWords(t *testing.T) {
	v := fake.View("dark", 740, 200, 1000)
	assert.Equal(t, "Over the last 10 s the strands were busy 37.5 % of the time and idle while work waited 62.5 %; "+
		"12 of 32 ran without a pause, 20 ran nothing.", Timeline{}.Describe(fake.T2000(12), v))
	full := fake.T2000(32)
	assert.Equal(t, "Over the last 10 s the strands were busy 100 % of the time; 32 of 32 ran without a pause, 0 ran nothing.",
		Timeline{}.Describe(full, v))
	assert.Equal(t, "Timeline: no time has passed yet.", Timeline{}.Describe(&sim.Frame{}, v))
	v.Timeline = act.Range{Kind: act.Fixed, From: clock.Time(10 * clock.Second), To: clock.Time(30 * clock.Second)}
	fake.Look(full, sim.Look{Timeline: stats.Query{From: v.Timeline.From, To: v.Timeline.To}})
	assert.Equal(t, "From 10 s to 30 s the strands were busy 50 % of the time; 0 of 32 ran without a pause, 0 ran nothing.",
		Timeline{}.Describe(full, v))
}
