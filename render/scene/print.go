package scene

import (
	"fmt"
	"io"
	"strings"
)

// String is the list as text, one item a line, for goldens and bug reports.
func (l *List) String() string {
	var b strings.Builder
	l.Fprint(&b)
	return b.String()
}

// Fprint writes the list as text.
func (l *List) Fprint(w io.Writer) {
	fmt.Fprintf(w, "size %d×%d\n", l.size.W, l.size.H)
	for i := range l.Items {
		it := &l.Items[i]
		switch it.Op {
		case RectOp:
			fmt.Fprintf(w, "rect %v%s\n", it.Rect, it.Box)
		case ClipOp:
			fmt.Fprintf(w, "clip %v\n", it.Rect)
		case TextOp:
			fmt.Fprintf(w, "text %d,%d %s %q\n", it.X, it.Y, it.Style, l.Bytes(it))
		case LineOp:
			fmt.Fprintf(w, "line %s", it.Stroke)
			for _, p := range l.Points(it) {
				fmt.Fprintf(w, " %s,%s", px(p.X), px(p.Y))
			}
			fmt.Fprintln(w)
		}
	}
}

// px writes a sub-pixel figure without needless noughts.
func px(v int) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", float64(v)/Sub), "0"), ".")
}

func (c Color) String() string {
	if c.A == 255 {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
}

// String gives only what draws something.
func (b Box) String() string {
	var s strings.Builder
	if b.Fill.A > 0 {
		fmt.Fprintf(&s, " fill %s", b.Fill)
	}
	if b.Border.A > 0 {
		fmt.Fprintf(&s, " border %s", b.Border)
		if b.Width > 1 {
			fmt.Fprintf(&s, "/%d", b.Width)
		}
	}
	if b.Radius > 0 {
		fmt.Fprintf(&s, " radius %d", b.Radius)
	}
	if b.Hatch.A > 0 {
		fmt.Fprintf(&s, " hatch %s/%d", b.Hatch, b.HatchPitch)
	}
	return s.String()
}

func (s Stroke) String() string {
	return fmt.Sprintf("%s %s %s", s.Color, px(s.Width), [...]string{"solid", "dashed", "dotted"}[s.Dash])
}

func (f Font) String() string {
	name := [...]string{"sans", "mono"}[f.Family]
	if f.Bold {
		name += " bold"
	}
	return fmt.Sprintf("%s %.4g", name, float64(f.Size)/Unit)
}

func (s Style) String() string {
	return fmt.Sprintf("%s %s %s", s.Font, s.Color, [...]string{"left", "center", "right"}[s.Align])
}
