package panel

import (
	"strandscope/render/geom"
	"strandscope/render/theme"
	"strandscope/sim/machine"
)

// detail is how much a strand's cell says.
type detail uint8

const (
	named    detail = iota // CPU, thread and quantum
	numbered               // CPU number only
	plain                  // colour and hatch only
)

// grid is where the strands of a machine stand: a card for each core, in it a
// cell for each strand. All lengths are device pixels.
type grid struct {
	m      *machine.Machine
	detail detail
	area   geom.Rect
	// cols × rows cards, cardGap apart; each cardH high.
	cols, rows, cardGap, cardH int
	// Inside a card: padding, the height of its title, and icols × irows
	// cells, gap apart, cellH high.
	pad, head, icols, irows, gap, cellH int
	// Plain cells are cellW wide; others share their card's width.
	cellW int
}

// tallest is the height in CSS pixels above which less is said of each strand,
// when the height is free: more would not be taken in at a glance.
const tallest = 640

// titledCPUs is the most CPUs of one strand a core that get cards with titles.
const titledCPUs = 8

// shape is a way of drawing cells, in CSS pixels.
type shape struct {
	detail                                      detail
	minCell, cellH, maxCellH, gap               int
	pad, head, foot, cardGap, icols, mostInRows int
	closer                                      bool // the next shape says the same in less room
}

var shapes = []shape{
	// With names, as in the design, and closer; narrower with the pid alone;
	// numbers only.
	{named, 74, 42, 58, 6, 12, 32, 10, 12, 2, 2, true},
	{named, 73, 42, 58, 4, 8, 32, 8, 10, 2, 2, false},
	{named, 50, 42, 58, 6, 8, 30, 8, 8, 2, 2, false},
	{numbered, 32, 20, 26, 3, 6, 18, 6, 8, 4, 0, false},
	{numbered, 32, 20, 26, 3, 6, 18, 6, 8, 2, 0, false},
}

// fit lays out a machine in an area whose height is a limit; with height 0 the
// height is free.
func fit(m *machine.Machine, s theme.Scale, area geom.Rect) grid {
	return fitCells(m, s, area, titledCPUs)
}

// fitCells is fit where cores of one strand get cards with titles up to so many.
func fitCells(m *machine.Machine, s theme.Scale, area geom.Rect, titled int) grid {
	limit := area.H
	if limit == 0 {
		limit = s.Px(tallest)
	}
	most := 1
	for _, core := range m.Cores {
		most = max(most, len(core))
	}
	for i := range shapes {
		g := shapes[i].lay(m, s, area, most, titled)
		if g.cols == 0 || g.height() > limit {
			continue
		}
		if shapes[i].closer { // saves a row of cards: then take the closer form
			if c := shapes[i+1].lay(m, s, area, most, titled); c.rows < g.rows {
				g, i = c, i+1
			}
		}
		if area.H > 0 {
			g.grow(s.Px(shapes[i].maxCellH))
		}
		return g
	}
	area.H = limit
	return fitPlain(m, s, area, most)
}

func (k *shape) lay(m *machine.Machine, s theme.Scale, area geom.Rect, most, titled int) grid {
	g := grid{
		m: m, detail: k.detail, area: area,
		cardGap: s.Px(k.cardGap), pad: s.Px(k.pad), head: s.Px(k.head), gap: s.Px(k.gap), cellH: s.Px(k.cellH),
		icols: min(most, k.icols),
	}
	if most == 1 && len(m.Cores) > titled {
		// Strand and core are the same: a title would say the number twice.
		g.pad, g.head, g.cardGap = 0, 0, g.gap
	}
	// Cores of many strands get wider cards rather than tall ones.
	for k.mostInRows > 0 && geom.CeilDiv(most, g.icols) > 2*k.mostInRows {
		g.icols *= 2
	}
	g.irows = geom.CeilDiv(most, g.icols)
	g.cardH = g.irows*(g.cellH+g.gap) - g.gap
	if g.head > 0 {
		g.cardH += g.head + s.Px(k.foot)
	}
	minCard := 2*g.pad + g.icols*(s.Px(k.minCell)+g.gap) - g.gap
	g.cols = columns(len(m.Cores), (area.W+g.cardGap)/(minCard+g.cardGap))
	if g.cols > 0 {
		g.rows = geom.CeilDiv(len(m.Cores), g.cols)
	}
	return g
}

// columns is how many of at most most columns to use for n cards: as many as
// the least number of rows needs, so that the last row is as full as can be.
func columns(n, most int) int {
	if most = min(most, n); most < 1 {
		return 0
	}
	return geom.CeilDiv(n, geom.CeilDiv(n, most))
}

func (g *grid) height() int { return g.rows*(g.cardH+g.cardGap) - g.cardGap }

// room is the height that the grid takes, of plain cells or of cards.
func (g *grid) room() int {
	if g.detail == plain {
		return g.bounds().H
	}
	return g.height()
}

// grow makes cells higher, up to most, where the area has room.
func (g *grid) grow(most int) {
	spare := (g.area.H - g.height()) / (g.rows * g.irows)
	more := max(0, min(spare, most-g.cellH))
	g.cellH += more
	g.cardH += more * g.irows
}

// fitPlain finds the largest square cells that fit. Cores are blocks of cells
// with a little room between them. Cells never vanish: the smallest is one
// pixel, whatever the area.
func fitPlain(m *machine.Machine, s theme.Scale, area geom.Rect, most int) grid {
	icols := 1
	for icols*icols < most {
		icols *= 2
	}
	pad := min(s.Px(10), area.W/8, area.H/8)
	for cell := s.Px(18); ; cell-- {
		g := grid{
			m: m, detail: plain, area: area, pad: pad, icols: icols, irows: geom.CeilDiv(most, icols),
			cellW: cell, cellH: cell, gap: min(s.Px(1), cell/3), cardGap: min(s.Px(6), cell/2),
		}
		if most == 1 {
			g.cardGap = min(s.Px(2), cell/3)
		}
		w := g.icols*(cell+g.gap) - g.gap
		g.cardH = g.irows*(cell+g.gap) - g.gap
		g.cols = min(len(m.Cores), max(1, (area.W-2*pad+g.cardGap)/(w+g.cardGap)))
		g.rows = geom.CeilDiv(len(m.Cores), g.cols)
		if cell <= 1 || g.cols*(w+g.cardGap)-g.cardGap <= area.W-2*pad && g.height() <= area.H-2*pad {
			return g
		}
	}
}

// card is the rectangle of a core.
func (g *grid) card(core int) geom.Rect {
	col, row := core%g.cols, core/g.cols
	if g.detail == plain {
		w := g.icols*(g.cellW+g.gap) - g.gap
		return geom.Rect{
			X: g.area.X + g.pad + col*(w+g.cardGap), Y: g.area.Y + g.pad + row*(g.cardH+g.cardGap), W: w, H: g.cardH,
		}
	}
	r := g.area.Column(col, g.cols, g.cardGap)
	r.Y, r.H = r.Y+row*(g.cardH+g.cardGap), g.cardH
	return r
}

// bounds is the ground below all blocks of a plain grid.
func (g *grid) bounds() geom.Rect {
	r := g.area
	r.H = min(r.H, g.height()+2*g.pad)
	return r
}

// cell is the rectangle of a strand.
func (g *grid) cell(cpu int) geom.Rect {
	core := g.m.CPUs[cpu].Core
	i := cpu - g.m.Cores[core][0]
	col, row := i%g.icols, i/g.icols
	r := g.card(core)
	if g.detail == plain {
		return geom.Rect{X: r.X + col*(g.cellW+g.gap), Y: r.Y + row*(g.cellH+g.gap), W: g.cellW, H: g.cellH}
	}
	r = r.Trim(g.head, g.pad, 0, g.pad).Column(col, g.icols, g.gap)
	r.Y, r.H = r.Y+row*(g.cellH+g.gap), g.cellH
	return r
}

// at is the strand at a place, −1 if there is none.
func (g *grid) at(p geom.Point) int {
	for cpu := range g.m.CPUs {
		if p.In(g.cell(cpu)) {
			return cpu
		}
	}
	return -1
}
