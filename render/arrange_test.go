package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render"
	"strandscope/render/act"
	"strandscope/render/internal/fake"
	"strandscope/render/panel"
	"strandscope/render/scene"
)

func TestPanelsHaveTheNamesThatMessagesUse(t *testing.T) {
	var ids []string
	for _, p := range panel.All {
		ids = append(ids, p.ID())
	}
	assert.Equal(t, act.PanelIDs, ids)
	assert.Equal(t, panel.Strands{}.ID(), panel.CoreView{}.ID())
}

func arranged(t *testing.T, w int, p act.Panels) (ids []string) {
	t.Helper()
	s, f := render.NewScreen(), fake.T2000(12)
	v := fake.View("dark", w, 0, 1000)
	mine, err := v.Apply(act.Arrange{Panels: p}, 0, len(f.CPUs))
	require.True(t, mine)
	require.NoError(t, err)
	v.Height = s.Height(f, v)
	for _, p := range s.Layout(f, v) {
		require.LessOrEqual(t, p.Rect.Bottom(), v.Height)
		ids = append(ids, p.Panel.ID())
	}
	return ids
}

func TestPanelsAreHiddenReorderedAndEnlarged(t *testing.T) {
	assert.Equal(t, []string{"runqueue", "timeline", "loadavg", "utilisation", "rqlen", "ladder"},
		arranged(t, 1120, act.Panels{Hidden: []string{"strands"}}))
	assert.Equal(t, []string{"timeline", "strands", "runqueue", "ladder", "loadavg", "utilisation", "rqlen"},
		arranged(t, 1120, act.Panels{Order: []string{"timeline", "ladder"}}))
	assert.Equal(t, []string{"timeline", "ladder", "strands", "runqueue", "loadavg", "utilisation", "rqlen"},
		arranged(t, 400, act.Panels{Order: []string{"timeline", "ladder"}}), "in one column the order is one")
	assert.Equal(t, []string{"loadavg"}, arranged(t, 1120, act.Panels{Large: "loadavg", Hidden: []string{"loadavg"}}))
	assert.Len(t, arranged(t, 1120, act.Panels{Large: "wakes"}), 7, "a panel that has nothing to show cannot fill the picture")
}

func TestACompactPictureIsLowAndHasTwoColumnsFromALesserWidthOn(t *testing.T) {
	few := act.Panels{Hidden: []string{"timeline", "utilisation", "rqlen", "ladder"}, Compact: true}
	s, f := render.NewScreen(), fake.T2000(12)
	for w, most := range map[int]int{320: 680, 480: 680, 560: 450, 640: 450, 899: 450, 1200: 500} {
		require.Equal(t, []string{"strands", "runqueue", "loadavg"}, arranged(t, w, few), w)
		v := fake.View("light", w, 0, 1000)
		v.Panels = few
		v.Height = s.Height(f, v)
		assert.LessOrEqual(t, v.Height, most, w)
		placed := s.Layout(f, v)
		strands, plot := placed[0].Rect, placed[2].Rect
		assert.Equal(t, w >= 560, plot.X > strands.Right(), w)
		assert.LessOrEqual(t, plot.Right(), w)
		assert.GreaterOrEqual(t, plot.W, 180, w)
	}
	arranged(t, 640, act.Panels{Compact: true}) // all of them: nothing is cut off
}

func TestAnEnlargedPanelFillsThePicture(t *testing.T) {
	s, f := render.NewScreen(), fake.T2000(12)
	for _, id := range []string{"strands", "timeline", "ladder", "loadavg"} {
		v := fake.View("dark", 1120, 0, 1000)
		v.Panels.Large = id
		v.Height = s.Height(f, v)
		require.GreaterOrEqual(t, v.Height, 560)
		r := s.Layout(f, v)[0].Rect
		assert.Greater(t, r.W, 1050, id)
		assert.Greater(t, r.H, v.Height*9/10-20, id)
	}
}

func TestAWrongArrangementIsRefusedInASentence(t *testing.T) {
	for want, p := range map[string]act.Panels{
		`panels: hidden is "strand", want one of strands, runqueue, gantt`: {Hidden: []string{"strand"}},
		`panels: order names the panel "rqlen" twice`:                      {Order: []string{"rqlen", "rqlen"}},
		`panels: large is "x", want one of`:                                {Large: "x"},
		`panels: hidden names every panel; one at least must stay`:         {Hidden: act.PanelIDs},
	} {
		v := fake.View("dark", 1, 1, 1000)
		mine, err := v.Apply(act.Arrange{Panels: p}, 0, 1)
		assert.True(t, mine)
		require.ErrorContains(t, err, want)
		assert.Empty(t, v.Panels, "a refusal changes nothing")
	}
}

func TestEveryPanelIsDescribedAlsoWhenItIsHidden(t *testing.T) {
	s, f := render.NewScreen(), fake.T2000(12)
	v := fake.View("dark", 1120, 700, 1000)
	v.Panels.Hidden, v.Cores = []string{"ladder"}, true
	all := s.Panels(f, v)
	require.Len(t, all, 7)
	assert.Equal(t, "Cores", all[0].Panel.Title())
	for _, p := range all {
		assert.NotEmpty(t, p.Words, p.Panel.ID())
		assert.Equal(t, p.Panel.ID() != "ladder", p.Shown)
	}
	assert.NotContains(t, s.Describe(f, v), "Of the priorities")
}

func TestTheLegendOfANarrowPictureStandsAtTheTop(t *testing.T) {
	for width, top := range map[int]bool{390: true, 820: true, 1120: false} {
		var l scene.List
		s, f := render.NewScreen(), fake.T2000(12)
		v := fake.View("dark", width, 0, 1000)
		v.Height = s.Height(f, v)
		s.Draw(&l, f, v, scene.Fixed{})
		at := -1
		for i := range l.Items {
			if it := &l.Items[i]; it.Op == scene.TextOp && string(l.Bytes(it)) == "idle while work waits" {
				at = it.Y
			}
		}
		require.Positive(t, at, "%d wide", width)
		assert.Equal(t, top, at < 60, "%d wide", width)
		for _, p := range s.Layout(f, v) {
			assert.False(t, p.Rect.Y < at && p.Rect.Bottom() > at, "%s lies over the legend at %d", p.Panel.ID(), width)
		}
	}
}
