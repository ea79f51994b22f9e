package control

import (
	"strandscope/render/act"
	"strandscope/sim/clock"
)

// Show takes a run that no opener has, one of a recording, and goes to a time of it, with
// all of it in the timeline. The run that was there stays if anything is wrong.
func (s *State) Show(run Run, at clock.Time) {
	s.Error = ""
	fault := s.guard(func() {
		// It begins again when it goes back, so it can be opened anew as it is.
		_ = s.load(func() (Run, error) { return run, nil })
		s.View.Playing = false
		s.View.Timeline = act.Range{Kind: act.Whole}
		s.View.Plots = act.PlotRange{}
		s.setGoal(at, nil)
	})
	if fault != "" {
		s.fail(fault)
	}
}
