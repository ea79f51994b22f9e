package render_test

import (
	"os"
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

// beside is the tip beside FSS, with the focus on the right.
func beside(theme string, width, height, scale int) (*sim.Frame, *act.View) {
	f := fake.T2000(32)
	f.Beside = fake.T2000(12)
	v := fake.View(theme, width, height, scale)
	v.Sides = act.Sides{Right: true, Titles: [2]string{"default class not set", "FSS"}}
	return f, v
}

func TestTwoSidesAreDrawnAsInTheGoldenLists(t *testing.T) {
	s := render.NewScreen()
	for name, size := range map[string][2]int{"beside-1440": {1440, 660}, "beside-390": {390, 1500}} {
		f, v := beside("dark", size[0], size[1], 1000)
		var l scene.List
		s.Draw(&l, f, v, scene.Fixed{})
		path := filepath.Join("testdata", name+".txt")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(l.String()), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), l.String(), name)
	}
}

func TestEachSideKeepsToItsPartOfThePicture(t *testing.T) {
	s := render.NewScreen()
	for _, scale := range []int{1000, 1500, 2000} {
		for css := 320; css <= 1920; css += 80 {
			w := css * scale / 1000
			f, v := beside("light", w, 0, scale)
			v.Height = s.Height(f, v)
			var l scene.List
			s.Draw(&l, f, v, scene.Fixed{})
			picture := geom.Rect{W: w, H: v.Height}
			for i := range l.Items {
				if it := &l.Items[i]; it.Op == scene.TextOp || it.Op == scene.RectOp {
					require.True(t, picture.Contains(l.Bounds(it)), "%d at %d: %v %q leaves %v", css, scale, l.Bounds(it), l.Bytes(it), picture)
				}
			}
			text := l.String()
			require.Contains(t, text, `"A · def`)
			require.Contains(t, text, `"B · FSS"`)
			require.Contains(t, text, `r = 20"`)
			require.Contains(t, text, `r = 0"`)
			require.Equal(t, geom.Size{W: w, H: v.Height}, l.Size())
		}
	}
}

func TestAPointBelongsToTheSideThatIsDrawnThere(t *testing.T) {
	s := render.NewScreen()
	f, v := beside("dark", 1440, 660, 1000)
	assert.False(t, s.SideAt(300, 200, f, v))
	assert.True(t, s.SideAt(1100, 200, f, v))
	cell := s.Cell(31, f, v)
	require.False(t, cell.Empty())
	assert.Greater(t, cell.X, 720, "the side in focus is the right one")
	c := s.Click(cell.X+3, cell.Y+3, f, v)
	assert.Equal(t, act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: 31, Thread: sched.None}}, c)

	f, v = beside("dark", 390, 1500, 1000)
	assert.False(t, s.SideAt(100, 200, f, v))
	assert.True(t, s.SideAt(100, 1200, f, v))
	f.Beside = nil
	assert.False(t, s.SideAt(100, 1200, f, v))
}

func TestBothSidesShowTheSameTimeAndTheSameScale(t *testing.T) {
	s := render.NewScreen()
	f, v := beside("dark", 1440, 660, 1000)
	l, other := s.Look(f, v, f.Now), s.LookBeside(f, v, f.Now)
	assert.Equal(t, l.Timeline.From, other.Timeline.From)
	assert.Equal(t, l.Timeline.To, other.Timeline.To)
	f.Beside = fake.Hogs250() // eight times the load
	ticks := func(f *sim.Frame) string {
		var list scene.List
		list.Reset(geom.Size{W: 600, H: 130}, scene.Fixed{})
		w := *v
		w.Width, w.Height = 600, 130
		panel.LoadAverage{}.Draw(&list, f, &w, geom.Rect{W: 600, H: 130})
		var said []string
		for i := range list.Items {
			if it := &list.Items[i]; it.Op == scene.TextOp && it.X < 60 && it.Y > 30 {
				said = append(said, string(list.Bytes(it)))
			}
		}
		return strings.Join(said, " ")
	}
	right, left := *f, *f.Beside
	left.Beside = f
	assert.Equal(t, ticks(&left), ticks(&right))
	right.Beside = nil
	assert.NotEqual(t, ticks(&left), ticks(&right), "alone it would have another scale")
}

func TestBothSidesAreToldInWords(t *testing.T) {
	f, v := beside("dark", 1440, 660, 1000)
	text := render.NewScreen().Describe(f, v)
	assert.True(t, strings.HasPrefix(text, "Two runs on one clock, at 00:02:31.40. A, default class not set: 12 of 32 strands"), text)
	assert.Contains(t, text, " B, FSS, in focus: ")
}

func TestThePanelsOfAComparisonTellBothSidesInWords(t *testing.T) {
	s := render.NewScreen()
	f, v := beside("dark", 1440, 800, 1000)
	var ids []string
	for _, p := range s.Panels(f, v) {
		ids = append(ids, p.Panel.ID())
		alone := p.Panel.Describe(f, v)
		other := p.Panel.Describe(f.Beside, v)
		assert.Contains(t, []string{"A: " + alone + " B: " + other, "A: " + other + " B: " + alone}, p.Words)
		if p.Panel.ID() == "strands" {
			require.NotEqual(t, alone, other, "the sides differ")
		}
	}
	assert.Equal(t, []string{"strands", "timeline", "loadavg"}, ids)
}
