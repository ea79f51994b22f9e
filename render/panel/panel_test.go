package panel

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func draw(p Panel, f *sim.Frame, v *act.View, r geom.Rect) *scene.List {
	if k, ok := p.(Looker); ok {
		fake.Look(f, sim.Look{Timeline: k.Look(f, v, r, f.Now), Cursor: v.Cursored()})
	}
	return drawn(p, f, v, r)
}

// drawn is draw for frames that hold the right part of the past already.
func drawn(p Panel, f *sim.Frame, v *act.View, r geom.Rect) *scene.List {
	var l scene.List
	l.Reset(geom.Size{W: v.Width, H: v.Height}, scene.Fixed{})
	p.Draw(&l, f, v, r)
	return &l
}

func texts(l *scene.List) []string {
	var all []string
	for i := range l.Items {
		if l.Items[i].Op == scene.TextOp {
			all = append(all, string(l.Bytes(&l.Items[i])))
		}
	}
	return all
}

// frames are the machines that every property is tried on.
func frames() map[string]*sim.Frame {
	off := fake.T2000(12)
	off.CPUs[31].Online = false
	young := fake.T2000(32)
	young.Now, young.Plots, young.Vmstat = 0, sim.Plots{}, sim.Vmstat{}
	return map[string]*sim.Frame{
		"tip":   fake.T2000(12),
		"full":  fake.T2000(32),
		"off":   off,
		"young": young,
		"hogs":  fake.Hogs250(),
		"one":   fake.Frame(fake.Machine(1, 1, 1), "a process of a very long name indeed", 123456, 2, 1),
		"256":   fake.Frame(fake.Machine(4, 8, 8), "java", 10204, 400, 200),
		"flat":  fake.Frame(fake.Machine(1, 64, 1), "perl", 1204, 66, 60),
		"4096":  fake.Frame(fake.Machine(64, 8, 8), "java", 10204, 6000, 3000),
		"book":  bookFrame("textbook-rr", 40*clock.Second),
		"books": bookFrame("textbook-multi", clock.Minute),
	}
}

// bookFrame is a frame of a job list that runs.
func bookFrame(id string, at clock.Duration) *sim.Frame {
	s, err := sim.Open(id)
	if err == nil {
		err = s.Advance(at)
	}
	if err != nil {
		panic(err)
	}
	f := *s.Frame()
	f.Timeline = stats.Window{} // the tests' own past serves
	return &f
}

func TestGoldens(t *testing.T) {
	fs := frames()
	for _, p := range All {
		names := []string{"tip", "full"}
		for _, some := range []string{"hogs", "book"} { // it is there for some scenarios only
			if p.Height(fs["tip"], 1000, 348, 0) == 0 && p.Height(fs[some], 1000, 348, 0) > 0 {
				names = []string{some}
			}
		}
		if p.ID() == "loadavg" {
			names = names[:1] // the others are the same
		}
		for _, name := range names {
			t.Run(p.ID()+" "+name, func(t *testing.T) {
				v := fake.View("dark", 740, 400, 1000)
				if p.Column() == Side {
					v.Width = 348
				}
				h := p.Height(fs[name], 1000, v.Width, 0)
				golden(t, p.ID()+"-"+name, draw(p, fs[name], v, geom.Rect{W: v.Width, H: h}).String())
			})
		}
	}
}

func TestNoPanelDrawsOutsideItsRectangle(t *testing.T) {
	for name, f := range frames() {
		for _, scale := range []int{1000, 1250, 1500, 2000, 3000} {
			if len(f.CPUs) > 1000 && scale%1000 != 0 {
				continue // these take long and the other scales tell enough
			}
			s := theme.ScaleOf(scale)
			for _, css := range []int{296, 360, 490, 700, 1100, 1880} {
				for _, p := range append(slices.Clone(All), CoreView{}) {
					w := s.Px(css)
					least := s.Px(p.MinSize().H)
					for _, h := range []int{p.Height(f, s, w, 0), least, least + s.Px(97), s.Px(700)} {
						inside(t, p, f, geom.Rect{X: 13, Y: 7, W: w, H: h}, scale, name)
					}
				}
			}
		}
	}
}

func inside(t *testing.T, p Panel, f *sim.Frame, r geom.Rect, scale int, name string) {
	t.Helper()
	v := fake.View("light", r.Right()+13, r.Bottom()+7, scale)
	v.Selected = act.Selection{Kind: act.StrandSelection, CPU: 0}
	l := draw(p, f, v, r)
	if p.Height(f, theme.ScaleOf(scale), r.W, 0) == 0 {
		assert.Empty(t, l.Items, "%s has nothing to show for %s", p.ID(), name)
		return
	}
	for i := range l.Items {
		if b := l.Bounds(&l.Items[i]); !r.Contains(b) {
			require.Failf(t, "outside", "%s of %s at %d in %v: item %d at %v", p.ID(), name, scale, r, i, b)
		}
	}
	assert.NotEmpty(t, l.Items, "%s of %s at %d in %v", p.ID(), name, scale, r)
}

func TestTextStaysInItsCell(t *testing.T) {
	for name, f := range frames() {
		for _, css := range []int{296, 420, 700, 1500} {
			v := fake.View("dark", css, 900, 1000)
			r := geom.Rect{W: css, H: Strands{}.Height(f, 1000, css, 0)}
			l := draw(Strands{}, f, v, r)
			_, area := r.CutTop(headingHeight)
			g := fit(f.Machine, 1000, area)
			for i := range l.Items {
				it := &l.Items[i]
				cpu := g.at(geom.Point{X: it.X, Y: it.Y})
				if it.Op != scene.TextOp || cpu < 0 {
					continue
				}
				b, cell := l.Bounds(it), g.cell(cpu)
				assert.True(t, cell.X <= b.X && b.Right() <= cell.Right(), "%s: %q leaves cpu%d", name, l.Bytes(it), cpu)
			}
		}
	}
}

func TestFrom1To4096StrandsAllAreDrawnApart(t *testing.T) {
	for _, shape := range [][2]int{
		{1, 1}, {1, 2}, {2, 1}, {6, 4}, {8, 4}, {7, 3}, {8, 8}, {64, 1}, {64, 8}, {128, 2}, {512, 8}, {4096, 1}, {256, 16}, {1, 4096},
	} {
		m := fake.Machine(1, shape[0], shape[1])
		for _, w := range []int{256, 700, 1500} {
			for _, h := range []int{0, 80, 300, 900} {
				g := fit(m, 1000, geom.Rect{X: 20, Y: 40, W: w, H: h})
				used := make(map[geom.Point]bool, len(m.CPUs))
				for cpu := range m.CPUs {
					c := g.cell(cpu)
					at := geom.Point{X: c.X, Y: c.Y}
					switch {
					case c.Empty():
						require.Failf(t, "empty", "cpu%d of %v in %d × %d", cpu, shape, w, h)
					case c.X < 20 || c.Right() > 20+w || h > 0 && c.Bottom() > 40+h:
						require.Failf(t, "outside", "cpu%d of %v in %d × %d: %v", cpu, shape, w, h, c)
					case used[at]:
						require.Failf(t, "hidden", "cpu%d of %v in %d × %d hides another", cpu, shape, w, h)
					}
					used[at] = true
					// Looking a cell up visits all before it: a sample will do.
					if cpu%61 == 0 || len(m.CPUs) <= 256 || cpu+1 == len(m.CPUs) {
						require.Equal(t, cpu, g.at(at))
					}
				}
			}
		}
	}
}

func TestStrandsIdleBesideWorkAreHatchedAndNamed(t *testing.T) {
	l := draw(Strands{}, fake.T2000(12), fake.View("dark", 740, 320, 1000), geom.Rect{W: 740, H: 320})
	hatched := 0
	for i := range l.Items {
		if l.Items[i].Op == scene.RectOp && l.Items[i].Box.Hatch.A > 0 {
			hatched++
		}
	}
	assert.Equal(t, 20, hatched)
	all := texts(l)
	assert.Contains(t, all, "12 of 32 busy · ")
	assert.Contains(t, all, "20 idle while 20 wait")
	assert.Contains(t, all, "perl 1204")
	assert.Contains(t, all, "STRANDS — 8 CORES × 4")

	l = draw(Strands{}, fake.T2000(32), fake.View("dark", 740, 320, 1000), geom.Rect{W: 740, H: 320})
	assert.NotContains(t, l.String(), "hatch")
	assert.Contains(t, texts(l), "32 of 32 busy")
}

func TestHeadingsKeepTheirFiguresWhenNarrow(t *testing.T) {
	all := texts(draw(Strands{}, fake.T2000(12), fake.View("dark", 296, 600, 1000), geom.Rect{W: 296, H: 600}))
	assert.Contains(t, all, "20 idle while 20 wait")
}

func TestDetailGivesWayToNumber(t *testing.T) {
	for strands, want := range map[int]detail{4: named, 32: named, 64: named, 256: numbered, 4096: plain} {
		m := fake.Machine(1, max(1, strands/4), 4)
		assert.Equal(t, want, fit(m, 1000, geom.Rect{W: 740}).detail, "%d strands", strands)
	}
	assert.Equal(t, plain, fit(fake.Machine(1, 8, 4), 1000, geom.Rect{W: 740, H: 60}).detail, "32 strands in a low area")
}

func TestPipelineMeterShowsIssueSlots(t *testing.T) {
	f := fake.T2000(6) // core 0 full, core 1 half, the others idle
	assert.InDelta(t, 985, issueSlots(f, 0), 1)
	assert.InDelta(t, 800, issueSlots(f, 1), 1, "two strands use more than half of what four do")
	assert.Equal(t, 0, issueSlots(f, 2))
}

func TestTooltipTellsWhatTheMeterShows(t *testing.T) {
	v := fake.View("dark", 740, 400, 1000)
	v.Hover = act.Selection{Kind: act.StrandSelection, CPU: 5, Thread: sched.None}
	tip := func(f *sim.Frame) string {
		var l scene.List
		l.Reset(geom.Size{W: 740, H: 400}, scene.Fixed{})
		Tooltip(&l, f, v, geom.Rect{X: 10, Y: 10, W: 60, H: 40})
		return texts(&l)[0]
	}
	assert.Equal(t, "cpu5: runs perl 1209; core 1 uses 80 % of its issue slots (model)", tip(fake.T2000(6)))
	v.Hover.CPU = 3
	assert.Equal(t, "cpu3: runs loop 653", tip(fake.Hogs250()), "nothing is shared there")
}

func TestRunQueueListsHigherPrioritiesFirst(t *testing.T) {
	f := fake.T2000(12)
	l := draw(RunQueue{}, f, fake.View("dark", 740, 80, 1000), geom.Rect{W: 740, H: 80})
	last := "p99"
	n := 0
	for _, s := range texts(l) {
		if s, signed := strings.CutPrefix(s, theme.Sign("TS")); signed && len(s) == 3 && s[0] == 'p' {
			assert.LessOrEqual(t, s, last)
			last = s
			n++
		}
	}
	assert.Equal(t, 20, n)
	assert.Contains(t, texts(l), "r = 20")
}

func TestClicksSelectWhatTheyHit(t *testing.T) {
	f := fake.T2000(12)
	v := fake.View("dark", 740, 400, 1000)
	r := geom.Rect{X: 20, Y: 11, W: 740, H: 300}
	_, area := r.CutTop(headingHeight)
	g := fit(f.Machine, 1000, area)
	for cpu := range f.CPUs {
		c := g.cell(cpu)
		at := geom.Point{X: c.X + c.W/2, Y: c.Y + c.H/2}
		want := act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: cpu, Thread: sched.None}}
		assert.Equal(t, want, Strands{}.Handle(Input{At: at}, f, v, r))
	}
	assert.Nil(t, Strands{}.Handle(Input{At: geom.Point{X: 22, Y: 13}}, f, v, r), "the heading is nothing")

	r = geom.Rect{X: 20, Y: 311, W: 740, H: 80}
	l := draw(RunQueue{}, f, v, r)
	hit := 0
	for i := range l.Items {
		it := &l.Items[i]
		if s := string(l.Bytes(it)); it.Op == scene.TextOp && len(s) == 4 && s[0] == '1' {
			sel, ok := RunQueue{}.Handle(Input{At: geom.Point{X: it.X, Y: it.Y}}, f, v, r).(act.Select)
			require.True(t, ok, s)
			assert.Equal(t, s, itoa(int(f.Threads[sel.Thread].PID)))
			hit++
		}
	}
	assert.Equal(t, 20, hit)
}

func TestSelectionIsOutlinedInBothPanels(t *testing.T) {
	f := fake.T2000(12)
	v := fake.View("dark", 740, 300, 1000)
	ink := theme.Find("dark").Ink
	outlined := func(p Panel) int {
		n := 0
		l := draw(p, f, v, geom.Rect{W: 740, H: 300})
		for i := range l.Items {
			if l.Items[i].Op == scene.RectOp && l.Items[i].Box.Border == ink {
				n++
			}
		}
		return n
	}
	assert.Zero(t, outlined(Strands{})+outlined(RunQueue{}))
	v.Selected = act.Selection{Kind: act.StrandSelection, CPU: 14, Thread: sched.None}
	assert.Equal(t, 1, outlined(Strands{}))
	v.Selected = act.Selection{Kind: act.ThreadSelection, CPU: sched.NoCPU, Thread: 3}
	assert.Equal(t, 1, outlined(Strands{}))
	assert.Zero(t, outlined(RunQueue{}))
	v.Selected.Thread = 20
	assert.Equal(t, 1, outlined(RunQueue{}))
	assert.Zero(t, outlined(Strands{}))
}

func TestLoadAveragesDifferInDashAsWellAsHue(t *testing.T) {
	l := draw(LoadAverage{}, fake.T2000(12), fake.View("dark", 348, 144, 1000), geom.Rect{W: 348, H: 144})
	dashes, hues := map[scene.Dash]bool{}, map[scene.Color]bool{}
	for i := range l.Items {
		thin := theme.Scale(1000).Sub(18)
		if it := &l.Items[i]; it.Op == scene.LineOp && it.Stroke.Color != theme.Find("dark").Faint && it.Stroke.Width >= thin {
			dashes[it.Stroke.Dash], hues[it.Stroke.Color] = true, true
		}
	}
	assert.Len(t, dashes, 3)
	assert.Len(t, hues, 3)
	assert.Subset(t, texts(l), []string{"28.39  11.32  4.33", "1 min", "5 min", "15 min", "runnable"})
}

func TestSpanOfPlotsCountsBackFromNow(t *testing.T) {
	v := fake.View("dark", 348, 144, 1000)
	v.Plots.Last = 10 * clock.Second
	assert.Subset(t, texts(draw(QueueLength{}, fake.T2000(12), v, geom.Rect{W: 348, H: 144})), []string{"−10 s", "−5 s"})
}

func TestDescriptions(t *testing.T) {
	v := fake.View("dark", 1120, 612, 1000)
	tip, full := fake.T2000(12), fake.T2000(32)
	describe := func(p Panel, f *sim.Frame) string { return p.Describe(f, v) }
	assert.Equal(t, "12 of 32 strands busy, 20 idle while 20 threads wait (r = 20). What waits may run on none of the idle ones: "+
		"a processor set or a binding keeps it off them.", describe(Strands{}, tip))
	assert.Equal(t, "32 of 32 strands busy, no thread waits (r = 0).", describe(Strands{}, full))
	assert.Equal(t, "4 of 4 strands busy, 246 threads wait (r = 246).", describe(Strands{}, fake.Hogs250()))
	assert.Equal(t, "Load average 28.39, 11.32, 4.33; over one minute that is 0.89 per CPU (32).", describe(LoadAverage{}, tip))
	assert.Equal(t, "CPU time in the last second: user 37 percent, system 0, idle 63. "+
		"Now 37.5 % of the strands are busy, 3 of 8 cores have work, and 36.9 % of the issue slots are used (a model).", describe(Utilisation{}, tip))
	assert.Equal(t, "20 threads wait to run; first in the queue is perl 1216 at priority 59.", describe(RunQueue{}, tip))
	assert.Equal(t, "The longest run queue so far was 20.", describe(QueueLength{}, tip))
	assert.Equal(t, "Nothing has waited in this run so far.", describe(QueueLength{}, full))
	assert.Equal(t, "ping woke 151 times; 149 got a CPU within the clock tick, the longest wait was 202 ms; on an idle machine 151 of 151 did. "+
		"bash has not woken yet.", describe(WakeLatency{}, fake.Hogs250()))
	assert.Equal(t, "From 10 to 1000 of loop the evaluations grow from 190 to 19,000 a second; the recalculated tasks stay at 19 and 19.",
		describe(Cost{}, fake.Hogs250()))
	for _, p := range All {
		for name, f := range frames() {
			if p.Height(f, 1000, 348, 0) == 0 {
				assert.Empty(t, p.Describe(f, v), "%s of %s", p.ID(), name)
				continue
			}
			assert.True(t, strings.HasSuffix(p.Describe(f, v), "."), "%s of %s", p.ID(), name)
		}
		assert.NotContains(t, LoadAverage{}.Describe(tip, v), "%", "load is no share")
	}
}

func TestSelectionIsDescribed(t *testing.T) {
	f, v := fake.T2000(12), fake.View("dark", 1120, 612, 1000)
	assert.Empty(t, DescribeSelection(f, v))
	v.Selected = act.Selection{Kind: act.StrandSelection, CPU: 14}
	assert.Equal(t, "Selected: cpu14, idle while threads wait that may not run on it.", DescribeSelection(f, v))
	v.Selected.CPU = 3
	assert.Equal(t, "Selected: cpu3, runs perl 1207.", DescribeSelection(f, v))
	v.Selected = act.Selection{Kind: act.ThreadSelection, Thread: 20}
	assert.Equal(t, "Selected: perl 1224, waiting.", DescribeSelection(f, v))
	v.Selected.Thread = 9999
	assert.Empty(t, DescribeSelection(f, v), "a selection of another run")
}

func TestIDsAreUnique(t *testing.T) {
	ids := map[string]bool{}
	for _, p := range All {
		assert.False(t, ids[p.ID()], p.ID())
		ids[p.ID()] = true
		assert.NotEmpty(t, p.Title())
	}
}

func TestACardOfOneStrandSaysCPUAndCounter(t *testing.T) {
	f := fake.Hogs250()
	l := texts(draw(Strands{}, f, fake.View("dark", 740, 200, 1000), geom.Rect{W: 740, H: Strands{}.Height(f, 1000, 740, 0)}))
	assert.Subset(t, l, []string{"cpu0", "cpu3", "counter 0", "counter 17", "loop 650"})
	assert.NotContains(t, l, "core 0")
	once := 0
	for _, text := range l {
		if text == "cpu0" {
			once++
		}
	}
	assert.Equal(t, 1, once)
}
