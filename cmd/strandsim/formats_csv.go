package main

import (
	"fmt"
	"io"
	"strings"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// csvColumns of a row of one second, in order. Percentages are vmstat's, whole
// and rounded as it rounds; busy strands and cores are means over the second;
// issue slots are of a model.
var csvColumns = []struct {
	name string
	text func(r *stats.SecondRow) string
}{
	{"time_s", func(r *stats.SecondRow) string { return fmt.Sprint(int64(r.At) / int64(clock.Second)) }},
	{"r", func(r *stats.SecondRow) string { return fmt.Sprint(r.R) }},
	{"us_pct", func(r *stats.SecondRow) string { return fmt.Sprint(r.User) }},
	{"sy_pct", func(r *stats.SecondRow) string { return fmt.Sprint(r.System) }},
	{"id_pct", func(r *stats.SecondRow) string { return fmt.Sprint(r.Idle) }},
	{"load1", func(r *stats.SecondRow) string { return stats.LoadText(r.Load[0]) }},
	{"load5", func(r *stats.SecondRow) string { return stats.LoadText(r.Load[1]) }},
	{"load15", func(r *stats.SecondRow) string { return stats.LoadText(r.Load[2]) }},
	{"busy_strands", (*stats.SecondRow).BusyStrands},
	{"busy_cores", (*stats.SecondRow).BusyCores},
	{"issue_slots_pct_model", func(r *stats.SecondRow) string { return stats.Percent(r.Core.Slots, r.Core.OfSlots, 1) }},
	{"switches", func(r *stats.SecondRow) string { return fmt.Sprint(r.Switches) }},
}

// writeCSV writes a heading and a row for each whole second.
func writeCSV(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	l, done := listing(w)
	line := func(text func(i int) string) {
		cells := make([]string, len(csvColumns))
		for i := range cells {
			cells[i] = text(i)
		}
		l.To(strings.Join(cells, ","))
	}
	line(func(i int) string { return csvColumns[i].name })
	each := s.NewEachSecond(func(r stats.SecondRow) {
		line(func(i int) string { return csvColumns[i].text(&r) })
	})
	if err := s.ResetWith(each); err != nil {
		return err
	}
	return done(s.Advance(span))
}
