package panel

import (
	"crypto/sha256"
	"fmt"
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
	"strandscope/sim/sched"
)

func TestACoreIsTheMeanOfItsStrandsAndTotalsStay(t *testing.T) {
	f := fake.T2000(12)
	f.CPUs[2].Thread = sched.None // core 0: three of four
	f.Totals.Busy--
	v := fake.View("dark", 1120, 400, 1000)
	v.Cores = true
	l := draw(CoreView{}, f, v, geom.Rect{W: 1120, H: CoreView{}.Height(f, 1000, 1120, 0)})
	all := texts(l)
	assert.Contains(t, all, "core 0")
	assert.Contains(t, all, "75 % · 3 of 4")
	assert.Contains(t, all, "100 % · 4 of 4")
	assert.Contains(t, all, "0 % · 0 of 4")
	assert.Contains(t, strings.Join(all, "|"), "11 of 32 busy", "the strands are counted, not the cores")
	assert.NotContains(t, strings.Join(all, "|"), "cpu0")
}

// S-7: two busy threads on a machine of two cores with two strands each.
func TestTwoSpinnersOnTwoCoresAreHalfTheStrandsAndAllTheCores(t *testing.T) {
	f := fake.Frame(fake.Machine(1, 2, 2), "loop", 100, 2, 2)
	f.CPUs[1], f.CPUs[2] = f.CPUs[2], f.CPUs[1] // one on each core
	f.Totals.BusyCores = 2
	assert.Equal(t, "strands 50 % · cores 2 of 2", use(f)[2])
	assert.Contains(t, (CoreView{}).Describe(f, &act.View{}), "2 of 2 cores have work")
}

func TestACoreIsHatchedWhenAStrandOfItIdlesBesideWork(t *testing.T) {
	f := fake.T2000(12)
	v := fake.View("dark", 740, 400, 1000)
	l := draw(CoreView{}, f, v, geom.Rect{W: 740, H: CoreView{}.Height(f, 1000, 740, 0)})
	hatched := 0
	for i := range l.Items {
		if l.Items[i].Box.HatchPitch > 0 {
			hatched++
		}
	}
	assert.Equal(t, 5, hatched, "cores 3 to 7")
}

func TestAClickOnACoreMeansItsFirstStrand(t *testing.T) {
	f := fake.T2000(12)
	v := fake.View("dark", 740, 400, 1000)
	r := geom.Rect{W: 740, H: CoreView{}.Height(f, 1000, 740, 0)}
	for core := range f.Machine.Cores {
		at := CoreView{}.Where(act.Selection{Kind: act.StrandSelection, CPU: 4*core + 3}, f, v, r)
		require.False(t, at.Empty())
		c := CoreView{}.Handle(Input{Kind: Click, At: geom.Point{X: at.X + 3, Y: at.Y + 3}}, f, v, r)
		assert.Equal(t, act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: 4 * core, Thread: sched.None}}, c)
	}
	v.Cores, v.Hover = true, act.Selection{Kind: act.StrandSelection, CPU: 4}
	var l scene.List
	l.Reset(geom.Size{W: 740, H: 400}, scene.Fixed{})
	Tooltip(&l, f, v, geom.Rect{X: 10, Y: 10, W: 50, H: 50})
	assert.Contains(t, texts(&l)[0], "core 1: 4 of 4 strands busy")
}

// TestMachinesOfEverySizeAreReadable keeps the picture of each machine: cells with
// names, then cells, then a heat map. Long lists are kept as their ends and a sum.
func TestMachinesOfEverySizeAreReadable(t *testing.T) {
	for _, m := range []struct {
		strands, chips, cores, each int
		detail                      detail
		least                       int // width of a cell in pixels
	}{
		{1, 1, 1, 1, named, 50},
		{32, 1, 8, 4, named, 50},
		{64, 1, 8, 8, named, 50},
		{256, 4, 16, 4, numbered, 24},
		{1024, 16, 8, 8, plain, 6},
		{4096, 64, 8, 8, plain, 4},
	} {
		t.Run(fmt.Sprint(m.strands), func(t *testing.T) {
			f := fake.Frame(fake.Machine(m.chips, m.cores, m.each), "java", 10204, m.strands+m.strands/2, (m.strands+1)/2)
			require.Len(t, f.CPUs, m.strands)
			v := fake.View("dark", 740, 700, 1000)
			r := geom.Rect{W: 740, H: Strands{}.Height(f, 1000, 740, 0)}
			g := fit(f.Machine, 1000, geom.Rect{Y: headingHeight, W: 740, H: r.H - headingHeight})
			assert.Equal(t, m.detail, g.detail)
			for cpu := range f.CPUs {
				require.GreaterOrEqual(t, g.cell(cpu).W, m.least)
			}
			golden(t, fmt.Sprintf("strands-%d", m.strands), ends(draw(Strands{}, f, v, r).String()))
		})
	}
}

// ends shortens a long list of lines to its first and last ones and a digest.
func ends(list string) string {
	lines := strings.Split(strings.TrimSuffix(list, "\n"), "\n")
	if len(lines) <= 400 {
		return list
	}
	return fmt.Sprintf("%s\n… %d lines, SHA-256 of all %x\n%s\n", strings.Join(lines[:40], "\n"), len(lines)-60,
		sha256.Sum256([]byte(list)), strings.Join(lines[len(lines)-20:], "\n"))
}

func TestEveryClassHasASignInItsCellAndInTheLegend(t *testing.T) {
	f := fake.T2000(12)
	for i, class := range []string{"TS", "FSS", "FX", "IA", "RT", "SYS"} {
		f.Threads[i].Class = class
	}
	v := fake.View("projector", 740, 400, 1000)
	cells := texts(draw(Strands{}, f, v, geom.Rect{W: 740, H: Strands{}.Height(f, 1000, 740, 0)}))
	legend := texts(legendOf(f, v, 740))
	for _, class := range []string{"TS", "FSS", "FX", "IA", "RT", "SYS"} {
		assert.Contains(t, cells, theme.Sign(class), class)
		assert.Contains(t, legend, class)
		assert.Contains(t, legend, theme.Sign(class), class)
	}
	assert.Contains(t, legend, "idle while work waits")
	assert.NotContains(t, legend, "off-line")
	f.CPUs[31].Online = false
	assert.Contains(t, texts(legendOf(f, v, 740)), "off-line")
	for w := 40; w < 740; w += 20 {
		l := legendOf(f, v, w)
		for i := range l.Items {
			at := l.Bounds(&l.Items[i])
			assert.LessOrEqual(t, at.Right(), w)
			assert.LessOrEqual(t, at.Bottom(), LegendHeight(1000, w))
		}
	}
}

func legendOf(f *sim.Frame, v *act.View, w int) *scene.List {
	var l scene.List
	l.Reset(geom.Size{W: w, H: 100}, scene.Fixed{})
	Legend(&l, f, v, geom.Rect{W: w, H: LegendHeight(theme.ScaleOf(v.ScalePermille), w)})
	return &l
}

func TestTheLadderCountsWhatRunsAndWaitsAtEachPriority(t *testing.T) {
	f := fake.T2000(12)
	n := standingOf(f)
	running, waiting := 0, 0
	for i := range levels {
		running += n.running[i]
		waiting += n.waiting[i]
	}
	assert.Equal(t, 12, running)
	assert.Equal(t, 20, waiting)
	assert.Equal(t, "Of the priorities 0 to 169, threads run at 39 to 59, threads wait at 39 to 59.", (Ladder{}).Describe(f, nil))
	f.Threads[0].Priority = 400 // what no kernel has is drawn at the top
	assert.Equal(t, 1, func() int { n := standingOf(f); return n.running[levels-1] }())
	f.Scenario.Kernel = "linux22"
	assert.Zero(t, Ladder{}.Height(f, 1000, 348, 0), "no other kernel has that scale")
	f.Scenario.Kernel = "solaris10"
	assert.Positive(t, Ladder{}.Height(f, 1000, 348, 0))
}

func TestTheLadderMarksTheThreadThatIsSelected(t *testing.T) {
	f := fake.T2000(12)
	v := fake.View("dark", 348, 200, 1000)
	plain := texts(draw(Ladder{}, f, v, geom.Rect{W: 348, H: 144}))
	assert.Contains(t, plain, "waiting up to 59")
	v.Selected = act.Selection{Kind: act.StrandSelection, CPU: 1}
	assert.Contains(t, texts(draw(Ladder{}, f, v, geom.Rect{W: 348, H: 144})), "perl 1205 at 49")
}
