package control_test

import (
	"strandscope/sim/recorded"
	"strandscope/web/control"
)

// A recording is a run that the page can show.
var _ control.Run = (*recorded.Run)(nil)
