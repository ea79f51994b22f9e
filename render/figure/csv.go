package figure

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// plotIDs are the panels that have a table.
const plotIDs = "loadavg, utilisation, rqlen"

// column is a series and its heading.
type column struct {
	name string
	*stats.Series
}

// columns are the series of a plot's panel, nil for any other panel.
func columns(p *sim.Plots, panel string) []column {
	switch panel {
	case "loadavg":
		return []column{{"load1", &p.Load[0]}, {"load5", &p.Load[1]}, {"load15", &p.Load[2]}}
	case "utilisation":
		return []column{{"user_pct", &p.User}, {"system_pct", &p.System}}
	case "rqlen":
		return []column{{"waiting_threads", &p.RunQueue}}
	}
	return nil
}

// CSV writes the plot of a panel: a row for each bucket with the second at which it
// begins and the last sample of each series; and, where a bucket holds more than one
// sample, columns with the least and the greatest.
func CSV(r Run, v act.View, panel string) ([]byte, error) {
	from, to := v.ShownInPlots(r.Now(), 0)
	r.Look(sim.Look{PlotFrom: from, PlotTo: to})
	all := columns(&r.Frame().Plots, panel)
	if all == nil {
		return nil, fmt.Errorf("panel is %q, want one with a plot over time: %s", panel, plotIDs)
	}
	rows, spread := all[0].Len(), false
	for _, c := range all {
		if c.Step != all[0].Step || c.First != all[0].First || c.Len() != rows {
			return nil, fmt.Errorf("panel %q: its series have samples at different times", panel)
		}
		for i := range rows {
			spread = spread || c.Min[i] != c.Max[i]
		}
	}
	b := []byte("time_s")
	for _, c := range all {
		b = append(b, ","+c.name...)
		if spread {
			b = append(b, ","+c.name+"_min,"+c.name+"_max"...)
		}
	}
	b = append(b, '\n')
	for i := range rows {
		b = decimal(b, int64(all[0].Start(i)), int64(clock.Second))
		for _, c := range all {
			b = decimal(append(b, ','), int64(c.Last[i]), int64(c.Scale))
			if spread {
				b = decimal(append(b, ','), int64(c.Min[i]), int64(c.Scale))
				b = decimal(append(b, ','), int64(c.Max[i]), int64(c.Scale))
			}
		}
		b = append(b, '\n')
	}
	return b, nil
}

// decimal writes n/of exactly, where of has no factors but two and five.
func decimal(b []byte, n, of int64) []byte {
	b = strconv.AppendInt(b, n/of, 10)
	rest := n % of
	if rest == 0 {
		return b
	}
	var digits strings.Builder
	for rest != 0 {
		rest *= 10
		digits.WriteByte(byte('0' + rest/of))
		rest %= of
	}
	return append(append(b, '.'), digits.String()...)
}
