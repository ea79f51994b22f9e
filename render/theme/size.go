package theme

import "strandscope/render/scene"

// Scale is device pixels per CSS pixel, in thousandths.
type Scale int

// MinScale and MaxScale bound what is drawn at; scales outside are cut.
const (
	MinScale Scale = 500
	MaxScale Scale = 4000
)

// ScaleOf makes a valid scale of what a page reported; 0 is one to one.
func ScaleOf(permille int) Scale {
	if permille == 0 {
		return 1000
	}
	return max(MinScale, min(Scale(permille), MaxScale))
}

// Px is a length of CSS pixels in device pixels. What is not nothing in CSS
// pixels is at least one device pixel.
func (s Scale) Px(css int) int {
	if css <= 0 {
		return 0
	}
	return max(1, (css*int(s)+500)/1000)
}

// CSS is how many whole CSS pixels fit into a length of device pixels.
func (s Scale) CSS(px int) int { return px * 1000 / int(s) }

// Sub is a width of tenths of CSS pixels in the units of lines; never less
// than one device pixel, so that no line fades.
func (s Scale) Sub(tenths int) int {
	return max(scene.Sub, (tenths*int(s)*scene.Sub+5000)/10000)
}

// Size is a font size of tenths of CSS pixels.
func (s Scale) Size(tenths int) int32 {
	return int32((tenths*int(s)*scene.Unit + 5000) / 10000)
}

// Fonts are the fonts by role; sizes are the design's.
type Fonts struct {
	Heading, Value             scene.Font // over a card: its title, its figures
	Core                       scene.Font // the title of a core
	CPU, Thread, Idle          scene.Font // in a cell
	Entry, Priority, SmallName scene.Font // in the run queue
	Tick, Legend, Empty        scene.Font
	Sign                       scene.Font // of a scheduling class
	Side                       scene.Font // the title of a side of a comparison
}

// Fonts returns the fonts at a scale.
func (s Scale) Fonts() Fonts {
	sans := func(tenths int) scene.Font { return scene.Font{Size: s.Size(tenths)} }
	mono := func(tenths int) scene.Font { return scene.Font{Family: scene.Mono, Size: s.Size(tenths)} }
	bold := func(f scene.Font) scene.Font { f.Bold = true; return f }
	return Fonts{
		Heading: bold(sans(115)), Value: mono(120),
		Core: bold(sans(120)),
		CPU:  mono(105), Thread: bold(mono(115)), Idle: sans(110),
		Entry: bold(mono(105)), Priority: mono(95), SmallName: mono(95),
		Tick: mono(95), Legend: sans(105), Empty: sans(125), Sign: sans(95),
		Side: bold(sans(150)),
	}
}
