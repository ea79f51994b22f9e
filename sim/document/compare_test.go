package document

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func plain(text string) []Line {
	var lines []Line
	for _, l := range strings.Split(text, "\n") {
		lines = append(lines, Line{Text: l})
	}
	return lines
}

var tip = []string{
	" r  b w   swap     free    re mf us sy  id",
	" 0  0 0 38799496 15164936   1  4  0  0 100",
	" 20 0 0 39127104 15498368   0  3 37  0  63",
	" 20 0 0 39126848 15498104   0  1 37  0  62",
}

func TestFiguresThatAreAsPrintedAreCounted(t *testing.T) {
	r := Compare(tip, plain(strings.Join(tip, "\n")))
	assert.Equal(t, 30, r.Figures)
	assert.Equal(t, 30, r.Same)
	assert.Empty(t, r.Marks)
	assert.Equal(t, "30 of 30 figures as printed.", r.Summary())
}

func TestAFigureThatDiffersIsMarkedWithTheDocumentsValue(t *testing.T) {
	ours := plain(strings.Join(tip, "\n"))
	ours[2].Text = " 20 0 0 39127104 15498368   0  3 38  0  62"
	r := Compare(tip, ours)
	require.Len(t, r.Marks, 2)
	m := r.Marks[0]
	assert.Equal(t, "38", ours[m.Line].Text[m.From:m.To])
	assert.Equal(t, "37", m.Printed)
	assert.True(t, m.Figure)
	assert.Equal(t, "28 of 30 figures as printed; 2 differ: 38 (printed 37), 62 (printed 63).", r.Summary())
}

func TestDecorationIsNotCompared(t *testing.T) {
	ours := plain(strings.Join(tip, "\n"))
	text := " 20 0 0  999 111   7  7 37  0  63"
	ours[2] = Line{Text: text, Decoration: []int{strings.Index(text, "999"), strings.Index(text, "111") + 3, strings.Index(text, "7  7"), strings.Index(text, "37") - 1}}
	r := Compare(tip, ours)
	assert.Empty(t, r.Marks)
	assert.Equal(t, 4, r.Left)
	assert.Equal(t, "26 of 26 figures as printed; 4 not compared, the model has none (grey).", r.Summary())
}

func TestLinesOfOursThatTheDocumentLeftOutAreSkipped(t *testing.T) {
	r := Compare([]string{
		"64 bytes from 195.4.7.3: icmp_seq=513 ttl=255 time=0.2 ms",
		"64 bytes from 195.4.7.3: icmp_seq=514 ttl=255 time=0.2 ms",
	}, plain("PING 195.4.7.3 (195.4.7.3): 56 data bytes\n"+
		"64 bytes from 195.4.7.3: icmp_seq=0 ttl=255 time=0.2 ms\n"+
		"64 bytes from 195.4.7.3: icmp_seq=1 ttl=255 time=0.3 ms\n\n--- 195.4.7.3 ping statistics ---"))
	var marked []string
	for _, m := range r.Marks {
		marked = append(marked, m.Printed)
	}
	assert.Equal(t, []string{"icmp_seq=513", "icmp_seq=514", "time=0.2"}, marked)
	assert.Equal(t, 7, r.Same)
	assert.Equal(t, 10, r.Figures)
	assert.Equal(t, 1, r.Marks[0].Line)
}

func TestALineThatOursDoesNotHaveIsNamed(t *testing.T) {
	r := Compare([]string{"dispadmin: Default scheduling class is not set"}, plain("bash: dispadmin: command not found\n"))
	assert.Empty(t, r.Marks)
	assert.Equal(t, "0 of 7 words as printed; 7 differ; not here: dispadmin: Default scheduling class is not set.", r.Summary())
	r = Compare([]string{"FSS     (Fair Share)"}, plain("TS (Time Sharing)\n"))
	assert.NotContains(t, r.Summary(), "3 of 3")
}

func TestWordsAloneAreComparedToo(t *testing.T) {
	r := Compare([]string{"FSS     (Fair Share)"}, plain("FSS (Fair Share)"))
	assert.Equal(t, "3 of 3 words as printed.", r.Summary())
}

func TestALineWithAnotherNumberOfFieldsIsComparedLikeWithLike(t *testing.T) {
	r := Compare([]string{"10:57am up 25 min, 8 users, load average: 250.09, 242.75, 174.89"},
		plain(" 10:57am  up 25 min,  8 users,  load average: 250.00, 242.75, 174.95"))
	assert.Equal(t, 4, r.Same)
	assert.Equal(t, "4 of 6 figures as printed; 2 differ: 250.00 (printed 250.09), 174.95 (printed 174.89).", r.Summary())
	r = Compare([]string{"up 25 min, 8 users"}, plain("up 1 day, 25 min, 8 users"))
	assert.Equal(t, 2, r.Same, "one day is more than the document says, and no difference")
}

func TestManyLinesAreComparedWithinBounds(t *testing.T) {
	var printed []string
	for range 500 {
		printed = append(printed, "1 2 3")
	}
	r := Compare(printed, plain(strings.Repeat("1 2 3\n", 10_000)))
	assert.Equal(t, 1500, r.Same)
}

func FuzzCompareCountsWhatItMarks(f *testing.F) {
	f.Add("20 0 37", "20 0 38", 3, 5)
	f.Add("a  b", "", 0, 0)
	f.Fuzz(func(t *testing.T, printed, ours string, from, to int) {
		r := Compare(strings.Split(printed, "\n"), []Line{{Text: ours, Decoration: []int{from, to}}})
		assert.LessOrEqual(t, len(r.Marks), r.Figures-r.Same+r.Words-r.SameWords)
		for _, m := range r.Marks {
			assert.Less(t, m.From, m.To)
			assert.LessOrEqual(t, m.To, len(ours))
		}
		assert.NotEmpty(t, r.Summary())
	})
}
