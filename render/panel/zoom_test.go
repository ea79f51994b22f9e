package panel

import (
	"math"
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
	"strandscope/sim/trace"
)

// witness notes when each CPU was busy, apart from the timeline.
type witness struct {
	at   [][]clock.Time // where a CPU changed
	busy [][]clock.Duration
	on   []bool
}

func newWitness(cpus int) *witness {
	return &witness{at: make([][]clock.Time, cpus), busy: make([][]clock.Duration, cpus), on: make([]bool, cpus)}
}

// Observe implements trace.Observer.
func (w *witness) Observe(e *trace.Event) {
	if e.Kind != trace.On && e.Kind != trace.Idle {
		return
	}
	sum := w.upTo(int(e.CPU), e.At)
	w.at[e.CPU], w.busy[e.CPU] = append(w.at[e.CPU], e.At), append(w.busy[e.CPU], sum)
	w.on[e.CPU] = e.Kind == trace.On
}

// upTo is how long a CPU was busy up to a time after its last change.
func (w *witness) upTo(cpu int, t clock.Time) clock.Duration {
	i := sort.Search(len(w.at[cpu]), func(i int) bool { return w.at[cpu][i] > t }) - 1
	switch {
	case i < 0:
		return 0
	case i+1 < len(w.at[cpu]):
		next := w.busy[cpu][i+1] - w.busy[cpu][i]
		if next == 0 {
			return w.busy[cpu][i]
		}
		return w.busy[cpu][i] + t.Sub(w.at[cpu][i])
	case w.on[cpu]:
		return w.busy[cpu][i] + t.Sub(w.at[cpu][i])
	}
	return w.busy[cpu][i]
}

// watched runs a scenario with a witness.
func watched(tb testing.TB, id string, d clock.Duration) (*sim.Session, *witness) {
	tb.Helper()
	s, err := sim.Open(id)
	require.NoError(tb, err)
	w := newWitness(len(s.Frame().CPUs))
	require.NoError(tb, s.ResetWith(w))
	require.NoError(tb, s.Advance(d))
	return s, w
}

// drawRange draws what a view shows of a run.
func drawRange(s *sim.Session, l *scene.List, v *act.View, r geom.Rect) *sim.Frame {
	f := s.Frame()
	s.Look(sim.Look{Timeline: Timeline{}.Look(f, v, r, f.Now), Cursor: v.Cursored()})
	f = s.Frame()
	l.Reset(geom.Size{W: v.Width, H: v.Height}, scene.Fixed{})
	Timeline{}.Draw(l, f, v, r)
	return f
}

// honest compares what is drawn with what the witness saw: in each column of
// each row the colour's height is the busy share within a pixel.
func honest(t *testing.T, l *scene.List, f *sim.Frame, v *act.View, r geom.Rect, w *witness) {
	t.Helper()
	g := viewTime(f.Machine, theme.ScaleOf(v.ScalePermille), r)
	colors := map[scene.Color]bool{theme.Find(v.Theme).Accent: true}
	for i := range f.Threads {
		colors[theme.Find(v.Theme).Thread(f.Threads[i].ID)] = true
	}
	for lane := range g.lanes.n {
		row := g.row(g.area, lane)
		height := make([]int, g.n)
		for i := range l.Items {
			it := &l.Items[i]
			if it.Op != scene.RectOp || !colors[it.Box.Fill] || !row.Contains(it.Rect) {
				continue
			}
			for x := it.Rect.X; x < it.Rect.Right(); x += g.px {
				height[(x-row.X)/g.px] += it.Rect.H
			}
		}
		var cpus []int
		g.each(lane, func(cpu int) { cpus = append(cpus, cpu) })
		for i, px := range height {
			from, to := max(0, f.Timeline.Start(i)), min(f.Timeline.Start(i+1), f.Now)
			if from >= to {
				require.Zero(t, px)
				continue
			}
			var busy clock.Duration
			for _, cpu := range cpus {
				busy += w.upTo(cpu, to) - w.upTo(cpu, from)
			}
			want := float64(row.H) * float64(busy) / float64(to.Sub(from)) / float64(len(cpus))
			require.Less(t, math.Abs(want-float64(px)), 1.0, "row %d column %d from %v to %v", lane, i, from, to)
		}
	}
}

// V-1: an hour of the mail, from 1 h to 10 ms in 40 steps.
func TestAtEveryZoomOfAnHourTheColourIsTheExactBusyShare(t *testing.T) {
	s, w := watched(t, "linux22-250-hogs", clock.Hour)
	v, r := fake.View("dark", 740, 220, 1000), geom.Rect{W: 740, H: 210}
	var l scene.List
	const steps = 40
	for i := range steps + 1 {
		span := float64(clock.Hour) * math.Pow(float64(10*clock.Millisecond)/float64(clock.Hour), float64(i)/steps)
		from := clock.Time(0.6180339 * (float64(clock.Hour) - span))
		v.Timeline = act.Range{Kind: act.Fixed, From: from, To: from + clock.Time(span)}
		f := drawRange(s, &l, v, r)
		require.Zero(t, f.Timeline.Whole, "nothing of the hour was dropped")
		require.Equal(t, v.Timeline.From, f.Timeline.From)
		require.Equal(t, v.Timeline.To, f.Timeline.To)
		honest(t, &l, f, v, r, w)
	}
	v.Timeline = act.Range{Kind: act.Fixed, To: clock.Time(20 * clock.Second)} // the start, where they are forked
	honest(t, &l, drawRange(s, &l, v, r), v, r, w)
}

// V-1 on other machines: strands that idle, cores as rows, a window beyond the run.
func TestOtherMachinesAreHonestToo(t *testing.T) {
	for _, id := range []string{"t2000-oltp", "t2000-unset", "strand-offline", "linux22-chat"} {
		s, w := watched(t, id, 3*clock.Second)
		for _, h := range []int{90, 210} {
			v, r := fake.View("light", 640, h+10, 1000), geom.Rect{W: 640, H: h}
			var l scene.List
			for _, at := range []act.Range{
				{Kind: act.Fixed, From: clock.Time(2900 * clock.Millisecond), To: clock.Time(3100 * clock.Millisecond)},
				{Kind: act.Fixed, From: clock.Time(2999 * clock.Millisecond), To: clock.Time(3 * clock.Second)},
				{Kind: act.Whole},
				{},
				{Last: 70 * clock.Millisecond},
			} {
				v.Timeline = at
				honest(t, &l, drawRange(s, &l, v, r), v, r, w)
			}
		}
	}
}

// One tick can be told from the next when zoomed in.
func TestATickIsVisible(t *testing.T) {
	s, w := watched(t, "linux22-ping-under-load", 10*clock.Second)
	v, r := fake.View("dark", 740, 220, 1000), geom.Rect{W: 740, H: 210}
	v.Timeline = act.Range{Kind: act.Fixed, From: clock.Time(9900 * clock.Millisecond), To: clock.Time(9920 * clock.Millisecond)}
	var l scene.List
	f := drawRange(s, &l, v, r)
	honest(t, &l, f, v, r, w)
	assert.Subset(t, texts(&l), []string{"9.91 s", "TIMELINE — 9.9 S TO 9.92 S"})
	g := viewTime(f.Machine, 1000, r)
	scale := g.time(&f.Timeline)
	assert.Greater(t, scale.Pixel(v.Timeline.From.Add(10*clock.Millisecond), 1)-scale.Pixel(v.Timeline.From, 1), 300)
}

// V-9: the twenty strands that idle beside work are hatched for all of the time.
func TestStrandsIdleBesideWorkAreMarkedInTheTimeline(t *testing.T) {
	s, _ := watched(t, "t2000-unset", 20*clock.Second)
	v, r := fake.View("dark", 740, 220, 1000), geom.Rect{W: 740, H: 210}
	var l scene.List
	f := drawRange(s, &l, v, r)
	g := viewTime(f.Machine, 1000, r)
	marked := 0
	for lane := range g.lanes.n {
		row, hatched := g.row(g.area, lane), 0
		for i := range l.Items {
			if it := &l.Items[i]; it.Box.Hatch.A > 0 && row.Contains(it.Rect) && it.Rect.H == row.H {
				hatched += it.Rect.W
			}
		}
		if hatched == row.W {
			marked++
		}
	}
	assert.Equal(t, 20, marked)
	assert.Contains(t, Timeline{}.Describe(f, v), "20 ran nothing")
	assert.Contains(t, Timeline{}.Describe(f, v), "idle while work waited 62.5 %")
}

// V-2: a run of five million events is shown, and says what of it is kept.
func TestARunOfMillionsOfEventsSaysWhatIsKept(t *testing.T) {
	s, err := sim.Open("linux22-chat")
	require.NoError(t, err)
	for s.Frame().Events < 5_000_000 {
		require.NoError(t, s.Advance(10*clock.Second))
	}
	v, r := fake.View("dark", 740, 220, 1000), geom.Rect{W: 740, H: 210}
	v.Timeline.Kind = act.Whole
	var l scene.List
	f := drawRange(s, &l, v, r)
	assert.Positive(t, f.Timeline.Whole)
	assert.Contains(t, Timeline{}.Describe(f, v), "only sums over")
	var sum clock.Duration
	for i := range f.Timeline.Sums {
		sum += f.Timeline.Sums[i].Busy()
	}
	var ran clock.Duration
	for i := range f.Threads {
		ran += f.Threads[i].Ran
	}
	assert.Equal(t, ran, sum, "what was dropped still counts")
}

// V-6 as far as the picture goes: a moment and a strand that are asked for come
// centred, with the stay that is there.
func TestAStayAskedForIsCentredAndTold(t *testing.T) {
	s, _ := watched(t, "linux22-ping-under-load", 20*clock.Second)
	v, r := fake.View("dark", 740, 220, 1000), geom.Rect{W: 740, H: 210}
	at := clock.Time(15 * clock.Second)
	for _, c := range []act.Command{
		act.Zoom{From: at.Add(-clock.Second), To: at.Add(clock.Second)}, act.Point{Cursor: sim.Cursor{On: true, CPU: 2, At: at}},
	} {
		mine, err := v.Apply(c, s.Now(), 4)
		require.True(t, mine)
		require.NoError(t, err)
	}
	var l scene.List
	f := drawRange(s, &l, v, r)
	require.NotNil(t, f.Pointed)
	assert.LessOrEqual(t, f.Pointed.From, at)
	assert.Greater(t, f.Pointed.To, at)
	g := viewTime(f.Machine, 1000, r)
	scale := g.time(&f.Timeline)
	assert.InDelta(t, g.area.X+g.area.W/2, scale.Pixel(at, 1), 1)
	text := Timeline{}.Describe(f, v)
	assert.Contains(t, text, "Cursor at 15 s on cpu2: loop ")
	assert.Contains(t, text, "class OTHER")
	assert.Contains(t, text, "It left because the CPU was taken from it")
}

// V-4: what a frame costs, windows that move along with the run included.
func BenchmarkAnHourOf32Strands(b *testing.B) {
	s, err := sim.Open("t2000-unset")
	require.NoError(b, err)
	require.NoError(b, s.Advance(clock.Hour))
	v, r := fake.View("dark", 740, 220, 1000), geom.Rect{W: 740, H: 210}
	v.Playing = true
	for name, at := range map[string]act.Range{
		"whole":     {Kind: act.Whole},
		"last 10 s": {},
		"10 min":    {Kind: act.Fixed, From: clock.Time(45 * clock.Minute), To: clock.Time(55 * clock.Minute)},
		"20 ms":     {Kind: act.Fixed, From: clock.Time(50 * clock.Minute), To: clock.Time(50*clock.Minute + 20*clock.Millisecond)},
	} {
		v.Timeline = at
		var l scene.List
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				require.NoError(b, s.Advance(160*clock.Millisecond)) // a frame at ten times real time
				f := s.Frame()
				b.StartTimer()
				s.Look(sim.Look{Timeline: Timeline{}.Look(f, v, r, s.Now())})
				f = s.Frame()
				l.Reset(geom.Size{W: v.Width, H: v.Height}, scene.Fixed{})
				Timeline{}.Draw(&l, f, v, r)
			}
		})
	}
}
