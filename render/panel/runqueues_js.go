//go:build !full

package panel

import (
	"strconv"

	"strandscope/render/geom"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// The page's first program has no kernel whose queues are shown in lines.

func linesHeight(*sim.Frame, theme.Scale, int) (int, bool) { return 0, false }

func seekLines(*sim.Frame, theme.Scale, geom.Rect, func(sched.ThreadID, geom.Rect) bool) bool {
	return false
}

func (d *pen) lines(geom.Rect) bool { return false }

func lineHeading(*sim.Frame, []value) ([]string, []value, bool) { return nil, nil, false }

func lineText(*sim.Frame) string { return "" }

func appendMillis(b []byte, us int64) []byte { return strconv.AppendInt(b, us/1000, 10) }
