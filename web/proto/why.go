package proto

import (
	"strconv"

	"strandscope/sim"
)

type (
	wireTable struct {
		Title   string    `json:"title"`
		Columns []string  `json:"columns"`
		Rows    []wireRow `json:"rows"`
		More    string    `json:"more"`
	}
	wireRow struct {
		Cells  []string `json:"cells"`
		Winner bool     `json:"winner,omitempty"`
		Thread int32    `json:"thread"` // -1: none
	}
)

func whyOf(a *sim.Answer) wireWhy {
	w := wireWhy{Title: a.Title, Lines: each(a.Lines, same), Source: a.Source, Unknown: a.Unknown, Strand: a.CPU, Tables: each(a.Tables(), tableOf)}
	if a.Past {
		w.AtNs = strconv.FormatInt(int64(a.At), 10)
	}
	return w
}

func tableOf(t sim.Table) wireTable {
	return wireTable{t.Title, t.Columns, each(t.Rows, func(r sim.Row) wireRow {
		return wireRow{r.Cells, r.Winner, int32(r.Thread)}
	}), t.More}
}
