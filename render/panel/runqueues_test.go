package panel

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/internal/fake"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// ranOn is a frame of a scenario on one of its kernels.
func ranOn(t *testing.T, id, kernel string, d clock.Duration) *sim.Frame {
	t.Helper()
	s, err := sim.Open(id, sim.Setting{Key: "kernel", Value: kernel})
	require.NoError(t, err)
	require.NoError(t, s.Advance(d))
	return s.Frame()
}

func TestUnderO1EachCPUHasTwoArraysOfWhichTheExpiredStandsBack(t *testing.T) {
	f := ranOn(t, "hogs-through-the-ages", "linux-2.6.22", 12*clock.Second)
	v := fake.View("dark", 740, 400, 1000)
	l := draw(RunQueue{}, f, v, geom.Rect{W: 740, H: 400})
	all := texts(l)
	for _, want := range []string{"cpu0 active", "cpu3 active", "expired", "RUN QUEUE — TWO ARRAYS FOR EACH CPU, BY PRIORITY"} {
		assert.Contains(t, all, want)
	}
	lines := linesOf(f)
	require.Len(t, lines, 8)
	expired, most := 0, 0
	for i := range lines {
		assert.Equal(t, i%2 == 1, lines[i].expired)
		if lines[i].expired {
			expired += lines[i].count()
		}
		most += lines[i].count()
		// In order of priority, as the kernel finds them.
		for k := 1; k < lines[i].count(); k++ {
			assert.LessOrEqual(t, thread(f, lines[i].at(k-1)).Priority, thread(f, lines[i].at(k)).Priority)
		}
	}
	assert.Equal(t, f.Totals.Waiting, most)
	assert.Positive(t, expired)
	assert.Contains(t, RunQueue{}.Describe(f, v), "Of them "+itoa(expired)+" are in expired arrays.")
	back := 0
	for i := range l.Items {
		if l.Items[i].Box.Fill == theme.Find("dark").Idle {
			back++
		}
	}
	assert.Positive(t, back)
}

func TestATreeStandsInItsOrderAndTellsWhoIsEligible(t *testing.T) {
	for kernel, heading := range map[string]string{
		"linux-2.6.24": "RUN QUEUE — A TREE FOR EACH CPU, BY VIRTUAL RUNTIME", "linux-6.1": "RUN QUEUE — A TREE FOR EACH CPU, BY VIRTUAL RUNTIME",
		"linux-6.12": "RUN QUEUE — A TREE FOR EACH CPU, BY VIRTUAL DEADLINE",
	} {
		f := ranOn(t, "hogs-through-the-ages", kernel, 12*clock.Second)
		lines := linesOf(f)
		require.Len(t, lines, 4, kernel)
		for i := range lines {
			for k := 1; k < lines[i].count(); k++ {
				assert.LessOrEqual(t, thread(f, lines[i].at(k-1)).Key, thread(f, lines[i].at(k)).Key, "%s: cpu%d", kernel, i)
			}
		}
		v := fake.View("light", 740, 400, 1000)
		all := texts(draw(RunQueue{}, f, v, geom.Rect{W: 740, H: 400}))
		assert.Contains(t, all, heading)
		_, eligible := waitingIn(f, lines)
		if kernel == "linux-6.12" {
			assert.Less(t, eligible, f.Totals.Waiting)
			assert.Contains(t, all, "246 waiting · "+itoa(eligible)+" eligible")
			assert.Contains(t, RunQueue{}.Describe(f, v), "Of them "+itoa(eligible)+" are eligible.")
		} else {
			assert.Equal(t, f.Totals.Waiting, eligible, "nobody asks there")
		}
	}
}

// On one CPU there is room for how far each is behind the first.
func TestOnOneCPUBoxesHaveTheirPlaceInVirtualTime(t *testing.T) {
	f := ranOn(t, "nice-means-what", "linux-6.1", 5*clock.Second)
	all := strings.Join(texts(draw(RunQueue{}, f, fake.View("dark", 600, 120, 1000), geom.Rect{W: 600, H: 120})), " ")
	assert.Contains(t, all, "+0.0 ")
	assert.Regexp(t, `\+\d+(\.\d)? `, all)
}

func TestATaskInALineIsFoundWhereItIsDrawn(t *testing.T) {
	f := ranOn(t, "hogs-through-the-ages", "linux-6.12", 12*clock.Second)
	v := fake.View("dark", 740, 400, 1000)
	r := geom.Rect{X: 10, Y: 20, W: 700, H: RunQueue{}.Height(f, theme.ScaleOf(1000), 700, 0)}
	for i, n := range linesOf(f) {
		sel := act.Selection{Kind: act.ThreadSelection, CPU: sched.NoCPU, Thread: n.at(1)}
		at := RunQueue{}.Where(sel, f, v, r)
		require.False(t, at.Empty(), "cpu%d", i)
		assert.True(t, at.Y >= r.Y && at.Bottom() <= r.Bottom())
		in := Input{At: geom.Point{X: at.X + at.W/2, Y: at.Y + at.H/2}}
		assert.Equal(t, act.Select{Selection: sel}, RunQueue{}.Handle(in, f, v, r))
	}
	assert.Equal(t, "+3.2", string(appendMillis(nil, 3299)))
	assert.Equal(t, "-12", string(appendMillis(nil, -12345)))
}
