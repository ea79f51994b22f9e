package figure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"strandscope/render"
	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/svg"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// The widths of a figure in CSS pixels.
const (
	MinWidth   = 240
	MaxWidth   = 4096
	PageWidth  = 1120 // of the whole picture, unless said
	PanelWidth = 720  // of chosen panels, unless said
)

// Options say what a figure shows. The zero value is the whole picture in the dark
// theme.
type Options struct {
	Panels  []string // ids, from top to bottom; none: the whole picture
	Theme   string   // "" is the first of theme.Names
	Width   int      // in CSS pixels, MinWidth to MaxWidth; 0: the usual one
	Caption string   // "": what scenario, class and time are
	Link    string   // where the figure runs; "": none is written
}

// Run is what a figure is of. A sim.Session is one.
type Run interface {
	Now() clock.Time
	Look(l sim.Look)
	Frame() *sim.Frame
}

// SVG draws the run as it stands. The view says what is shown of it besides Options:
// ranges of time, cores instead of strands; nothing is pointed at or chosen.
func SVG(r Run, v act.View, o *Options) ([]byte, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o.view(&v)
	screen := render.NewScreen()
	f := r.Frame()
	for _, id := range o.Panels {
		if !slices.ContainsFunc(screen.Panels(f, &v), func(p render.Described) bool { return p.Panel.ID() == id }) {
			return nil, fmt.Errorf("panel %q: this scenario has nothing to show in it", id)
		}
	}
	// What is looked at changes the frame, and the frame how high the picture is.
	for range 2 {
		v.Height = screen.Height(f, &v)
		r.Look(screen.Look(f, &v, r.Now()))
		f = r.Frame()
	}
	var l scene.List
	screen.Draw(&l, f, &v, svg.Metrics{})
	caption := o.Caption
	if caption == "" {
		caption = Caption(f)
	}
	below(&l, theme.Find(v.Theme), caption, credit(f), o.Link)
	return svg.Append(nil, &l, caption, words(screen, f, &v)), nil
}

// Check reports the first thing that is wrong.
func (o *Options) Check() error {
	if o.Theme != "" && !slices.Contains(theme.Names, o.Theme) {
		return fmt.Errorf("theme is %q, want one of %s", o.Theme, strings.Join(theme.Names, ", "))
	}
	if o.Width != 0 && (o.Width < MinWidth || o.Width > MaxWidth) {
		return fmt.Errorf("width is %d, want %d to %d CSS pixels", o.Width, MinWidth, MaxWidth)
	}
	for i, id := range o.Panels {
		if !slices.Contains(act.PanelIDs, id) {
			return fmt.Errorf("panel is %q, want one of %s", id, strings.Join(act.PanelIDs, ", "))
		}
		if slices.Contains(o.Panels[:i], id) {
			return fmt.Errorf("panel %q is named twice", id)
		}
	}
	for _, text := range [...]string{o.Caption, o.Link} {
		if len(text) > maxText {
			return errors.New("caption or link is longer than 2000 octets")
		}
	}
	return nil
}

// maxText is the most octets of a caption or a link.
const maxText = 2000

// view makes v one that draws the figure.
func (o *Options) view(v *act.View) {
	v.Theme, v.ScalePermille, v.Visible = o.Theme, 1000, true
	v.Hover, v.Selected = act.Selection{}, act.Selection{}
	v.Cursor, v.Pointing, v.Band = sim.Cursor{}, act.Pointing{}, act.Band{}
	v.Width = PageWidth
	v.Panels = act.Panels{}
	if len(o.Panels) > 0 {
		v.Width = PanelWidth
		v.Panels.Order = o.Panels
		for _, id := range act.PanelIDs {
			if !slices.Contains(o.Panels, id) {
				v.Panels.Hidden = append(v.Panels.Hidden, id)
			}
		}
	}
	if o.Width > 0 {
		v.Width = o.Width
	}
}

// Caption says what a figure without a caption of its own shows.
func Caption(f *sim.Frame) string {
	text := f.Scenario.Title
	if text == "" {
		text = f.Scenario.ID
	}
	if c := f.Scenario.Class; c != "" {
		text += " · default class " + strings.Replace(c, "unset", "not set", 1)
	}
	return text + " · at " + f.Now.String()
}

func credit(f *sim.Frame) string {
	text := f.Scenario.SourceTitle
	if text == "" {
		return ""
	}
	if note := f.Scenario.SourceNote; note != "" {
		text += ", " + note
	}
	return "Source: " + text
}

// words are what the panels shown say in sentences.
func words(s *render.Screen, f *sim.Frame, v *act.View) string {
	var all []string
	for _, p := range s.Panels(f, v) {
		switch {
		case !p.Shown:
		case p.Words != "":
			all = append(all, p.Words)
		default: // nothing has happened yet that it could tell
			all = append(all, p.Panel.Title()+".")
		}
	}
	return strings.Join(all, "\n")
}

// The measures of what stands below a picture, in pixels.
const (
	belowMargin = 20
	belowTop    = 8
	belowLine   = 18
	belowEnd    = 12
)

// below writes caption, source and link under the picture, each in as many lines as
// it needs.
func below(l *scene.List, p *theme.Palette, caption, source, link string) {
	fonts := theme.Scale(1000).Fonts()
	size := l.Size()
	var lines []string
	var styles []scene.Style
	add := func(text string, st scene.Style) {
		for _, line := range wrap(l, st.Font, text, size.W-2*belowMargin) {
			lines, styles = append(lines, line), append(styles, st)
		}
	}
	add(caption, scene.Style{Font: fonts.Empty, Color: p.Ink})
	add(source, scene.Style{Font: fonts.Legend, Color: p.Dim})
	add(link, scene.Style{Font: fonts.Legend, Color: p.Accent})
	h := belowTop + len(lines)*belowLine + belowEnd
	l.Grow(h)
	l.Unclip()
	l.Fill(geom.Rect{Y: size.H, W: size.W, H: h}, p.Background)
	for i, line := range lines {
		l.Text(styles[i], belowMargin, size.H+belowTop+(i+1)*belowLine-4, line)
	}
}

// wrap cuts a text into lines no wider than w: between words, and within a word
// that is too wide by itself.
func wrap(l *scene.List, f scene.Font, text string, w int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && l.Width(f, line+" "+word) <= w {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = ""
		for _, r := range word {
			if line != "" && l.Width(f, line+string(r)) > w {
				lines, line = append(lines, line), ""
			}
			line += string(r)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
