package sim

import (
	"fmt"

	"strandscope/sim/sched"
)

// Table is a part of an answer that is a table.
type Table struct {
	Title   string // a sentence or its beginning
	Columns []string
	Rows    []Row
	More    string // what was left out; ""
}

// Row is a row of a Table. Winner marks who was chosen; Thread is what it is about,
// None where that is no thread.
type Row struct {
	Cells  []string
	Thread sched.ThreadID
	Winner bool
}

// Tables are an answer's candidates, who ran while a task waited, and who took CPUs
// from it.
func (a *Answer) Tables() []Table {
	var all []Table
	if len(a.Candidates) > 0 {
		t := Table{Title: "Compared by " + a.Compared, Columns: []string{"task", "figure", "where"}}
		for _, c := range a.Candidates {
			t.Rows = append(t.Rows, Row{[]string{c.Name, c.Figure, c.Note}, c.Thread, c.Winner})
		}
		if a.Left > 0 {
			t.More = fmt.Sprintf("and %d more", a.Left)
		}
		all = append(all, t)
	}
	if w := a.Waited; w != nil {
		t := Table{Title: w.head(), Columns: []string{"ran instead", "for", "in"}}
		for _, r := range w.Ran {
			t.Rows = append(t.Rows, Row{[]string{r.Name, Span(r.For), counted(int(r.Stays), "stay")}, max(r.Thread, sched.None), false})
		}
		if w.Rest > 0 {
			t.More = fmt.Sprintf("and %d more, for %s together", w.Rest, Span(w.RestTime))
		}
		all = append(all, t)
	}
	if len(a.Culprits) > 0 {
		t := Table{Title: "Who took a CPU from it, so far", Columns: []string{"task", "how often", "then ran"}}
		for _, c := range a.Culprits {
			t.Rows = append(t.Rows, Row{[]string{c.Name, times(c.Times), "for " + Span(c.For)}, c.Thread, false})
		}
		all = append(all, t)
	}
	return all
}

// Text is an answer as lines of text, tables included.
func (a *Answer) Text() []string {
	lines := append([]string{a.Title}, a.Lines...)
	if a.Source != "" {
		lines = append(lines, "Rule: "+a.Source)
	}
	for _, t := range a.Tables() {
		lines = append(lines, t.Title+":")
		for _, r := range t.Rows {
			mark := ' '
			if r.Winner {
				mark = '*'
			}
			lines = append(lines, fmt.Sprintf("  %c %-16s %12s  %s", mark, r.Cells[0], r.Cells[1], r.Cells[2]))
		}
		if t.More != "" {
			lines = append(lines, "    "+t.More)
		}
	}
	if a.Unknown != "" {
		lines = append(lines, a.Unknown)
	}
	return lines
}
