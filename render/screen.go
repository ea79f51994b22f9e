package render

import (
	"slices"
	"strings"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/panel"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// Placed is a panel and the rectangle it draws in.
type Placed struct {
	Panel panel.Panel
	Rect  geom.Rect
}

// Screen is the whole picture. It holds no state of the run, only storage.
type Screen struct {
	panels []panel.Panel
	placed []Placed
	// ordered and wanted are storage of shown.
	ordered, wanted []panel.Panel

	// Words puts the picture's texts into the reader's language; nil leaves them.
	Words scene.Words

	half *Screen // draws a side of a comparison
	head int     // of a half: room above its panels in CSS pixels
}

// NewScreen returns a screen of all panels.
func NewScreen() *Screen {
	return &Screen{panels: panel.All, half: &Screen{panels: panel.Compared, head: sideHead}}
}

// Draw fills a list with the picture of a frame as v looks at it. The list is
// reset first; m must measure as the painter draws.
func (s *Screen) Draw(l *scene.List, f *sim.Frame, v *act.View, m scene.Metrics) {
	size := geom.Size{W: v.Width, H: v.Height}
	l.Reset(size, m)
	l.Speak(s.Words)
	l.Fill(geom.Rect{W: size.W, H: size.H}, theme.Find(v.Theme).Background)
	if !drawable(f) {
		return
	}
	if s.comparing(f) {
		s.drawSides(l, f, v)
		return
	}
	s.panelsOf(l, f, v)
}

// panelsOf draws the panels, and what lies over them.
func (s *Screen) panelsOf(l *scene.List, f *sim.Frame, v *act.View) {
	placed := s.Layout(f, v)
	for _, p := range placed {
		p.Panel.Draw(l, f, v, p.Rect)
	}
	if s.head == 0 {
		panel.Legend(l, f, v, legend(v, s.oneColumn(v)))
		panel.Movement(l, f, v)
	}
	for _, p := range placed {
		if _, ok := p.Panel.(panel.Timeline); ok {
			panel.TimeTooltip(l, f, v, p.Rect)
		}
	}
	if v.Hover.Kind != act.NoSelection {
		panel.Tooltip(l, f, v, where(placed, v.Hover, f, v))
	}
}

// Look says which parts of the past a frame has to hold to be drawn at now. It
// is asked of the last frame: one for another machine or size may not fit, and
// has to be asked again.
func (s *Screen) Look(f *sim.Frame, v *act.View, now clock.Time) sim.Look {
	var l sim.Look
	if !drawable(f) {
		return l
	}
	if s.comparing(f) {
		x := s.sideOf(f, v, v.Sides.Right)
		return s.half.Look(&x.f, &x.v, now)
	}
	l.Timeline.From, l.Timeline.To = v.Shown(now)
	for _, p := range s.Layout(f, v) {
		if q, ok := p.Panel.(panel.Looker); ok && v.Width > 0 {
			l.Timeline = q.Look(f, v, p.Rect, now)
		}
	}
	l.Cursor = v.Cursored()
	l.PlotFrom, l.PlotTo = v.ShownInPlots(now, 0)
	return l
}

// PointAt is the moment that lies under a device pixel, for View.Pointing.
func (s *Screen) PointAt(px, py int, f *sim.Frame, v *act.View) act.Pointing {
	if !drawable(f) {
		return act.Pointing{}
	}
	if s.comparing(f) {
		x := s.sideOf(f, v, v.Sides.Right)
		at := x.inside(geom.Point{X: px, Y: py})
		return s.half.PointAt(at.X, at.Y, &x.f, &x.v)
	}
	at := geom.Point{X: px, Y: py}
	for _, p := range s.Layout(f, v) {
		if q, ok := p.Panel.(panel.Pointed); ok && at.In(p.Rect) {
			return q.PointAt(at, f, v, p.Rect)
		}
	}
	return act.Pointing{}
}

// Key returns the command of a key, nil if no panel knows it.
func (s *Screen) Key(key string, shift bool, f *sim.Frame, v *act.View) act.Command {
	if !drawable(f) {
		return nil
	}
	if s.comparing(f) {
		x := s.sideOf(f, v, v.Sides.Right)
		return s.half.Key(key, shift, &x.f, &x.v)
	}
	for _, p := range s.Layout(f, v) {
		if q, ok := p.Panel.(panel.Keyed); ok {
			if c := q.Key(key, shift, f, v, p.Rect); c != nil {
				return c
			}
		}
	}
	return nil
}

// Drag returns the command of a drag, which belongs to the panel where it began.
func (s *Screen) Drag(in panel.Input, f *sim.Frame, v *act.View) act.Command {
	return s.input(in, in.Start, f, v)
}

// Wheel zooms in by so many notches.
func (s *Screen) Wheel(x, y, notches int, f *sim.Frame, v *act.View) act.Command {
	at := geom.Point{X: x, Y: y}
	return s.input(panel.Input{Kind: panel.Wheel, At: at, Notches: notches}, at, f, v)
}

// where is the rectangle of what sel names, empty if it is not in the picture.
func where(placed []Placed, sel act.Selection, f *sim.Frame, v *act.View) geom.Rect {
	for _, p := range placed {
		if loc, ok := p.Panel.(panel.Locator); ok {
			if r := loc.Where(sel, f, v, p.Rect); !r.Empty() {
				return r
			}
		}
	}
	return geom.Rect{}
}

// drawable reports whether a frame can be drawn: before the first run has been
// loaded there is none.
func drawable(f *sim.Frame) bool {
	return f != nil && f.Machine != nil && len(f.CPUs) == len(f.Machine.CPUs) && len(f.CPUs) > 0
}

// Click returns the command of a click at a device pixel: it selects the
// strand or the waiting thread there. Nil means that nothing is there.
func (s *Screen) Click(x, y int, f *sim.Frame, v *act.View) act.Command {
	at := geom.Point{X: x, Y: y}
	return s.input(panel.Input{Kind: panel.Click, At: at}, at, f, v)
}

// Hover returns what lies under a device pixel, for View.Hover; the zero
// Selection if nothing does.
func (s *Screen) Hover(x, y int, f *sim.Frame, v *act.View) act.Selection {
	at := geom.Point{X: x, Y: y}
	cmd := s.input(panel.Input{Kind: panel.Hover, At: at}, at, f, v)
	if sel, ok := cmd.(act.Select); ok {
		return sel.Selection
	}
	return act.Selection{}
}

func (s *Screen) input(in panel.Input, at geom.Point, f *sim.Frame, v *act.View) act.Command {
	if !drawable(f) {
		return nil
	}
	if s.comparing(f) {
		x := s.sideOf(f, v, v.Sides.Right)
		in.At, in.Start = x.inside(in.At), x.inside(in.Start)
		return s.half.input(in, x.inside(at), &x.f, &x.v)
	}
	for _, p := range s.Layout(f, v) {
		if at.In(p.Rect) {
			return p.Panel.Handle(in, f, v, p.Rect)
		}
	}
	return nil
}

// Cell is the rectangle of a strand's cell in device pixels, empty if there is
// no such strand. It serves tests, and marks that the page lays over the canvas.
func (s *Screen) Cell(cpu int, f *sim.Frame, v *act.View) geom.Rect {
	if !drawable(f) {
		return geom.Rect{}
	}
	if s.comparing(f) {
		x := s.sideOf(f, v, v.Sides.Right)
		r := s.half.Cell(cpu, &x.f, &x.v)
		r.X += x.r.X
		r.Y += x.r.Y
		return r
	}
	return where(s.Layout(f, v), act.Selection{Kind: act.StrandSelection, CPU: cpu}, f, v)
}

// Describe tells the picture in whole sentences: first the strands, then the
// figures, then what waits, and last what is selected.
func (s *Screen) Describe(f *sim.Frame, v *act.View) string {
	if !drawable(f) {
		return "No run is loaded."
	}
	if s.comparing(f) {
		return s.describeSides(f, v)
	}
	var said []string
	for pass := range 3 {
		for i, p := range s.panels {
			order := 2
			switch {
			case i == 0:
				order = 0
			case p.Column() == panel.Side:
				order = 1
			}
			if order == pass && v.Panels.Shows(p.ID()) {
				if text := p.Describe(f, v); text != "" {
					said = append(said, text)
				}
			}
		}
	}
	if text := panel.DescribeMotion(f, v); text != "" {
		said = append(said, text)
	}
	if text := panel.DescribeSelection(f, v); text != "" {
		said = append(said, text)
	}
	return strings.Join(said, " ")
}

// Described is a panel, whether it is shown, and what it shows in words.
type Described struct {
	Panel panel.Panel
	Shown bool
	Words string
}

// Panels lists the panels that have something to show, in the view's order.
func (s *Screen) Panels(f *sim.Frame, v *act.View) []Described {
	if !drawable(f) {
		return nil
	}
	if s.comparing(f) {
		return s.sidePanels(f, v)
	}
	s.shown(f, v)
	all := make([]Described, 0, len(s.ordered))
	for _, p := range s.ordered {
		all = append(all, Described{p, !slices.Contains(v.Panels.Hidden, p.ID()), p.Describe(f, v)})
	}
	return all
}
