package panel

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/internal/fake"
	"strandscope/render/scene"
	"strandscope/sim"
	"strandscope/sim/clock"
)

func drawGantt(f *sim.Frame, w int) *scene.List {
	return drawn(Gantt{}, f, fake.View("light", w, 400, 1000), geom.Rect{W: w, H: Gantt{}.Height(f, 1000, w, 0)})
}

func TestTheChartHasTheBooksOrderAndTimes(t *testing.T) {
	l := drawGantt(bookFrame("textbook-rr", 24*clock.Second), 740)
	all := texts(l)
	require.Equal(t, "means: wait 37/4  turnaround 59/4  response 3/4", all[0])
	assert.Equal(t, "ABACBDACBDACDACDCDCDCC", all[len(all)-1])
	names, times := "", []string{}
	for _, s := range all[2 : len(all)-1] {
		if strings.Trim(s, "0123456789") == "" {
			times = append(times, s)
		} else {
			names += s
		}
	}
	assert.Equal(t, "ABACBDACBDACDACDCDCDC", names, "the last bar is of two units")
	assert.Equal(t, []string{"0", "1", "2"}, times[:3])
	assert.Equal(t, "22", times[len(times)-1])
}

func TestAChartTooLongForItsRoomShowsItsEnd(t *testing.T) {
	all := texts(drawGantt(bookFrame("textbook-rr", 15*clock.Second), 110))
	assert.NotContains(t, all[2:len(all)-1], "0", "it begins later")
	assert.Contains(t, strings.Join(all, " "), "15")
	assert.True(t, strings.HasSuffix(all[len(all)-1], "…"), "the order is cut: %s", all[len(all)-1])
}

func TestABarIsAskedAbout(t *testing.T) {
	f := bookFrame("textbook-rr", 24*clock.Second)
	v, r := fake.View("light", 740, 400, 1000), geom.Rect{W: 740, H: 120}
	sel := act.Selection{Kind: act.ThreadSelection, CPU: -1, Thread: f.Book.Runs[1].Thread}
	where := Gantt{}.Where(sel, f, v, r)
	require.False(t, where.Empty())
	assert.Equal(t, act.Select{Selection: sel}, Gantt{}.Handle(Input{At: geom.Point{X: where.X + 1, Y: where.Y + 1}}, f, v, r))
	assert.Nil(t, Gantt{}.Handle(Input{At: geom.Point{X: 1, Y: 1}}, f, v, r))
}

func TestTheChartIsToldInWords(t *testing.T) {
	said := Gantt{}.Describe(bookFrame("textbook-rr", 3*clock.Second), nil)
	assert.Equal(t, "Gantt chart: A 0 to 1, B 1 to 2, A 2 to 3.", said)
	said = Gantt{}.Describe(bookFrame("textbook-rr", 24*clock.Second), nil)
	assert.Contains(t, said, "Of the 4 jobs that have ended the mean wait is 37/4, the mean turnaround 59/4.")
}

func TestABooksQueueIsNotTheListOfLinux22(t *testing.T) {
	f := bookFrame("textbook-rr", 10*clock.Second)
	l := drawn(RunQueue{}, f, fake.View("light", 740, 400, 1000), geom.Rect{W: 740, H: 90})
	assert.Contains(t, texts(l), "RUN QUEUE — WAITING TO RUN")
	for _, s := range texts(drawn(Strands{}, f, fake.View("light", 740, 400, 1000), geom.Rect{W: 740, H: 200})) {
		assert.NotContains(t, s, "counter")
	}
}
