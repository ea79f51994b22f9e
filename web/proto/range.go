package proto

import (
	"strconv"

	"strandscope/render/act"
	"strandscope/render/plot"
	"strandscope/sim/clock"
)

// wireRange is what part of the run timeline and plots show. Times are whole
// nanoseconds in quotes.
type wireRange struct {
	Kind        string `json:"kind"` // "latest", "whole", "fixed"
	FromNs      string `json:"fromNs"`
	ToNs        string `json:"toNs"`
	LastNs      string `json:"lastNs"` // that follow takes
	Text        string `json:"text"`   // as one could type it
	Frozen      bool   `json:"frozen"`
	PlotsLastNs string `json:"plotsLastNs"`
	PlotsSame   bool   `json:"plotsSame"`
}

func rangeOf(v *act.View, now clock.Time) wireRange {
	from, to := v.Shown(now)
	ns := func(t int64) string { return strconv.FormatInt(t, 10) }
	w := wireRange{
		Kind: "latest", FromNs: ns(int64(max(0, from))), ToNs: ns(int64(to)), LastNs: ns(int64(to - from)),
		Frozen: v.Frozen, PlotsLastNs: ns(int64(v.Plots.Last)), PlotsSame: v.Plots.Same,
	}
	step := max(1, int64(to-from)/1000)
	moment := func(t clock.Time) string { return string(plot.Moment(nil, int64(t), step)) }
	switch v.Timeline.Kind {
	case act.Latest:
		w.Text = "last " + moment(to-from)
	case act.Whole:
		w.Kind, w.Text, w.LastNs = "whole", "all", "0"
	case act.Fixed:
		w.Kind, w.Text = "fixed", moment(from)+" – "+moment(to)
	}
	return w
}
