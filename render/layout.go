package render

import (
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
	marginEnd   = 14
	marginSmall = 12 // left and right below smallWidth
	smallWidth  = 560
)

// Layout places the panels for the size and scale of a view. In a wide picture
// what happens now stands left and the figures over time right; in a narrow one
// all stand below each other in the order of panel.All.
func (s *Screen) Layout(f *sim.Frame, v *act.View) []Placed {
	s.placed = s.placed[:0]
	scale := theme.ScaleOf(v.ScalePermille)
	main, side := s.split(scale, v.Width, v.Height)
	if side.Empty() {
		s.stack(f, scale, main, func(panel.Panel) bool { return true })
		return s.placed
	}
	s.stack(f, scale, main, func(p panel.Panel) bool { return p.Column() == panel.Main })
	s.stack(f, scale, side, func(p panel.Panel) bool { return p.Column() == panel.Side })
	return s.placed
}

// split cuts the picture into its columns. Side is empty for one column, which a
// side of a comparison always has.
func (s *Screen) split(scale theme.Scale, w, h int) (main, side geom.Rect) {
	r := geom.Rect{W: w, H: h}
	if s.head > 0 {
		_, r = r.CutTop(scale.Px(s.head))
		return r, geom.Rect{}
	}
	css := scale.CSS(w)
	if css < smallWidth {
		return r.Trim(scale.Px(marginTop), scale.Px(marginSmall), scale.Px(marginEnd), scale.Px(marginSmall)), geom.Rect{}
	}
	r = r.Trim(scale.Px(marginTop), scale.Px(marginRight), scale.Px(marginEnd), scale.Px(marginLeft))
	if css < twoColumns {
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
func (s *Screen) stack(f *sim.Frame, scale theme.Scale, r geom.Rect, take func(panel.Panel) bool) {
	from := len(s.placed)
	wish, least := 0, 0
	for _, p := range s.panels {
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
	if _, ok := p.(panel.Strands); ok && s.head > 0 {
		return p.Height(f, scale, w, scale.Px(sideStrands))
	}
	return p.Height(f, scale, w, 0)
}

// Height is the height in device pixels that a picture of a width would like:
// with it nothing is cut off and everything is as detailed as it should be. It
// depends on the machine and on the longest run queue so far, so it changes
// seldom during a run and never shrinks.
func (s *Screen) Height(width, scalePermille int, f *sim.Frame) int {
	scale := theme.ScaleOf(scalePermille)
	if !drawable(f) {
		return scale.Px(320)
	}
	if s.comparing(f) {
		return s.sidesHeight(width, scale, f)
	}
	main, side := s.split(scale, width, 1<<20)
	var tall [2]int
	for _, p := range s.panels {
		col, w := 0, main.W
		if p.Column() == panel.Side && !side.Empty() {
			col, w = 1, side.W
		}
		if h := s.wish(p, f, scale, w); h > 0 {
			tall[col] += h + scale.Px(panelGap)
		}
	}
	if s.head > 0 {
		return max(tall[0], tall[1]) - scale.Px(panelGap) + scale.Px(s.head)
	}
	return max(tall[0], tall[1]) - scale.Px(panelGap) + scale.Px(marginTop) + scale.Px(marginEnd)
}
