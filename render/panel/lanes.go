package panel

import (
	"strandscope/render/geom"
	"strandscope/render/theme"
	"strandscope/sim/machine"
)

// laneKind says what a row of the timeline stands for.
type laneKind uint8

const (
	strandLanes laneKind = iota // a strand
	coreLanes                   // all strands of a core
	heatLanes                   // all strands of several cores
)

// lanes are the rows of the timeline. All lengths are device pixels.
type lanes struct {
	m    *machine.Machine
	kind laneKind
	n, h int
	gap  int // between cores
}

// The heights of the timeline in CSS pixels: of its rows together when it may
// choose, of a row at least, and of what stands around the rows.
const (
	lanesHeight = 112
	leastLane   = 2
	heatLane    = 3
	lanesPad    = 3
	axisHeight  = 18
	// overviewHeight is that of the strip with the whole run.
	overviewHeight = 20
)

// layLanes chooses rows that fit into a height.
func layLanes(m *machine.Machine, s theme.Scale, height int) lanes {
	strands, cores := len(m.CPUs), len(m.Cores)
	g := lanes{m: m, n: strands, gap: s.Px(1)}
	if strands == cores && strands > 16 {
		g.gap = 0
	}
	if g.h = (height - g.gap*(cores-1)) / strands; g.h >= s.Px(leastLane) {
		g.h = min(g.h, s.Px(tallestLane(strands)))
		return g
	}
	g.kind, g.n, g.gap = coreLanes, cores, 0
	if g.h = height / cores; cores < strands && g.h >= s.Px(heatLane) {
		g.h = min(g.h, s.Px(tallestLane(cores)))
		return g
	}
	g.h = s.Px(heatLane)
	g.kind, g.n = heatLanes, max(1, min(cores, height/g.h))
	return g
}

// tallestLane is the height above which a row of so many wins nothing.
func tallestLane(n int) int {
	switch {
	case n <= 2:
		return 72
	case n <= 4:
		return 36
	case n <= 8:
		return 24
	case n <= 16:
		return 10
	}
	return 6
}

// height is that of all rows.
func (g *lanes) height() int {
	if g.kind == strandLanes {
		return g.n*g.h + g.gap*(len(g.m.Cores)-1)
	}
	return g.n * g.h
}

// core is the first core of a row and, for rows of strands, the strand's place
// in it.
func (g *lanes) core(lane int) (core, place int) {
	if g.kind != strandLanes {
		return lane * len(g.m.Cores) / g.n, 0
	}
	for core, ids := range g.m.Cores {
		if lane < len(ids) {
			return core, lane
		}
		lane -= len(ids)
	}
	return len(g.m.Cores), 0
}

// row is a row's rectangle in an area.
func (g *lanes) row(area geom.Rect, lane int) geom.Rect {
	y := area.Y + lane*g.h
	if g.kind == strandLanes {
		core, _ := g.core(lane)
		y += core * g.gap
	}
	return geom.Rect{X: area.X, Y: y, W: area.W, H: g.h}
}

// each visits the CPUs of a row.
func (g *lanes) each(lane int, visit func(cpu int)) {
	core, place := g.core(lane)
	if g.kind == strandLanes {
		visit(g.m.Cores[core][place])
		return
	}
	for end, _ := g.core(lane + 1); core < end; core++ {
		for _, cpu := range g.m.Cores[core] {
			visit(cpu)
		}
	}
}

// of is the row that shows a CPU.
func (g *lanes) of(cpu int) int {
	for lane := range g.n {
		found := false
		g.each(lane, func(id int) { found = found || id == cpu })
		if found {
			return lane
		}
	}
	return -1
}
