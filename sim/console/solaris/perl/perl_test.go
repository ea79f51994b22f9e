package perl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/console/solaris/perl"
	"strandscope/sim/workload"
)

// shape writes a program in short: R run, S spin, z sleep, B block, F(child), L
// loop to a step.
func shape(p *workload.Program, depth int) string {
	var b strings.Builder
	for _, s := range p.Steps {
		switch s.Op {
		case workload.Spin:
			b.WriteString("S")
		case workload.Sleep:
			fmt.Fprintf(&b, "z%d", s.D/clock.Second)
		case workload.Block:
			b.WriteString("B")
		case workload.Loop:
			fmt.Fprintf(&b, "L%d", s.To)
		case workload.Fork:
			if depth == 0 {
				b.WriteString("F(…)")
				continue
			}
			b.WriteString("F(" + shape(s.Child, depth-1) + ")")
		default:
		}
	}
	return b.String()
}

func TestScriptsDoWhatTheySay(t *testing.T) {
	cases := []struct {
		script    string
		args      string
		want      string
		processes int
		status    int
	}{
		{"while (--$ARGV[0] and fork) {}; while () {}", "3", "F(S)F(S)S", 3, 0},
		{"while (--$ARGV[0] and fork) {}; while () {}", "1", "S", 1, 0},
		{"fork while --$ARGV[0]; 1 while 1", "3", "F(F(S)S)F(S)S", 4, 0},
		{"for (1..2) { fork or last } for (;;) {}", "", "F(S)F(S)S", 3, 0},
		{"for my $i (1..3) { next if $i == 2; fork && next; sleep $i; exit } sleep 9", "", "F(z1)F(z3)z9", 3, 0},
		{"$i++ while 1", "", "S", 1, 0},
		{"until (0) { $x += 3; $y = $x }", "", "S", 1, 0},
		{"while (1) { sleep 1 }", "", "z1z1L1", 1, 0},
		{"sleep 2; do { sleep 1; sleep 3 } while 1;", "", "z2z1z3z1z3L3", 1, 0},
		{"sleep 1 for 1..3", "", "z1z1z1", 1, 0},
		{"foreach $i (2, 4..5) { sleep $i }", "", "z2z4z5", 1, 0},
		{"for ($i = 0; $i < 3; $i++) { sleep 1 }", "", "z1z1z1", 1, 0},
		{"$pid = fork; if ($pid == 0) { exit 3 } elsif ($pid > 0) { sleep 5 } else { sleep 7 }", "", "F()z5", 2, 0},
		{"exit 7", "", "", 1, 7},
		{"exit(shift() + @ARGV)", "4 x y", "", 1, 6},
		{"sleep", "", "B", 1, 0},
		{"unless (defined $x) { sleep 1 } sleep(2) if !$x and not 0", "", "z1z2", 1, 0},
		{"sleep(2**3 % 5 + 1 * -1 + 10 / 5)", "", "z4", 1, 0},
		{"sleep($#ARGV > 0 ? 1 : 2); $ARGV[-1] -= 2; sleep $ARGV[1]", "1 5", "z1z3", 1, 0},
		{"$x ||= 4; $x &&= 5; sleep $x--; sleep $x; sleep ++$x", "", "z5z4z5", 1, 0},
		{"{ sleep 1; { sleep 2 } } # a comment", "", "z1z2", 1, 0},
		{"while ($i < 3) { $i++; while (1) { last if ++$j > 2 } } sleep $j", "", "z5", 1, 0},
	}
	for _, c := range cases {
		t.Run(c.script, func(t *testing.T) {
			s, err := perl.Compile(c.script, strings.Fields(c.args), 1000)
			require.NoError(t, err)
			assert.Equal(t, c.want, shape(s.Program, 9))
			assert.Equal(t, c.processes, s.Processes)
			assert.Equal(t, c.status, s.Status)
		})
	}
}

func TestEachForkCostsItsParentWork(t *testing.T) {
	s, err := perl.Compile("fork; sleep 1", nil, 10)
	require.NoError(t, err)
	require.Len(t, s.Program.Steps, 3)
	assert.Equal(t, workload.Instr{Op: workload.Run, D: perl.ForkWork}, s.Program.Steps[0])
	assert.Equal(t, "perl", s.Program.Steps[1].Name)
}

func TestWhatIsNotFollowedIsRefusedInASentence(t *testing.T) {
	for script, want := range map[string]string{
		"print 1":                          `"print" is Perl, but not followed`,
		"while (":                          "syntax error at -e line 1, at EOF",
		"fork fork":                        `syntax error at -e line 1, near "fork"`,
		"\n1 +* 2":                         "syntax error at -e line 2",
		"colour":                           `syntax error at -e line 1, near "colour"`,
		"1 = 2":                            "syntax error",
		"++1":                              "syntax error",
		"$x[0]":                            "of arrays only @ARGV",
		"@x":                               "of arrays only @ARGV",
		"$h{1}":                            "hashes and references",
		"${x}":                             "references",
		"$$":                               "is not followed",
		"0x1f":                             "not decimal",
		"1.5":                              "fraction",
		"1e99":                             "not followed",
		"99999999999999999999":             "beyond 2**53",
		"2**60":                            "beyond 2**53",
		"9e15*9e15":                        "beyond 2**53",
		"7/2":                              "division with a rest",
		"7%0":                              "Illegal modulus zero",
		`"$x"`:                             "interpolates",
		"'x":                               "string terminator",
		"last":                             "last outside of a loop",
		"last FOO while 1":                 "labels",
		"fork while 1":                     "fork for ever",
		"while (1) { fork or exit }":       "fork for ever",
		"fork for 1..30":                   "more processes than there is room for",
		"while ($i < 1e12) { $i++ }":       "reckons on for more than",
		"$p = fork; sleep $p":              "process id that fork returns",
		"sleep -1":                         "to sleep for -1 seconds",
		"$ARGV[5000] = 1":                  "$ARGV[5000] is not followed",
		"for (1..3000) { fork and exit }":  "generations",
		strings.Repeat("(", 500) + "1":     "in each other",
		strings.Repeat("- ", 500) + "1":    "in each other",
		strings.Repeat("1;", 6000):         "bytes",
		"my ($a, $b)":                      "my with a list",
		"$x = do { 1 }":                    "do inside an expression",
		"\\$x":                             `operator \`,
		"defined":                          "syntax error",
		"$x \x01":                          "syntax error",
		"for (1,2) { for (1,2) { for (1,2": "syntax error",
	} {
		_, err := perl.Compile(script, []string{"1"}, 1000)
		assert.ErrorContains(t, err, want, script)
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		"while (--$ARGV[0] and fork) {}; while () {}", "for my $i (1..3, 5) { fork and next; exit $i } sleep 3 while 1",
		"$x = $y ? -3 : !4; if ($x <=> 2) { last } elsif (shift) { sleep } else { 1 } ", "do { $ARGV[$i]++ ; $i ||= 2 } until fork or $i ** 2 % 3;",
	} {
		f.Add(s, "32")
	}
	f.Fuzz(func(t *testing.T, script, arg string) {
		s, err := perl.Compile(script, []string{arg, "7"}, 500)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.NotNil(t, s.Program)
		require.GreaterOrEqual(t, s.Processes, 1)
		require.LessOrEqual(t, s.Processes, 500)
	})
}
