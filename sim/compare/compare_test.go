package compare_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/compare"
)

// figures are random; now and then one is 0, which leaves some values unknown.
func figures(rnd *rand.Rand) *compare.Figures {
	n := func(most int64) int64 {
		if rnd.IntN(8) == 0 {
			return 0
		}
		return rnd.Int64N(most + 1)
	}
	d := func() clock.Duration { return clock.Duration(n(1 << 60)) }
	f := &compare.Figures{
		Now: clock.Time(n(1 << 55)), Strands: n(4096), Busy: n(4096), Waiting: n(100_000),
		Slots: n(1000), Load: [3]int64{n(1 << 30), n(1 << 30), n(1 << 30)},
		OnlineTime: d(), BusyTime: d(), UserTime: d(), SystemTime: d(),
		CoreTime: d(), BusyCoreTime: d(), Waited: d(), IdleBeside: d(), Work: d(),
		Switches: n(1 << 60), Involuntary: n(1 << 60), Moves: n(1 << 60),
		Wakes: n(3), P50: d(), P99: d(),
	}
	for id := range n(3) {
		f.Projects = append(f.Projects, compare.Project{
			ID: int(id), Name: string(rune('a' + id)), Fair: n(1) == 1, Shares: n(1000), Entitled: d(), Received: d(),
		})
	}
	return f
}

func negated(text string) string {
	switch {
	case strings.HasPrefix(text, "+"):
		return "−" + text[1:]
	case strings.HasPrefix(text, "−"):
		return "+" + strings.TrimPrefix(text, "−")
	}
	return text
}

func TestSwappingTheSidesNegatesEveryDifference(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 2780))
	for range 2000 {
		a, b := figures(rnd), figures(rnd)
		ab, ba := compare.Table(a, b), compare.Table(b, a)
		require.Len(t, ba, len(ab))
		for i := range ab {
			x, y := &ab[i], &ba[i]
			require.Equal(t, x.ID, y.ID)
			require.Equal(t, x.Left, y.Right)
			require.Equal(t, x.Right, y.Left)
			require.Equal(t, x.Difference().Known, y.Difference().Known)
			require.Equal(t, -x.Difference().N, y.Difference().N)
			require.Equal(t, negated(x.DifferenceText()), y.DifferenceText())
		}
	}
}

func TestADifferenceIsThatOfWhatOneReads(t *testing.T) {
	a := &compare.Figures{Now: 3, Waited: 1, OnlineTime: 3, BusyTime: 1}
	b := &compare.Figures{Now: 3, Waited: 2, OnlineTime: 3, BusyTime: 2}
	for _, r := range compare.Table(a, b) {
		switch r.ID {
		case "strands":
			assert.Equal(t, []string{"33.3", "66.7", "+33.4"}, []string{r.Text(r.Left), r.Text(r.Right), r.DifferenceText()})
		case "queue":
			assert.Equal(t, []string{"0.33", "0.67", "+0.34"}, []string{r.Text(r.Left), r.Text(r.Right), r.DifferenceText()})
		}
	}
}

func TestWhatIsNotKnownHasNoDifference(t *testing.T) {
	a := &compare.Figures{}
	b := &compare.Figures{Now: 1, OnlineTime: 1, Wakes: 1, P50: clock.Millisecond}
	known := map[string]compare.Row{}
	for _, r := range compare.Table(a, b) {
		known[r.ID] = r
	}
	for _, id := range []string{"strands", "p50", "queue"} {
		r := known[id]
		assert.False(t, r.Difference().Known, id)
		assert.Equal(t, "–", r.DifferenceText(), id)
	}
	r := known["p50"]
	assert.Equal(t, "1.000", r.Text(r.Right))
}

func TestProjectsAreComparedWhereBothHaveThem(t *testing.T) {
	p := func(id int, received clock.Duration) compare.Project {
		return compare.Project{ID: id, Name: "p", Fair: id == 1, Shares: 3, Entitled: 50, Received: received}
	}
	a := &compare.Figures{OnlineTime: 100, Projects: []compare.Project{p(1, 60), p(2, 1)}}
	b := &compare.Figures{OnlineTime: 200, Projects: []compare.Project{p(1, 50), p(3, 1)}}
	var got []string
	for _, r := range compare.Table(a, b) {
		if strings.HasPrefix(r.ID, "project-") {
			got = append(got, r.Label()+" "+r.Text(r.Left)+" "+r.Text(r.Right)+" "+r.DifferenceText())
		}
	}
	assert.Equal(t, []string{
		"project p: shares 3 3 0", "project p: entitled, % 50.00 25.00 −25.00", "project p: received, % 60.00 25.00 −35.00",
	}, got)
}

func TestTheTextStandsInColumns(t *testing.T) {
	rows := []compare.Row{
		{Name: "waiting", Left: compare.Value{N: 20, Known: true}, Right: compare.Value{Known: true}},
		{Name: "load", Unit: "threads", Places: 2, Left: compare.Value{N: 5, Known: true}, Right: compare.Value{N: -1234, Known: true}},
	}
	assert.Equal(t, ""+
		"                  A       B  difference\n"+
		"waiting          20       0         −20\n"+
		"load, threads  0.05  −12.34      −12.39\n", compare.Text(rows, "A", "B"))
}
