package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The two documents, typed as they stand at strandsim sh.

// step is a line typed and what the document prints for it.
type step struct {
	line   string
	prints []string
}

func readSteps(t *testing.T, name string) (steps []step) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, l := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		switch {
		case strings.HasPrefix(l, "#"):
		case strings.HasPrefix(l, "$ "):
			steps = append(steps, step{line: l[2:]})
		default:
			s := &steps[len(steps)-1]
			s.prints = append(s.prints, l)
		}
	}
	return steps
}

// columns of vmstat that the scheduler determines: r at the front, and us, sy and
// id at the end. Memory, pages, disks and faults are decoration, and cs counts
// threads that the model does not have.
func columns(line string) []string {
	f := strings.Fields(line)
	return append([]string{f[0]}, f[len(f)-3:]...)
}

func TestTheTipsCommandsPrintTheTipsFigures(t *testing.T) {
	steps := readSteps(t, "testdata/tip.txt")
	require.Len(t, steps, 8)
	var lines []string
	for _, s := range steps {
		lines = append(lines, s.line)
	}
	code, out, errOut := piped(strings.Join(lines, "\n")+"\n", "t2000")
	require.Zero(t, code)
	assert.Equal(t, steps[0].prints, strings.Split(strings.TrimSpace(errOut), "\n"), "what is not set is told as an error")

	got := strings.Split(strings.TrimRight(out, "\n"), "\n")
	require.Len(t, got, 5+1+5)
	first, class, second := got[:5], got[5], got[6:]
	assert.Equal(t, strings.Fields(steps[5].prints[0]), strings.Fields(class))
	for i, pair := range [][2][]string{{steps[2].prints, first}, {steps[7].prints, second}} {
		printed, ours := pair[0], pair[1]
		for n := range printed {
			assert.Len(t, strings.Fields(ours[n]), len(strings.Fields(printed[n])), "as many columns: %s", ours[n])
		}
		assert.Equal(t, strings.Fields(printed[0]), strings.Fields(ours[0]), "the same headings, the archive's blanks aside")
		assert.Equal(t, strings.Fields(printed[1]), strings.Fields(ours[1]))
		assert.Equal(t, columns(printed[2])[0], columns(ours[2])[0], "nobody waited since boot")
		if i == 0 {
			assert.Equal(t, columns(printed[2]), columns(ours[2]), "a long quiet uptime")
		} // the second machine had done something else since its boot, which the tip does not tell
	}
	for n := 3; n < 5; n++ {
		p, o := columns(steps[2].prints[n]), columns(first[n])
		assert.Equal(t, p[:3], o[:3], first[n])
		assert.Contains(t, []string{"62", "63"}, o[3], "the tip prints both")
		assert.Equal(t, columns(steps[7].prints[n]), columns(second[n]))
	}
}

func TestTheMailsCommandsPrintTheMailsFigures(t *testing.T) {
	code, out, errOut := piped(strings.Join([]string{
		"for i in $(seq 250); do ./loop & done",
		"sleep 1065",
		"top -b -d 79 -n 2 | tail -n +298 | head -13", // the second screen
		"ping -c 518 195.4.7.3 | grep -E 'icmp_seq=51[3-7]'",
	}, "\n")+"\n", "linux22")
	require.Zero(t, code, errOut)
	got := strings.Split(strings.TrimRight(out, "\n"), "\n")
	require.Len(t, got, 13+5, out)
	top := got[:13]

	head := strings.Fields(top[0])
	assert.Equal(t, []string{"10:57am", "up", "25", "min,", "8", "users,", "load", "average:"}, head[:8])
	// No single start of 250 hogs gives all three printed averages (FACTS §17).
	for i, printed := range []struct{ value, within float64 }{{250.09, 0.5}, {242.75, 2.5}, {174.89, 5.3}} {
		v, err := strconv.ParseFloat(strings.TrimSuffix(head[8+i], ","), 64)
		require.NoError(t, err)
		assert.InDelta(t, printed.value, v, printed.within)
	}
	assert.Equal(t, "289 processes: 38 sleeping, 251 running, 0 zombie, 0 stopped", top[1])
	assert.Contains(t, top[2], "% user,")
	assert.Equal(t, strings.Fields("PID USER PRI NI SIZE RSS SHARE STAT LIB %CPU %MEM TIME COMMAND"), strings.Fields(top[6]))
	for _, row := range top[7:] {
		f := strings.Fields(row)
		require.Len(t, f, 13, row)
		assert.Equal(t, []string{"root"}, f[1:2])
		pri, err := strconv.Atoi(f[2])
		require.NoError(t, err)
		assert.True(t, pri >= 10 && pri <= 20, row)
		assert.Equal(t, strings.Fields("0 216 216 176 R 0"), f[3:9], row)
		share, err := strconv.ParseFloat(f[9], 64)
		require.NoError(t, err)
		assert.InDelta(t, 1.75, share, 0.1, "the mail's rows show 1.7 and 1.8")
		assert.Equal(t, "loop", f[12])
	}
	for i, answer := range got[13:] {
		assert.Equal(t, "64 bytes from 195.4.7.3: icmp_seq="+strconv.Itoa(513+i)+" ttl=255 time=0.2 ms", answer)
	}
}
