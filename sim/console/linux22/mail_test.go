package linux22_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
)

// The mail of 10 May 1999, reproduced from the prompt. Its archive has collapsed
// runs of blanks, so that lines are compared word by word. What the scheduler
// determines is compared within the tolerances of FACTS §17, the rest must be
// equal.
//
// A real shell would have run for each fork, lost half of its counter with each
// and taken about a minute for 250 (FACTS §10); the scenario linux22-250-hogs has
// that. At the simulated prompt typing and the shell's own work cost nothing, so
// that without the sleep all 250 would start at once. The mail's TIME column,
// which falls with rising pid, shows the minute.

// mail is its lines, in three paragraphs: the head, rows and answers.
func mail(t *testing.T) (head, rows, answers []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/mail.golden")
	require.NoError(t, err)
	parts := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	require.Len(t, parts, 3)
	return strings.Split(parts[0], "\n"), strings.Split(parts[1], "\n"), strings.Split(parts[2], "\n")
}

// words collapses runs of blanks, as the archive has.
func words(line string) string { return strings.Join(strings.Fields(line), " ") }

// figures puts # in place of numbers and returns those, in thousandths.
func figures(t *testing.T, line string) (form string, values []int) {
	t.Helper()
	var b strings.Builder
	for _, w := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := strconv.ParseFloat(strings.TrimRight(w, "%"), 64)
		if err != nil {
			b.WriteString(w + " ")
			continue
		}
		values = append(values, int(n*1000+0.5))
		b.WriteString("# ")
	}
	return b.String(), values
}

// seconds reads TIME.
func seconds(t *testing.T, word string) int {
	t.Helper()
	m, s, ok := strings.Cut(word, ":")
	require.True(t, ok, word)
	minutes, err := strconv.Atoi(m)
	require.NoError(t, err)
	rest, err := strconv.Atoi(s)
	require.NoError(t, err)
	return 60*minutes + rest
}

// frameOfTheMail types what the mail's author may have typed: 250 hogs within a
// minute, and top with the 79 s between two looks that FACTS §17 infers. It
// returns top's second frame, taken after 1146 s.
func frameOfTheMail(b *box) []string {
	b.t.Helper()
	b.run("ping -c 1 195.4.7.3") // so that the first hog is 701
	for _, line := range []string{
		"i=0; while [ $i -lt 250 ]; do ./loop & sleep 0.23; i=$((i+1)); done",
		"sleep 1008.2",
		"top -b -n 2 -d 79",
	} {
		b.Type(line)
	}
	b.settle()
	_, frame, ok := strings.Cut(b.text(), "\n\n "+"10:57am")
	require.True(b.t, ok, "no second frame at 10:57")
	return strings.Split(" 10:57am"+frame, "\n")
}

func TestTheMailsTopComesOutAtThePrompt(t *testing.T) {
	b := open(t, "linux22")
	got := frameOfTheMail(b)
	head, rows, _ := mail(t)

	form, want := figures(t, words(head[0]))
	gotForm, have := figures(t, words(got[0]))
	assert.Equal(t, form, gotForm)
	require.Len(t, have, 5)
	assert.Equal(t, want[:2], have[:2], "minutes and users")
	for i, within := range []float64{0.5 / 250.09, 0.01, 0.03} {
		assert.InEpsilon(t, want[2+i], have[2+i], within, "load average %d: %s", i, got[0])
	}
	assert.Equal(t, words(head[1]), words(got[1]), "processes")
	form, _ = figures(t, words(head[2]))
	gotForm, have = figures(t, words(got[2]))
	assert.Equal(t, form, gotForm)
	assert.InDelta(t, 400_000, have[0]+have[1], 100, "user and system together")
	assert.Equal(t, []int{0, 0}, have[2:], "nice and idle")
	for i := 3; i < 5; i++ {
		assert.Equal(t, words(head[i]), words(got[i]))
	}
	assert.Empty(t, got[5])
	assert.Equal(t, words(rows[0]), words(got[6]))

	byPID := map[string][]string{}
	for _, line := range got[7:] {
		if f := strings.Fields(line); len(f) == 13 && f[12] == "loop" {
			byPID[f[0]] = f
		}
	}
	require.Len(t, byPID, 250)
	for _, row := range rows[1:] {
		want := strings.Fields(row)
		have := byPID[want[0]]
		require.NotNil(t, have, row)
		compareRows(t, want, have)
	}
	checkHogs(t, byPID)
}

// compareRows: PRI, %CPU and TIME are the scheduler's.
func compareRows(t *testing.T, want, have []string) {
	t.Helper()
	for i, w := range want {
		switch i {
		case 2:
			pri, err := strconv.Atoi(have[i])
			require.NoError(t, err)
			assert.True(t, pri >= 10 && pri <= 20, "PRI %d of %s", pri, want[0])
		case 9:
			have, err := strconv.ParseFloat(have[i], 64)
			require.NoError(t, err)
			assert.InDelta(t, 1.6, have, 0.2001, "%%CPU of %s", want[0])
		case 11:
			assert.InDelta(t, seconds(t, w), seconds(t, have[i]), 1, "TIME of %s", want[0])
		default:
			assert.Equal(t, w, have[i], "column %d of %s", i, want[0])
		}
	}
}

// checkHogs looks at all 250: their mean times and shares, and that times fall
// with rising pid.
func checkHogs(t *testing.T, byPID map[string][]string) {
	t.Helper()
	times, shares, odd := 0, 0.0, 0
	var first, last int
	for pid := 701; pid <= 950; pid++ {
		f := byPID[fmt.Sprint(pid)]
		require.NotNil(t, f, pid)
		s := seconds(t, f[11])
		share, err := strconv.ParseFloat(f[9], 64)
		require.NoError(t, err)
		times, shares = times+s, shares+share
		if f[2] != "20" && f[2] != "10" {
			odd++
		}
		switch {
		case pid < 726:
			first += s
		case pid > 925:
			last += s
		}
	}
	const ran = 1146 - 58.0/2
	assert.InDelta(t, 250*4*ran/250, times+125, 0.01*4*ran+125, "TIME is cut: half a second more for each")
	assert.InDelta(t, 1.6, shares/250, 0.1)
	assert.Greater(t, first, last+25, "the first 25 have a second more each than the last")
	assert.LessOrEqual(t, odd, 4+13+3, "those that run, and those that were preempted")
}

func TestTheMailsPingComesOutAtThePrompt(t *testing.T) {
	b := open(t, "linux22")
	b.run("for i in $(seq 250); do ./loop & done")
	b.wait(10 * clock.Minute)
	b.text()
	got := strings.Split(b.run("ping -c 518 195.4.7.3 | grep icmp_seq=51[3-7]"), "\n")
	_, _, answers := mail(t)
	require.Len(t, got, 1+len(answers)+1)
	for i, want := range answers {
		assert.Equal(t, want, got[i+1])
	}
}
