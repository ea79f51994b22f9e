package theme

import (
	"math"

	"strandscope/render/scene"
	"strandscope/sim/sched"
)

// Palette holds the colours of a theme by role.
type Palette struct {
	Name string
	// Background lies behind the panels, Panel inside their cards, Raise in
	// tooltips, Idle in cells and meters that hold nothing.
	Background, Panel, Raise, Idle scene.Color
	// Line is for borders, Grid for the lines of a plot's axes. Faint is for strokes that may be
	// overlooked; it is too weak for text.
	Line, Grid, Faint scene.Color
	// Ink and Dim are for text, the second for what is read second.
	Ink, Dim scene.Color
	// Accent marks what is busy, Warn what deserves a second look.
	Accent, Warn scene.Color
	// Cell is text on a thread's hue; CellTrack and CellBar are the empty and
	// full part of a bar there.
	Cell, CellTrack, CellBar scene.Color
	// Hatch strokes strands that idle while work waits.
	Hatch scene.Color
	// Classes of scheduling.
	TS, FSS, FX, IA, RT, SYS, Unset scene.Color
	// hue's saturation and lightness, in percent.
	saturation, lightness float64
}

var dark = Palette{
	Name:       "dark",
	Background: scene.Hex(0x0e1218), Panel: scene.Hex(0x151b24), Raise: scene.Hex(0x1c2430), Idle: scene.Hex(0x1a212b),
	Line: scene.Hex(0x2a3544), Grid: scene.Hex(0x2a3544), Faint: scene.Hex(0x65748a),
	Ink: scene.Hex(0xe8edf4), Dim: scene.Hex(0x93a1b4),
	Accent: scene.Hex(0x56b4e9), Warn: scene.Hex(0xe6a23c),
	Cell: scene.Hex(0x06101a), CellTrack: scene.Hex(0x060c14).Alpha(64), CellBar: scene.Hex(0x060c14).Alpha(204),
	Hatch: scene.Hex(0xe6a23c).Alpha(84),
	TS:    scene.Hex(0x56b4e9), FSS: scene.Hex(0x2fbf9b), FX: scene.Hex(0xe6a23c), IA: scene.Hex(0x8ab8ff),
	RT: scene.Hex(0xff6b5e), SYS: scene.Hex(0xb7a6ff), Unset: scene.Hex(0x9aa7b8),
	saturation: 42, lightness: 63,
}

var light = Palette{
	Name:       "light",
	Background: scene.Hex(0xf4f6f9), Panel: scene.Hex(0xffffff), Raise: scene.Hex(0xeef2f7), Idle: scene.Hex(0xe6ebf2),
	Line: scene.Hex(0xd3dbe6), Grid: scene.Hex(0xd3dbe6), Faint: scene.Hex(0x768396),
	Ink: scene.Hex(0x141a22), Dim: scene.Hex(0x526074),
	Accent: scene.Hex(0x0b6fb5), Warn: scene.Hex(0x965700),
	Cell: scene.Hex(0x06101a), CellTrack: scene.Hex(0x060c14).Alpha(64), CellBar: scene.Hex(0x060c14).Alpha(204),
	Hatch: scene.Hex(0x965700).Alpha(84),
	TS:    scene.Hex(0x0b6fb5), FSS: scene.Hex(0x007a5e), FX: scene.Hex(0x965700), IA: scene.Hex(0x3b62c9),
	RT: scene.Hex(0xc8321f), SYS: scene.Hex(0x6a4fc4), Unset: scene.Hex(0x65748a),
	saturation: 48, lightness: 74,
}

// projector is for washed-out pictures on a wall: text has a contrast of 7 and
// cells and lines of 3 at least.
var projector = Palette{
	Name:       "projector",
	Background: scene.Hex(0xffffff), Panel: scene.Hex(0xffffff), Raise: scene.Hex(0xf2f2f2), Idle: scene.Hex(0xf2f2f2),
	Line: scene.Hex(0x767676), Grid: scene.Hex(0xc4c4c4), Faint: scene.Hex(0x5a5a5a),
	Ink: scene.Hex(0x000000), Dim: scene.Hex(0x303030),
	Accent: scene.Hex(0x004f8f), Warn: scene.Hex(0x7a3e00),
	Cell: scene.Hex(0xffffff), CellTrack: scene.Hex(0xffffff).Alpha(80), CellBar: scene.Hex(0xffffff),
	Hatch: scene.Hex(0x7a3e00).Alpha(110),
	TS:    scene.Hex(0x004f8f), FSS: scene.Hex(0x00543f), FX: scene.Hex(0x7a3e00), IA: scene.Hex(0x2a3fa0),
	RT: scene.Hex(0xa01010), SYS: scene.Hex(0x4a2f9a), Unset: scene.Hex(0x4a4a4a),
	saturation: 60, lightness: 22,
}

// Names lists the themes, the default first.
var Names = []string{"dark", "light", "projector"}

// Find returns the palette of a name; unknown names give the dark one.
func Find(name string) *Palette {
	switch name {
	case light.Name:
		return &light
	case projector.Name:
		return &projector
	}
	return &dark
}

// Classes are the scheduling classes that have a colour and a sign of their own, in
// the order of legends: those of Solaris, then those of Linux.
var Classes = []string{"TS", "FSS", "FX", "IA", "RT", "SYS", "OTHER", "FIFO", "RR"}

// Class is the colour of a scheduling class by its name.
func (p *Palette) Class(name string) scene.Color {
	switch name {
	case "TS", "OTHER":
		return p.TS
	case "FSS":
		return p.FSS
	case "FX", "RR":
		return p.FX
	case "IA":
		return p.IA
	case "RT", "FIFO":
		return p.RT
	case "SYS":
		return p.SYS
	}
	return p.Unset
}

// Sign is the form that tells a scheduling class apart where colours do not; that of
// any other class is a ring. No class of one kernel has the sign of another. The
// page's style sheet has the same.
func Sign(class string) string {
	switch class {
	case "TS", "OTHER":
		return "●"
	case "FSS":
		return "■"
	case "FX", "RR":
		return "▲"
	case "IA":
		return "◆"
	case "RT", "FIFO":
		return "✚"
	case "SYS":
		return "▼"
	}
	return "○"
}

// Thread is the colour of a thread. Hues advance by the golden angle, so
// threads created one after the other never look alike.
func (p *Palette) Thread(id sched.ThreadID) scene.Color {
	return hsl(math.Mod(float64(id)*137.5+200, 360), p.saturation/100, p.lightness/100)
}

// hsl is the CSS function of that name.
func hsl(h, s, l float64) scene.Color {
	a := s * min(l, 1-l)
	f := func(n float64) uint8 {
		k := math.Mod(n+h/30, 12)
		return uint8(math.Round(255 * (l - a*max(-1, min(k-3, 9-k, 1)))))
	}
	return scene.Color{R: f(0), G: f(8), B: f(4), A: 255}
}

// Over is the colour seen where c, perhaps translucent, lies on an opaque one.
func Over(c, under scene.Color) scene.Color {
	mix := func(a, b uint8) uint8 {
		return uint8((int(a)*int(c.A) + int(b)*(255-int(c.A)) + 127) / 255)
	}
	return scene.Color{R: mix(c.R, under.R), G: mix(c.G, under.G), B: mix(c.B, under.B), A: 255}
}

// Contrast is WCAG's contrast ratio of two opaque colours, 1 to 21.
func Contrast(a, b scene.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c scene.Color) float64 {
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}
