package panel

import (
	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// Panel is a part of the picture. Everything it may use comes as arguments.
type Panel interface {
	// ID names the panel in links and tests.
	ID() string
	// Title is what its heading says.
	Title() string
	// Column is where it stands when there is room for two columns.
	Column() Column
	// MinSize is the least room it can be read in, in CSS pixels.
	MinSize() geom.Size
	// Height is the height in device pixels that the panel would like at a
	// width when it may have at most most; with most 0, when it may choose. A
	// panel that has nothing to show for the scenario is 0 high and left out.
	Height(f *sim.Frame, s theme.Scale, width, most int) int
	// Draw draws inside r and nowhere else.
	Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect)
	// Handle answers input inside r; nil means: not mine.
	Handle(in Input, f *sim.Frame, v *act.View, r geom.Rect) act.Command
	// Describe tells the same facts in whole sentences.
	Describe(f *sim.Frame, v *act.View) string
}

// Locator is a panel whose things can be pointed at.
type Locator interface {
	// Where is the rectangle of what sel names in a panel drawn in r, empty if
	// it is not there.
	Where(sel act.Selection, f *sim.Frame, v *act.View, r geom.Rect) geom.Rect
}

// Looker is a panel that shows a part of the past, which frames have to hold.
type Looker interface {
	// Look says which part, for a picture drawn at now.
	Look(f *sim.Frame, v *act.View, r geom.Rect, now clock.Time) stats.Query
}

// Pointed is a panel in which moments of the run can be pointed at.
type Pointed interface {
	PointAt(at geom.Point, f *sim.Frame, v *act.View, r geom.Rect) act.Pointing
}

// Keyed is a panel that understands keys, named as browsers name them.
type Keyed interface {
	Key(key string, shift bool, f *sim.Frame, v *act.View, r geom.Rect) act.Command
}

// Column is a column of the picture.
type Column uint8

// The columns: Main for what happens now, Side for figures over time.
const (
	Main Column = iota
	Side
)

// All lists the panels in their order on the page.
var All = []Panel{
	Strands{},
	RunQueue{},
	Gantt{},
	Timeline{},
	LoadAverage{},
	Utilisation{},
	QueueLength{},
	Ladder{},
	WakeLatency{},
	Cost{},
}

// Compared lists the panels of each side where two runs are beside each other.
var Compared = []Panel{
	Strands{},
	Timeline{},
	LoadAverage{},
}

// Input is something done to the picture at a place.
type Input struct {
	Kind InputKind
	At   geom.Point // device pixels
	// Of a drag: where it began, how far it went since it was last heard of,
	// whether Shift is held, and whether it is over.
	Start       geom.Point
	DX          int
	Shift, Done bool
	// Notches of a wheel: positive zoom in.
	Notches int
}

// InputKind is what was done.
type InputKind uint8

// The kinds of input.
const (
	Click InputKind = iota
	Hover
	Drag
	Wheel
)

// pen is what all panels draw with.
type pen struct {
	*scene.List
	f     *sim.Frame
	v     *act.View
	p     *theme.Palette
	s     theme.Scale
	fonts theme.Fonts
	// Of the line that is drawn: the key of its first task, and whether all stand back.
	first int64
	back  bool
}

func newPen(l *scene.List, f *sim.Frame, v *act.View) *pen {
	s := theme.ScaleOf(v.ScalePermille)
	return &pen{List: l, f: f, v: v, p: theme.Find(v.Theme), s: s, fonts: s.Fonts()}
}

// headingHeight is the room above a card, in CSS pixels: the heading's
// baseline stands at headingBase.
const (
	headingHeight = 22
	headingBase   = 12
)

// value is the figures at the right of a heading; warn is set off by colour
// and comes after a dot.
type value struct{ text, warn string }

func (h value) join() string {
	switch {
	case h.text == "":
		return h.warn
	case h.warn == "":
		return h.text
	}
	return h.text + " · " + h.warn
}

// heading draws a title and figures in the strip above a card, and returns the
// rest of r. Both come in forms from long to short; figures are shortened last,
// since they are what one looks for.
func (d *pen) heading(r geom.Rect, titles []string, values ...value) geom.Rect {
	strip, rest := r.CutTop(d.s.Px(headingHeight))
	base := strip.Y + d.s.Px(headingBase)
	if base > strip.Bottom() {
		return rest
	}
	title, val := d.fitHeading(strip.W, titles, values)
	x := strip.Right()
	if val.warn != "" {
		d.Text(scene.Style{Font: d.fonts.Value, Color: d.p.Warn, Align: scene.Right}, x, base, val.warn)
		x -= d.Width(d.fonts.Value, val.warn)
		if val.text != "" {
			val.text += " · "
		}
	}
	d.Text(scene.Style{Font: d.fonts.Value, Color: d.p.Ink, Align: scene.Right}, x, base, val.text)
	d.Text(scene.Style{Font: d.fonts.Heading, Color: d.p.Dim}, strip.X, base, title)
	return rest
}

func (d *pen) fitHeading(w int, titles []string, values []value) (string, value) {
	gap := d.s.Px(12)
	for _, v := range values {
		vw := d.Width(d.fonts.Value, v.join())
		for _, t := range titles {
			if d.Width(d.fonts.Heading, upper(t))+gap+vw <= w {
				return upper(t), v
			}
		}
	}
	for _, v := range values {
		if d.Width(d.fonts.Value, v.join()) <= w {
			return "", v
		}
	}
	return "", value{}
}

// upper capitalises the letters that headings use; strings.ToUpper would do the
// same with a table for every script.
func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// card draws the ground that panels put their things on.
func (d *pen) card(r geom.Rect, radius int) {
	d.Rect(r, scene.Box{Fill: d.p.Panel, Border: d.p.Line, Radius: d.s.Px(radius), Width: d.s.Px(1)})
}

// outline marks what is selected or pointed at. It lies inside r.
func (d *pen) outline(r geom.Rect, mark mark, radius int) {
	switch mark {
	case unmarked:
	case selected:
		d.Rect(r, scene.Box{Border: d.p.Ink, Width: d.s.Px(2), Radius: radius})
	case hovered:
		d.Rect(r, scene.Box{Border: d.p.Dim, Width: d.s.Px(1), Radius: radius})
	}
}

// mark is how something is set off.
type mark uint8

const (
	unmarked mark = iota
	hovered
	selected
)

// markOf says how a strand and its thread, or a waiting thread (cpu −1), are
// set off: what is selected and what is pointed at are marked on both panels.
func (d *pen) markOf(cpu int, thread int32) mark {
	is := func(sel act.Selection) bool {
		switch sel.Kind {
		case act.NoSelection:
		case act.StrandSelection:
			return sel.CPU == cpu
		case act.ThreadSelection:
			return thread >= 0 && int32(sel.Thread) == thread
		}
		return false
	}
	switch {
	case is(d.v.Selected):
		return selected
	case is(d.v.Hover):
		return hovered
	}
	return unmarked
}

// thread returns a thread of a frame, nil if there is none of that id.
func thread[ID ~int32](f *sim.Frame, id ID) *sim.Thread {
	if id < 0 || int(id) >= len(f.Threads) {
		return nil
	}
	return &f.Threads[id]
}
