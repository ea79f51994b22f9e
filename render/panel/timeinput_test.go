package panel

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/internal/fake"
	"strandscope/render/scene"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

const sec = clock.Time(clock.Second)

// hand is a timeline that can be touched: 32 strands, 151.4 s.
type hand struct {
	f *sim.Frame
	v *act.View
	r geom.Rect
	timeView
}

func newHand() *hand {
	h := &hand{f: fake.T2000(12), v: fake.View("dark", 740, 220, 1000), r: geom.Rect{X: 5, Y: 7, W: 730, H: 190}}
	h.look()
	return h
}

func (h *hand) look() {
	fake.Look(h.f, sim.Look{Timeline: Timeline{}.Look(h.f, h.v, h.r, h.f.Now), Cursor: h.v.Cursored()})
	h.timeView = viewTime(h.f.Machine, 1000, h.r)
}

func (h *hand) do(t *testing.T, c act.Command) {
	t.Helper()
	require.NotNil(t, c)
	mine, err := h.v.Apply(c, h.f.Now, len(h.f.CPUs))
	require.True(t, mine)
	require.NoError(t, err)
	h.look()
}

func (h *hand) input(in Input) act.Command { return Timeline{}.Handle(in, h.f, h.v, h.r) }
func (h *hand) key(key string, shift bool) act.Command {
	return Timeline{}.Key(key, shift, h.f, h.v, h.r)
}

func TestDraggingMovesTheWindowAlong(t *testing.T) {
	h := newHand()
	h.do(t, act.Zoom{From: 100 * sec, To: 110 * sec})
	start := geom.Point{X: h.area.X + 300, Y: h.area.Y + 5}
	h.do(t, h.input(Input{Kind: Drag, Start: start, At: geom.Point{X: start.X + h.area.W/10, Y: 20}, DX: h.area.W / 10}))
	from, to := h.v.Shown(h.f.Now)
	assert.InDelta(t, float64(99*sec), float64(from), float64(20*clock.Millisecond))
	assert.Equal(t, 10*sec, to-from, "nothing is zoomed")
	h.do(t, h.input(Input{Kind: Drag, Start: start, At: start, DX: 100 * h.area.W}))
	from, to = h.v.Shown(h.f.Now)
	assert.Zero(t, from, "there is nothing before the run")
	assert.Equal(t, 10*sec, to)
}

func TestDraggingWithShiftOrOnTheOverviewChooses(t *testing.T) {
	h := newHand()
	h.do(t, act.Zoom{From: 100 * sec, To: 110 * sec})
	x := func(at clock.Time) int { s := h.time(&h.f.Timeline); return s.Pixel(at, 1) }
	in := Input{Kind: Drag, Shift: true, Start: geom.Point{X: x(107 * sec), Y: h.area.Y}, At: geom.Point{X: x(103 * sec), Y: h.area.Y}}
	band, ok := h.input(in).(act.Band)
	require.True(t, ok, "only marked until it is over")
	h.do(t, band)
	var l scene.List
	l.Reset(geom.Size{W: 740, H: 220}, scene.Fixed{})
	Timeline{}.Draw(&l, h.f, h.v, h.r)
	in.Done = true
	h.do(t, h.input(in))
	from, to := h.v.Shown(h.f.Now)
	assert.InDelta(t, float64(103*sec), float64(from), float64(20*clock.Millisecond))
	assert.InDelta(t, float64(107*sec), float64(to), float64(20*clock.Millisecond))
	assert.Equal(t, act.Band{}, h.v.Band)

	h.do(t, h.input(Input{
		Kind: Drag, Done: true, Start: geom.Point{X: h.overview.X, Y: h.overview.Y + 3},
		At: geom.Point{X: h.overview.X + h.overview.W/2, Y: h.overview.Y + 3},
	}))
	from, to = h.v.Shown(h.f.Now)
	assert.Zero(t, from)
	assert.InDelta(t, float64(h.f.Now/2), float64(to), float64(sec))
	c := h.input(Input{Kind: Click, At: geom.Point{X: h.overview.Right() - 1, Y: h.overview.Y + 3}})
	h.do(t, c)
	from, to = h.v.Shown(h.f.Now)
	assert.InDelta(t, float64(h.f.Now), float64(from+to)/2, float64(sec), "a click centres")
}

func TestTheWheelZoomsAroundThePointer(t *testing.T) {
	h := newHand()
	h.do(t, act.Zoom{From: 100 * sec, To: 110 * sec})
	at := geom.Point{X: h.area.X + h.area.W/4, Y: h.area.Y + 3}
	under := func() clock.Time { s := h.time(&h.f.Timeline); return s.Time(at.X) }
	before := under()
	for range 60 {
		h.do(t, h.input(Input{Kind: Wheel, At: at, Notches: 1}))
		from, to := h.v.Shown(h.f.Now)
		if to.Sub(from) == act.MinZoom {
			break
		}
		assert.InDelta(t, float64(before), float64(under()), float64(to-from)/200+60, "what is pointed at stays there")
	}
	for range 100 {
		c := h.input(Input{Kind: Wheel, At: at, Notches: -3})
		if c == nil {
			break
		}
		h.do(t, c)
	}
	assert.Equal(t, act.Whole, h.v.Timeline.Kind, "out of everything is the whole run")
	h.v.Playing = true
	h.do(t, act.Follow{Last: 10 * clock.Second})
	assert.Equal(t, act.Follow{Last: 8 * clock.Second}, h.input(Input{Kind: Wheel, At: at, Notches: 1}), "and what moves along keeps doing so")
}

func TestKeysMoveTheCursor(t *testing.T) {
	h := newHand()
	h.do(t, act.Zoom{From: 141 * sec, To: 151 * sec})
	assert.Nil(t, h.key("ArrowRight", false), "arrows are the strands' while there is no cursor")
	h.do(t, h.key("t", false))
	assert.Equal(t, sim.Cursor{On: true, CPU: 0, At: 146 * sec}, h.v.Cursor)
	pixel := 10 * sec / clock.Time(h.n)
	h.do(t, h.key("ArrowRight", false))
	assert.Equal(t, 146*sec+pixel, h.v.Cursor.At)
	h.do(t, h.key("ArrowLeft", false))
	h.do(t, h.key("ArrowDown", false))
	assert.Equal(t, sim.Cursor{On: true, CPU: 1, At: 146 * sec}, h.v.Cursor)
	first := h.f.Pointed.Span
	h.do(t, h.key("ArrowRight", true))
	assert.Equal(t, first.To, h.v.Cursor.At, "with Shift to the next stay")
	assert.NotEqual(t, first.Thread, h.f.Pointed.Thread)
	h.do(t, h.key("ArrowLeft", true))
	h.do(t, h.key("ArrowLeft", true))
	assert.Equal(t, first.From, h.v.Cursor.At, "and back, to where it began")
	sel, ok := h.key("Enter", false).(act.Select)
	require.True(t, ok)
	assert.Equal(t, act.Selection{Kind: act.ThreadSelection, Thread: first.Thread, CPU: sched.NoCPU}, sel.Selection)
	h.do(t, h.key("End", false))
	assert.Equal(t, 151*sec-1, h.v.Cursor.At)
	h.do(t, h.key("Home", false))
	assert.Equal(t, 141*sec, h.v.Cursor.At)
	for range 40 {
		h.do(t, h.key("ArrowUp", false))
	}
	assert.Zero(t, h.v.Cursor.CPU)
	h.do(t, h.key("0", false))
	assert.Equal(t, act.Whole, h.v.Timeline.Kind)
	h.do(t, h.key("+", true))
	assert.Equal(t, act.Fixed, h.v.Timeline.Kind)
	h.do(t, h.key("Escape", false))
	assert.False(t, h.v.Cursor.On)
	assert.Nil(t, h.key("q", false))
}

func TestTheCursorTellsWhoWhyAndHowLong(t *testing.T) {
	h := newHand()
	h.do(t, act.Point{Cursor: sim.Cursor{On: true, CPU: 2, At: 146 * sec}})
	var l scene.List
	l.Reset(geom.Size{W: 740, H: 220}, scene.Fixed{})
	TimeTooltip(&l, h.f, h.v, h.r)
	said := texts(&l)
	require.NotEmpty(t, said)
	assert.Regexp(t, `^cpu2: perl \d+, class TS, priority 0$`, said[0])
	assert.Regexp(t, `^from 144\.\d+ s for 2 s$`, said[1])
	assert.Contains(t, said, "It was the best in the queue.")
	assert.Regexp(t, `^It left because the CPU was taken from it for perl \d+\.$`, said[len(said)-1])
	for i := range l.Items {
		assert.True(t, geom.Rect{W: 740, H: 220}.Contains(l.Bounds(&l.Items[i])))
	}
	assert.Contains(t, Timeline{}.Describe(h.f, h.v), "Cursor at 146 s on cpu2: perl ")
}

func TestPointingAtAPlotReadsItsValues(t *testing.T) {
	f, v := fake.T2000(12), fake.View("dark", 348, 144, 1000)
	r := geom.Rect{W: 348, H: 144}
	v.Pointing = QueueLength{}.PointAt(geom.Point{X: 200, Y: 80}, f, v, r)
	require.True(t, v.Pointing.On && v.Pointing.Plot)
	assert.Contains(t, texts(draw(QueueLength{}, f, v, r)), "waiting 20")
	assert.Contains(t, texts(draw(Utilisation{}, f, v, geom.Rect{W: 348, H: 160})), "user 37.50%")
	said := texts(draw(LoadAverage{}, f, v, r))
	found := ""
	for _, text := range said {
		if len(text) > 6 && text[:6] == "ideal " {
			found = text
		}
	}
	assert.NotEmpty(t, found, said)
	assert.False(t, QueueLength{}.PointAt(geom.Point{X: 2, Y: 80}, f, v, r).On, "beside the curves")
}

func TestPrintedLoadsAreRingsAtTheirTimeAndValue(t *testing.T) {
	f, v := fake.T2000(12), fake.View("dark", 348, 144, 1000)
	r := geom.Rect{W: 348, H: 144}
	rings := func() (all []geom.Rect) {
		l := draw(LoadAverage{}, f, v, r)
		for i := range l.Items {
			if it := &l.Items[i]; it.Box.Border == (scene.Color{R: 0xe8, G: 0xed, B: 0xf4, A: 0xff}) {
				all = append(all, it.Rect)
			}
		}
		return all
	}
	require.Empty(t, rings())
	f.Plots.Printed = []sim.PrintedLoad{{Average: 0, At: 100 * sec, Value: 20 * 256, Text: "20.00"}, {Average: 2, At: 500 * sec, Value: 1, Text: "0.00"}}
	got := rings()
	require.Len(t, got, 1, "the other is later than what is shown")
	area := chartIn(1000, geom.Rect{Y: headingHeight, W: 348, H: 144 - headingHeight})
	x := area.X + int(int64(area.W)*int64(100*sec)/int64(f.Now))
	assert.InDelta(t, x, got[0].X+got[0].W/2, 1)
	assert.InDelta(t, area.Bottom()-area.H*20/40, got[0].Y+got[0].H/2, 1)
}
