package solaris

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALiveTableIsReadAndReplaced(t *testing.T) {
	p := New(Options{})
	for _, class := range []string{"TS", "IA", "FX", "RT", "FSS"} {
		text, err := p.Table(class, 1000)
		require.NoError(t, err)
		require.NoError(t, p.SetTable(class, text), class)
		again, err := p.Table(class, 1000)
		require.NoError(t, err)
		assert.Equal(t, text, again, "%s: what is printed can be given back", class)
	}
	text, err := p.Table("TS", 100)
	require.NoError(t, err)
	require.NoError(t, p.SetTable("IA", strings.Replace(text, "        20         0", "         7         0", 1)))
	text, err = p.Table("TS", 1000)
	require.NoError(t, err)
	assert.Contains(t, text, "        70         0        50", "TS and IA share a table")
}

func TestATableThatIsRefusedChangesNothing(t *testing.T) {
	p := New(Options{})
	before, err := p.Table("FSS", 1000)
	require.NoError(t, err)
	for text, want := range map[string]string{
		"QUANTUM=1000": "QUANTUM of 100 ticks, want 1 to 99",
		"QUANTUM=x":    "line 1: QUANTUM=x",
		"1 2 3":        "one line, QUANTUM=n",
	} {
		require.ErrorContains(t, p.SetTable("FSS", text), want)
	}
	require.ErrorContains(t, p.SetTable("SYS", "QUANTUM=1"), "no dispatch table")
	after, err := p.Table("FSS", 1000)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	_, err = p.Table("SYS", 1000)
	require.ErrorContains(t, err, "no dispatch table")
	_, err = p.Table("TS", 0)
	require.ErrorContains(t, err, "resolution 0")
}
