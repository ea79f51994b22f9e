package solaris

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatDispadminPrintsCanBeRead(t *testing.T) {
	table := DefaultTables().TS
	for _, res := range []int{100, 1000} {
		text := table.Dispadmin(res)
		parsed, err := ParseDispadmin(text)
		require.NoError(t, err)
		var o Options
		require.NoError(t, parsed.Apply("TS", &o))
		assert.Equal(t, table, o.Tables.TS)
	}
	lines := strings.Split(table.Dispadmin(1000), "\n")
	assert.Equal(t, "       200         0        50           0        50        #     0", lines[4])
	assert.Equal(t, "        20        49        59       32000        59        #    59", lines[63])
}

func TestQuantaAreRoundedUpToTicks(t *testing.T) {
	parsed, err := ParseDispadmin("RES=1000\nQUANTUM=111\n")
	require.NoError(t, err)
	var o Options
	require.NoError(t, parsed.Apply("FSS", &o))
	assert.Equal(t, 12, o.FSSQuantum)
}

func TestTablesThatDispadminWouldRefuseAreRefused(t *testing.T) {
	rows := func(n int, row string) string { return strings.Repeat(row+"\n", n) }
	cases := map[string]struct{ class, text, want string }{
		"a setting":      {"TS", "FOO=3", `line 1: "FOO" is no setting`},
		"a resolution":   {"TS", "\nRES=0", "line 2: RES=0, want 1 to"},
		"a number":       {"TS", "10 0 50 x 50", `line 1: "x" is no number`},
		"columns":        {"TS", rows(60, "10 0 50 0"), "level 0: 4 columns, want 5"},
		"levels":         {"TS", rows(59, "10 0 50 0 50"), "59 levels, want 60"},
		"a level":        {"TS", rows(60, "10 0 60 0 50"), "level 60, want 0 to 59"},
		"a quantum of 0": {"TS", rows(60, "0 0 50 0 50"), "quantum 0, want more than 0"},
		"RT levels":      {"RT", rows(59, "10"), "59 levels, class RT has 60"},
		"FX quantum":     {"FX", rows(61, "0"), "level 0: want one quantum"},
		"FSS rows":       {"FSS", "10 0", "one line, QUANTUM=n"},
		"a class":        {"SYS", "QUANTUM=1", `class "SYS" has no dispatch table`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			parsed, err := ParseDispadmin(c.text)
			if err == nil {
				err = parsed.Apply(c.class, &Options{})
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
