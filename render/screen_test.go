package render_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render"
	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/internal/fake"
	"strandscope/render/panel"
	"strandscope/render/scene"
	"strandscope/sim"
	"strandscope/sim/sched"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func frames() map[string]*sim.Frame {
	return map[string]*sim.Frame{
		"tip":  fake.T2000(12),
		"full": fake.T2000(32),
		"hogs": fake.Hogs250(),
		"4096": fake.Frame(fake.Machine(64, 8, 8), "java", 10204, 6000, 3000),
	}
}

func TestLayoutKeepsPanelsInThePictureAndApart(t *testing.T) {
	s := render.NewScreen()
	for name, f := range frames() {
		want := 7
		if len(f.Probes) > 0 && f.Curve != nil {
			want = 8 // no ladder of priorities, but those that only some scenarios have, too
		}
		for _, scale := range []int{1000, 1250, 1500, 2000, 3000} {
			for css := 320; css <= 1920; css += 50 {
				w := css * scale / 1000
				h := s.Height(f, fake.View("dark", w, 0, scale))
				for _, height := range []int{h, h + 200*scale/1000} {
					placed := s.Layout(f, fake.View("dark", w, height, scale))
					require.Len(t, placed, want)
					picture := geom.Rect{W: w, H: height}
					for i, p := range placed {
						require.True(t, picture.Contains(p.Rect), "%s: %s at %v leaves %v", name, p.Panel.ID(), p.Rect, picture)
						least := p.Panel.MinSize().H * scale / 1000
						require.GreaterOrEqual(t, p.Rect.H+1, least, "%s: %s at %d", name, p.Panel.ID(), css)
						for _, q := range placed[:i] {
							require.True(t, p.Rect.Intersect(q.Rect).Empty(), "%s: %s over %s at %d", name, p.Panel.ID(), q.Panel.ID(), css)
						}
					}
				}
			}
		}
	}
}

func TestWideAndNarrowLayout(t *testing.T) {
	s := render.NewScreen()
	ids := func(w int) (all []string) {
		for _, p := range s.Layout(fake.T2000(12), fake.View("dark", w, 1300, 1000)) {
			col := "left "
			if p.Rect.X > w/2 {
				col = "right "
			}
			all = append(all, col+p.Panel.ID())
		}
		return all
	}
	assert.Equal(t, []string{"left strands", "left runqueue", "left timeline", "right loadavg", "right utilisation", "right rqlen", "right ladder"}, ids(1120))
	assert.Equal(t, []string{"left strands", "left runqueue", "left timeline", "left loadavg", "left utilisation", "left rqlen", "left ladder"}, ids(400))
	side := s.Layout(fake.T2000(12), fake.View("dark", 1120, 612, 1000))[3].Rect
	assert.Equal(t, 348, side.W)
}

func TestHeightNeverShrinksDuringARun(t *testing.T) {
	s := render.NewScreen()
	f := fake.T2000(12)
	before := s.Height(f, fake.View("dark", 320, 0, 1000))
	f.Totals.Waiting, f.Queues = 0, nil
	assert.Equal(t, before, s.Height(f, fake.View("dark", 320, 0, 1000)), "the longest queue so far counts")
}

func TestDrawingIsPureAndFillsThePicture(t *testing.T) {
	s := render.NewScreen()
	for name, f := range frames() {
		v := fake.View("light", 1120, 700, 1250)
		var a, b scene.List
		fake.Look(f, s.Look(f, v, f.Now))
		s.Draw(&a, f, v, scene.Fixed{})
		render.NewScreen().Draw(&b, f, v, scene.Fixed{})
		assert.Equal(t, a.String(), b.String(), name)
		assert.Equal(t, geom.Rect{W: 1120, H: 700}, a.Items[0].Rect, "the ground covers what was there before")
	}
}

func TestPictureOfTheTechTip(t *testing.T) {
	var l scene.List
	v := fake.View("dark", 1120, 612, 1000)
	v.Selected = act.Selection{Kind: act.StrandSelection, CPU: 14, Thread: sched.None}
	s, f := render.NewScreen(), fake.T2000(12)
	fake.Look(f, s.Look(f, v, f.Now))
	s.Draw(&l, f, v, scene.Fixed{})
	golden(t, filepath.Join("testdata", "tip-1120.txt"), l.String())
}

func TestNothingToDrawIsNoError(t *testing.T) {
	s := render.NewScreen()
	var l scene.List
	v := fake.View("dark", 320, 200, 1000)
	for _, f := range []*sim.Frame{nil, {}} {
		s.Draw(&l, f, v, scene.Fixed{})
		assert.Len(t, l.Items, 1)
		assert.Nil(t, s.Click(10, 10, f, v))
		assert.Equal(t, "No run is loaded.", s.Describe(f, v))
		assert.Positive(t, s.Height(f, fake.View("dark", 320, 0, 1000)))
	}
}

func TestClickAndHoverFindTheStrand(t *testing.T) {
	s := render.NewScreen()
	f, v := fake.T2000(12), fake.View("dark", 1120, 612, 1000)
	sel, ok := s.Click(600, 150, f, v).(act.Select)
	require.True(t, ok)
	assert.Equal(t, act.StrandSelection, sel.Kind)
	assert.Equal(t, 14, sel.CPU)
	assert.Equal(t, sel.Selection, s.Hover(600, 150, f, v))
	assert.Equal(t, act.Selection{}, s.Hover(745, 5, f, v))
	assert.Nil(t, s.Click(900, 100, f, v), "plots take no clicks")
	assert.Nil(t, s.Click(-5, 9999, f, v))
}

func TestAStrandThatIsDraggedOutGoesOffLineAndOneThatIsComesBack(t *testing.T) {
	s := render.NewScreen()
	f, v := fake.T2000(12), fake.View("dark", 1120, 612, 1000)
	from, out := geom.Point{X: 600, Y: 150}, geom.Point{X: 600, Y: 600}
	drag := func(to geom.Point, done bool) act.Command {
		return s.Drag(panel.Input{Kind: panel.Drag, Start: from, At: to, Done: done}, f, v)
	}
	chosen := act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: 14, Thread: sched.None}}
	assert.Equal(t, chosen, drag(out, false), "it is shown which")
	f.CPUs[14].Online = true
	assert.Equal(t, act.Do{Line: "psradm -f 14"}, drag(out, true))
	f.CPUs[14].Online = false
	assert.Equal(t, act.Do{Line: "psradm -n 14"}, drag(out, true))
	assert.Equal(t, chosen, drag(geom.Point{X: 610, Y: 152}, true), "let go inside: nothing is changed")
	from = geom.Point{X: 745, Y: 5}
	assert.Nil(t, drag(out, true), "not from beside a strand")
}

func TestCellIsWhereTheStrandIsHit(t *testing.T) {
	s := render.NewScreen()
	f, v := fake.T2000(12), fake.View("dark", 840, 1200, 1500)
	for cpu := range f.CPUs {
		r := s.Cell(cpu, f, v)
		for _, at := range []geom.Point{{X: r.X, Y: r.Y}, {X: r.Right() - 1, Y: r.Bottom() - 1}} {
			assert.Equal(t, cpu, s.Hover(at.X, at.Y, f, v).CPU)
		}
	}
	assert.True(t, s.Cell(32, f, v).Empty())
	assert.True(t, s.Cell(-1, f, v).Empty())
}

func TestTooltipNamesWhatIsPointedAtAndStaysInThePicture(t *testing.T) {
	s := render.NewScreen()
	for _, w := range []int{320, 1120} {
		f, v := fake.T2000(12), fake.View("dark", w, 0, 1000)
		v.Height = s.Height(f, fake.View("dark", w, 0, 1000))
		var l scene.List
		for cpu := range f.CPUs {
			v.Hover = act.Selection{Kind: act.StrandSelection, CPU: cpu, Thread: sched.None}
			s.Draw(&l, f, v, scene.Fixed{})
			n := len(l.Items)
			assert.True(t, strings.HasPrefix(string(l.Bytes(&l.Items[n-1])), "cpu"), "the last thing drawn")
			assert.True(t, geom.Rect{W: v.Width, H: v.Height}.Contains(l.Items[n-2].Rect))
			assert.True(t, l.Items[n-2].Rect.Contains(l.Bounds(&l.Items[n-1])))
			assert.True(t, l.Items[n-2].Rect.Intersect(s.Cell(cpu, f, v)).Empty(), "beside the cell")
		}
		v.Hover = act.Selection{Kind: act.ThreadSelection, Thread: 20}
		s.Draw(&l, f, v, scene.Fixed{})
		assert.Equal(t, "perl 1224: waiting", string(l.Bytes(&l.Items[len(l.Items)-1])))
	}
}

func TestDescribeBeginsWithWhatMatters(t *testing.T) {
	text := render.NewScreen().Describe(fake.T2000(12), fake.View("dark", 1120, 612, 1000))
	assert.True(t, strings.HasPrefix(text, "12 of 32 strands busy, 20 idle while 20 threads wait (r = 20). "), text)
	assert.Contains(t, text, "Load average 28.39, 11.32, 4.33; over one minute that is 0.89 per CPU (32).")
	assert.Less(t, strings.Index(text, "Load average"), strings.Index(text, "first in the queue"))
}
