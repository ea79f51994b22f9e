package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim"
)

func TestWhatDiffersBetweenTwoRunsIsSaid(t *testing.T) {
	set := func(id string, s ...sim.Setting) sim.RunFacts { return openWith(t, id, s...).Facts() }
	kernel := sim.Setting{Key: "explanation", Value: "kernel"}
	unset, fss := set("t2000-unset"), set("t2000-fss")
	for _, x := range []struct {
		a, b   sim.RunFacts
		titles [2]string
		text   string
	}{
		{unset, fss, [2]string{"default class not set", "FSS"}, "Default class (A not set, B FSS)."},
		{
			unset, set("t2000-unset", kernel),
			[2]string{"default class not set", "default class not set, as the sources say"},
			"Explanation of “not set” (A pset, B kernel).",
		},
		{
			set("linux22-250-hogs"), set("linux227-250-hogs"),
			[2]string{"Linux 2.2.8 · 250 CPU hogs on 4 CPUs", "Linux 2.2.7 · the same 250 hogs, the scheduler before"},
			"Scenario (A “Linux 2.2.8 · 250 CPU hogs on 4 CPUs”, B “Linux 2.2.7 · the same 250 hogs, the scheduler before”); kernel (A linux-2.2.8, B linux-2.2.7).",
		},
		{fss, fss, [2]string{"FSS", "FSS"}, "Nothing differs between the sides yet."},
	} {
		assert.Equal(t, x.titles, sim.Titles(&x.a, &x.b))
		assert.Equal(t, x.text, x.a.DiffersFrom(x.b))
	}
	typed := fss
	typed.Typed = []sim.Setting{{Key: "type@4000000000ns", Value: "psradm -f 3"}, {Key: "remark@5s", Value: "ours"}}
	assert.Equal(t, [2]string{"FSS", "FSS, changed"}, sim.Titles(&fss, &typed))
	assert.Equal(t, "What was typed (A none, B “psradm -f 3” at 00:00:04.00).", fss.DiffersFrom(typed))
}
