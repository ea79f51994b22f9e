package panel

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/geom"
	"strandscope/render/internal/fake"
	"strandscope/render/theme"
)

func TestRunQueueSaysHowManyMoreThereAre(t *testing.T) {
	f := fake.Hogs250()
	for i := range f.Threads {
		f.Threads[i].Class = "RR" // pids, not ticks
	}
	all := texts(draw(RunQueue{}, f, fake.View("dark", 300, 90, 1000), geom.Rect{W: 300, H: 90}))
	shown := 0
	for _, s := range all {
		if len(s) == 3 {
			shown++
		}
	}
	more := all[len(all)-1]
	require.True(t, strings.HasPrefix(more, "+"), more)
	assert.Equal(t, "+"+itoa(246-shown)+" more", more)
}

func TestOneListShowsTicksLeftAndWhoHasNone(t *testing.T) {
	f := fake.Hogs250()
	l := draw(RunQueue{}, f, fake.View("dark", 1100, 400, 1000), geom.Rect{W: 1100, H: 400})
	all := texts(l)
	assert.Equal(t, "246 waiting · 234 with ticks left", all[0])
	assert.Equal(t, "RUN QUEUE — ONE LIST, SEARCHED WHOLE AT EVERY DECISION; TICKS LEFT", all[1])
	none := 0
	for _, text := range all[2:] {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		require.Less(t, n, 20)
		if n == 0 {
			none++
		}
	}
	assert.Equal(t, 12, none)
	dim := 0
	for i := range l.Items {
		if l.Items[i].Box.Fill == theme.Find("dark").Idle {
			dim++
		}
	}
	assert.Equal(t, 12, dim, "those stand back")
}

func TestEmptyRunQueueSaysWhy(t *testing.T) {
	r := geom.Rect{W: 740, H: 80}
	v := fake.View("dark", 740, 80, 1000)
	f := fake.T2000(32)
	assert.Contains(t, texts(draw(RunQueue{}, f, v, r)), "empty — every process has a strand of its own")
	f.Totals.Running = 0
	assert.Contains(t, texts(draw(RunQueue{}, f, v, r)), "empty — nothing waits")
}

func itoa(n int) string { return strconv.Itoa(n) }
