package render

import (
	"slices"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/panel"
	"strandscope/render/theme"
	"strandscope/sim"
)

// The measures of the layout in CSS pixels; those of wide pictures are the
// design's.
const (
	twoColumns  = 900 // from this width on, plots stand in a column of their own
	sideWidth   = 348
	columnGap   = 24
	panelGap    = 18
	marginTop   = 10
	marginLeft  = 20
	marginRight = 18
	marginEnd   = 4 // below the legend
	legendGap   = 6
	marginSmall = 12 // left and right below smallWidth
	smallWidth  = 560
	largeHeight = 560 // of a panel that fills the picture, at least
	// Of compact pictures.
	compactTwo   = 560 // two columns from this width on
	compactSide  = 36  // percent of the width that the side column takes
	compactGap   = 16
	compactTall  = 350 // the height wished for in two columns, at most
	compactStack = 620 // … in one
)

// Layout places the panels for the size and scale of a view. In a wide picture
// what happens now stands left and the figures over time right; in a narrow one
// all stand below each other. The view says which are shown and in what order; one
// may fill the picture. The legend takes the bottom, or in a narrow picture, whose bottom
// is out of view, the top.
func (s *Screen) Layout(f *sim.Frame, v *act.View) []Placed {
	s.placed = s.placed[:0]
	scale := theme.ScaleOf(v.ScalePermille)
	main, side := s.split(scale, v, v.Height-s.below(scale, v.Width))
	if side.Empty() && s.head == 0 {
		main.Y += s.below(scale, v.Width) // the legend is above
	}
	shown := s.shown(f, v)
	if v.Panels.Large != "" && len(shown) == 1 {
		if !side.Empty() {
			main.W = side.Right() - main.X
		}
		s.placed = append(s.placed, Placed{shown[0], main})
		return s.placed
	}
	if side.Empty() || oneColumn(shown) {
		if !side.Empty() {
			main.W = side.Right() - main.X
		}
		s.stack(f, scale, main, shown, func(panel.Panel) bool { return true })
		return s.placed
	}
	s.stack(f, scale, main, shown, func(p panel.Panel) bool { return p.Column() == panel.Main })
	s.stack(f, scale, side, shown, func(p panel.Panel) bool { return p.Column() == panel.Side })
	return s.placed
}

// shown are the panels that have something to show and are wanted, in the view's
// order; all of them where none would be left.
func (s *Screen) shown(f *sim.Frame, v *act.View) []panel.Panel {
	scale := theme.ScaleOf(v.ScalePermille)
	s.ordered, s.wanted = s.ordered[:0], s.wanted[:0]
	for _, p := range s.panels {
		if p.Height(f, scale, scale.Px(sideWidth), 0) > 0 {
			if _, ok := p.(panel.Strands); ok && v.Cores && panel.HasCores(f.Machine) {
				p = panel.CoreView{}
			}
			s.ordered = append(s.ordered, p)
		}
	}
	if len(v.Panels.Order) > 0 {
		rank := func(p panel.Panel) int { return v.Panels.Rank(p.ID(), slices.Index(act.PanelIDs, p.ID())) }
		for i := range s.ordered { // a sort that is short: there are few, and it has to be stable
			for j := i; j > 0 && rank(s.ordered[j]) < rank(s.ordered[j-1]); j-- {
				s.ordered[j], s.ordered[j-1] = s.ordered[j-1], s.ordered[j]
			}
		}
	}
	for _, p := range s.ordered {
		if v.Panels.Shows(p.ID()) {
			s.wanted = append(s.wanted, p)
		}
	}
	if len(s.wanted) == 0 {
		return s.ordered
	}
	return s.wanted
}

// oneColumn reports whether all panels belong into the same column.
func oneColumn(all []panel.Panel) bool {
	return !slices.ContainsFunc(all, func(p panel.Panel) bool { return p.Column() != all[0].Column() })
}

// legend is the strip at the bottom of a picture, or at the top of one column, whose
// bottom is out of view.
func legend(v *act.View, column bool) geom.Rect {
	s := theme.ScaleOf(v.ScalePermille)
	r := margins(s, v.Width, v.Height)
	h := panel.LegendHeight(s, v.Width)
	if column {
		return geom.Rect{X: r.X, Y: r.Y, W: r.W, H: h}
	}
	return geom.Rect{X: r.X, Y: r.Bottom() - h, W: r.W, H: h}
}

// below is the room that the legend takes. The sides of a comparison share one.
func (s *Screen) below(scale theme.Scale, w int) int {
	if s.head > 0 {
		return 0
	}
	return panel.LegendHeight(scale, w) + scale.Px(legendGap)
}

// oneColumn reports whether a picture is too narrow for two columns.
func (s *Screen) oneColumn(v *act.View) bool {
	_, side := s.split(theme.ScaleOf(v.ScalePermille), v, v.Height)
	return side.Empty()
}

// margins are what is left of a picture within its margins.
func margins(s theme.Scale, w, h int) geom.Rect {
	left, right := marginLeft, marginRight
	if s.CSS(w) < smallWidth {
		left, right = marginSmall, marginSmall
	}
	return geom.Rect{W: w, H: h}.Trim(s.Px(marginTop), s.Px(right), s.Px(marginEnd), s.Px(left))
}

// split cuts the picture into its columns. Side is empty for one column, which a
// side of a comparison always has.
func (s *Screen) split(scale theme.Scale, v *act.View, h int) (main, side geom.Rect) {
	w, css := v.Width, scale.CSS(v.Width)
	if s.head > 0 {
		_, r := geom.Rect{W: w, H: h}.CutTop(scale.Px(s.head))
		return r, geom.Rect{}
	}
	if v.Panels.Compact && css >= compactTwo && css < twoColumns {
		r := geom.Rect{W: w, H: h}.Trim(scale.Px(marginTop), scale.Px(marginSmall), scale.Px(marginEnd), scale.Px(marginSmall))
		side, main = r.CutRight(r.W * compactSide / 100)
		main.W -= scale.Px(compactGap)
		return main, side
	}
	r := margins(scale, w, h)
	if scale.CSS(w) < twoColumns {
		return r, geom.Rect{}
	}
	side, main = r.CutRight(scale.Px(sideWidth))
	main.W -= scale.Px(columnGap)
	return main, side
}

// stack places panels below each other in r. Each gets the height it would
// like; what is left over is offered to all in equal parts, and what is lacking
// is taken from all above their least height in equal proportion. A picture too
// low even for that is cut off at the bottom: see Height.
func (s *Screen) stack(f *sim.Frame, scale theme.Scale, r geom.Rect, all []panel.Panel, take func(panel.Panel) bool) {
	from := len(s.placed)
	wish, least := 0, 0
	for _, p := range all {
		if take(p) {
			h := s.wish(p, f, scale, r.W)
			if h == 0 {
				continue
			}
			s.placed = append(s.placed, Placed{p, geom.Rect{X: r.X, W: r.W, H: h}})
			wish += h
			least += min(h, scale.Px(p.MinSize().H))
		}
	}
	mine := s.placed[from:]
	room := r.H - scale.Px(panelGap)*(len(mine)-1)
	y := r.Y
	spare, lack, give := max(0, room-wish), max(0, wish-room), max(1, wish-least)
	for i := range mine {
		p := &mine[i]
		switch h := p.Rect.H; {
		case spare > 0:
			p.Rect.H = max(h, p.Panel.Height(f, scale, r.W, h+spare/(len(mine)-i)))
			spare -= p.Rect.H - h
		case lack > 0:
			floor := min(h, scale.Px(p.Panel.MinSize().H))
			most := max(floor, h-geom.CeilDiv((h-floor)*min(lack, give), give))
			p.Rect.H = min(most, p.Panel.Height(f, scale, r.W, most))
		}
		p.Rect.Y = y
		y += p.Rect.H + scale.Px(panelGap)
	}
}

// wish is the height that a panel would like. On a side of a comparison strands take
// less, so that the table of differences comes into sight.
func (s *Screen) wish(p panel.Panel, f *sim.Frame, scale theme.Scale, w int) int {
	if s.head > 0 && p.ID() == (panel.Strands{}).ID() {
		return p.Height(f, scale, w, scale.Px(sideStrands))
	}
	return p.Height(f, scale, w, 0)
}

// Height is the height in device pixels that a picture of a view's width and scale
// would like: with it nothing is cut off and everything is as detailed as it should
// be. It depends on the machine, on the panels and on the longest run queue so far,
// so it changes seldom during a run and never shrinks by itself.
func (s *Screen) Height(f *sim.Frame, v *act.View) int {
	scale := theme.ScaleOf(v.ScalePermille)
	if !drawable(f) {
		return scale.Px(320)
	}
	if s.comparing(f) {
		return s.sidesHeight(f, v)
	}
	main, side := s.split(scale, v, 1<<20)
	shown := s.shown(f, v)
	if !side.Empty() && oneColumn(shown) {
		main.W, side = side.Right()-main.X, geom.Rect{}
	}
	var tall, floor [2]int
	for _, p := range shown {
		col, w := 0, main.W
		if p.Column() == panel.Side && !side.Empty() {
			col, w = 1, side.W
		}
		if h := s.wish(p, f, scale, w); h > 0 {
			tall[col] += h + scale.Px(panelGap)
			floor[col] += min(h, scale.Px(p.MinSize().H)) + scale.Px(panelGap)
		}
	}
	least := 0
	if v.Panels.Large != "" {
		least = scale.Px(largeHeight)
	}
	wish := max(tall[0], tall[1])
	if v.Panels.Compact {
		most := scale.Px(compactTall)
		if side.Empty() {
			most = scale.Px(compactStack)
		}
		wish = max(min(wish, most), floor[0], floor[1])
	}
	tallest := max(least, wish) - scale.Px(panelGap)
	if s.head > 0 {
		return tallest + scale.Px(s.head)
	}
	return tallest + scale.Px(marginTop) + scale.Px(marginEnd) + s.below(scale, v.Width)
}
