package control

import (
	"strandscope/render/act"
	"strandscope/sim/clock"
)

// Show takes a run that no opener has, one of a recording that ends at a time, and goes to
// another time of it, with all of it in timeline and plots.
func (s *State) Show(run Run, end, at clock.Time) {
	s.Error = ""
	fault := s.guard(func() {
		// It begins again when it goes back, so it can be opened anew as it is.
		_ = s.load(func() (Run, error) { return run, nil })
		s.View.Playing = false
		s.View.Timeline = act.Range{Kind: act.Whole}
		if end >= clock.Time(act.MinZoom) {
			s.View.Timeline = act.Range{Kind: act.Fixed, To: end}
		}
		s.View.Plots = act.PlotRange{Same: true}
		s.setGoal(at, nil)
	})
	if fault != "" {
		s.fail(fault)
	}
}
