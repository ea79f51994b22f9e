package plot

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

func TestTicksAreRoundAndFew(t *testing.T) {
	for span := int64(1); span < 100000; span = span*5/4 + 1 {
		step := Number{}.Step(span, 4)
		assert.LessOrEqual(t, span, 4*step)
		assert.True(t, step == 1 || span > 4*step/5*2, "span %d has step %d, a smaller one would do", span, step)
	}
	for span, want := range map[clock.Duration]string{
		clock.Minute: "15 s", 151 * clock.Second: "1 min", 18 * clock.Minute: "5 min", 24 * clock.Hour: "6 h",
		40 * 24 * clock.Hour: "240 h", 20 * clock.Millisecond: "5 ms",
	} {
		step := Clock{}.Step(int64(span), 4)
		assert.Equal(t, want, string(Clock{}.Label(nil, step, step)), "span %d", span)
	}
	assert.Equal(t, "−2 s", string(Clock{Before: clock.Time(10 * clock.Second)}.Label(nil, int64(8*clock.Second), int64(clock.Second))))
}

func TestChartShowsTheWholeRunOrItsEnd(t *testing.T) {
	area := geom.Rect{W: 300, H: 100}
	c := New(area, clock.Time(10*clock.Second), 0, clock.Minute, 36)
	assert.Equal(t, clock.Time(clock.Minute), c.Time.To, "a young run does not fill the plot")
	c = New(area, clock.Time(clock.Hour), 0, clock.Minute, 36)
	assert.Equal(t, clock.Time(0), c.Time.From)
	c = New(area, clock.Time(clock.Hour), 10*clock.Second, clock.Minute, 36)
	assert.Equal(t, clock.Time(clock.Hour-10*clock.Second), c.Time.From)
	c = New(area, clock.Time(clock.Second), 10*clock.Second, clock.Minute, 36)
	assert.Equal(t, clock.Time(0), c.Time.From, "there is no time before the run")
}

// spiky is a series whose extremes last one sample.
func spiky(samples int) stats.Series {
	h := stats.NewHistory("spiky", "", 1, 100*clock.Millisecond)
	x := uint32(1)
	for i := range samples {
		x = x*1664525 + 1013904223
		v := int32(10 + x>>30)
		if x>>24 == 7 {
			v = 36
		}
		if x>>24 == 9 {
			v = 0
		}
		h.Add(clock.Time(int64(i)*int64(100*clock.Millisecond)), v)
	}
	var s stats.Series
	h.Window(&s, 0, 1<<60, stats.SeriesBuckets)
	return s
}

func TestEveryPixelColumnKeepsItsLeastAndGreatestSample(t *testing.T) {
	const samples = 1900
	s := spiky(samples)
	now := clock.Time(samples * int64(100*clock.Millisecond))
	for _, span := range []clock.Duration{0, 100 * clock.Second, 20 * clock.Second, 3 * clock.Second} {
		for _, w := range []int{120, 300, 1000} {
			for _, shape := range []Shape{Sloped, Stepped} {
				c := New(geom.Rect{X: 7, W: w, H: 72}, now, span, clock.Minute, 36)
				var l scene.List
				l.Reset(geom.Size{}, scene.Fixed{})
				c.Line(&l, &s, scene.Stroke{}, shape)
				seen := map[[2]int]bool{} // pixel column and row
				for _, p := range l.Points(&l.Items[0]) {
					seen[[2]int{p.X / scene.Sub, (p.Y + scene.Sub/2) / scene.Sub}] = true
				}
				for i := range s.Len() {
					px := c.Time.Pixel(clock.Time(int64(i)*int64(s.Step)), 1)
					if px < c.Area.X || v(&s, i) != 0 && v(&s, i) != 36 {
						continue
					}
					assert.True(t, seen[[2]int{px, (c.Y(int64(v(&s, i)), 1) + scene.Sub/2) / scene.Sub}], "sample %d of %d lost at pixel %d of %d", i, v(&s, i), px, w)
				}
			}
		}
	}
}

func v(s *stats.Series, i int) int32 { return s.Last[i] }

func TestCurvesStayInTheirArea(t *testing.T) {
	s := spiky(900)
	c := New(geom.Rect{X: 40, Y: 10, W: 200, H: 50}, clock.Time(90*clock.Second), 30*clock.Second, clock.Minute, 20)
	var l scene.List
	l.Reset(geom.Size{}, scene.Fixed{})
	c.Line(&l, &s, scene.Stroke{}, Stepped)
	c.Fill(&l, &s, nil, scene.Hex(0))
	for i := range l.Items {
		// A line along an edge reaches over it by half its width.
		assert.True(t, c.Area.Inset(-1).Contains(l.Bounds(&l.Items[i])), l.Bounds(&l.Items[i]).String())
	}
}

func TestEmptySeriesDrawNothing(t *testing.T) {
	var s stats.Series
	c := New(geom.Rect{W: 100, H: 50}, 0, 0, clock.Minute, 0)
	var l scene.List
	l.Reset(geom.Size{}, scene.Fixed{})
	c.Line(&l, &s, scene.Stroke{}, Sloped)
	c.Fill(&l, &s, nil, scene.Hex(0))
	assert.Empty(t, l.Items)
	assert.Zero(t, c.Greatest(&s))
}

func TestAxesNameTheirTicks(t *testing.T) {
	a := Axes{
		Values: Number{}, Time: Clock{}, Line: 1, Gap: 4, Card: geom.Rect{W: 320, H: 120},
		Label: scene.Style{Font: scene.Font{Family: scene.Mono, Size: 10 * scene.Unit}},
	}
	assert.Equal(t, int64(40), a.Round(33, 72))
	c := New(geom.Rect{X: 30, Y: 20, W: 280, H: 72}, clock.Time(151*clock.Second), 0, clock.Minute, 40)
	var l scene.List
	l.Reset(geom.Size{W: 320, H: 120}, scene.Fixed{})
	a.Draw(&l, &c)
	var labels []string
	for i := range l.Items {
		if l.Items[i].Op == scene.TextOp {
			labels = append(labels, string(l.Bytes(&l.Items[i])))
		}
		assert.True(t, a.Card.Contains(l.Bounds(&l.Items[i])), l.Bounds(&l.Items[i]).String())
	}
	assert.Equal(t, []string{"0", "20", "40", "0", "1 min", "2 min"}, labels)
}

func TestMomentsAreAsFineAsTheStepBetweenThem(t *testing.T) {
	us, ms, s := int64(clock.Microsecond), int64(clock.Millisecond), int64(clock.Second)
	for _, x := range []struct {
		at, step int64
		want     string
	}{
		{0, s, "0"},
		{3600 * s, 3600 * s, "1 h"},
		{5400 * s, 60 * s, "90 min"},
		{12 * s, s, "12 s"},
		{12*s + 500*ms, 100 * ms, "12.5 s"},
		{12*s + 500*ms, s, "12 s"},
		{3723*s + 250*ms, 10 * ms, "1:02:03.25"},
		{1072*s + 5*us, us, "17:52.000005"},
		{20 * ms, ms, "20 ms"},
		{20*ms + 7*us, us, "20.007 ms"},
		{3 * us, us, "3 µs"},
		{3*us + 40, 10, "3.04 µs"},
		{40, 10, "40 ns"},
		{-2500 * ms, 500 * ms, "−2.5 s"},
		{40 * ms, s, "0 s"},
	} {
		assert.Equal(t, x.want, string(Moment(nil, x.at, x.step)), "%d by %d", x.at, x.step)
	}
}

func TestTicksBeginInSightAndAreWholeSteps(t *testing.T) {
	for _, from := range []int64{-25, -20, 0, 3, 40} {
		for _, before := range []clock.Time{0, 7} {
			c := Clock{Before: before}
			first := c.First(from, 10)
			assert.GreaterOrEqual(t, first, from)
			assert.Less(t, first, from+10)
			assert.Zero(t, (first-int64(before))%10)
		}
	}
	for span := int64(1); span < int64(100*24*clock.Hour); span = span*7/5 + 1 {
		step := Clock{}.Step(span, 6)
		assert.LessOrEqual(t, span, 6*step)
		assert.GreaterOrEqual(t, span*6, step, "not one step only by far: %d", span)
	}
}

// V-10: whatever part of hours is shown, each pixel column has the least and the
// greatest sample that fell into it.
func TestPlotsKeepTheirExtremesAtEveryZoom(t *testing.T) {
	const samples = 20_000
	h := stats.NewHistory("", "", 1, clock.Second)
	x := uint32(1)
	values := make([]int32, samples)
	for i := range values {
		x = x*1664525 + 1013904223
		values[i] = int32(10 + x>>30)
		if x>>20 == 7 {
			values[i] = 36
		}
		if x>>20 == 9 {
			values[i] = 0
		}
		h.Add(clock.Time(i)*clock.Time(clock.Second), values[i])
	}
	now := clock.Time(samples * int64(clock.Second))
	for span := now; span > clock.Time(20*clock.Second); span = span * 2 / 3 {
		from := (now - span) * 3 / 5
		var s stats.Series
		h.Window(&s, from, from+span, stats.SeriesBuckets)
		c := Over(geom.Rect{X: 7, W: 300, H: 72}, now, from, from+span, 36)
		var l scene.List
		l.Reset(geom.Size{}, scene.Fixed{})
		c.Line(&l, &s, scene.Stroke{}, Stepped)
		seen := map[[2]int]bool{}
		for _, p := range l.Points(&l.Items[0]) {
			seen[[2]int{p.X / scene.Sub, (p.Y + scene.Sub/2) / scene.Sub}] = true
		}
		for i, v := range values {
			at := clock.Time(i) * clock.Time(clock.Second)
			if at < from || at >= from+span || v > 0 && v < 36 {
				continue
			}
			y := (c.Y(int64(v), 1) + scene.Sub/2) / scene.Sub
			px := c.Time.Pixel(at/clock.Time(s.Step)*clock.Time(s.Step), 1)
			assert.True(t, seen[[2]int{max(7, px), y}], "sample %d of %d lost at pixel %d with %d s shown", i, v, px, span/clock.Time(clock.Second))
		}
	}
}
