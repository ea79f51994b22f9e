//go:build js || desktop

package main

import (
	"fmt"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"strandscope/render"
	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/paint"
	"strandscope/render/panel"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/web/proto"
)

// picture is the screen and what paints it: the app's eyes and hands.
type picture struct {
	screen  *render.Screen
	list    scene.List
	motion  render.Motion
	painter *paint.Painter // made when first needed: blind runs need none
}

// started is when the program was; what moves in the picture is timed from it.
var started = time.Now()

func (p *picture) paint(dst *ebiten.Image, f *sim.Frame, v *act.View) {
	if p.painter == nil {
		p.painter = paint.New(rasterizer())
	}
	p.motion.See(p.screen, f, v, time.Since(started))
	p.screen.Draw(&p.list, f, v, p.painter.Metrics())
	p.painter.Paint(dst, &p.list)
}

// Height implements app.Screen. It rounds up: a picture that lacks one device
// pixel would be squeezed.
func (p *picture) Height(f *sim.Frame, v *act.View) int {
	if v.Width == 0 {
		return 0
	}
	return (p.screen.Height(f, v)*1000 + v.ScalePermille - 1) / v.ScalePermille
}

// Hit implements app.Screen.
func (p *picture) Hit(x, y int, f *sim.Frame, v *act.View) act.Command {
	return p.screen.Click(x, y, f, v)
}

// Under implements app.Screen.
func (p *picture) Under(x, y int, f *sim.Frame, v *act.View) act.Selection {
	return p.screen.Hover(x, y, f, v)
}

// Look implements app.Screen.
func (p *picture) Look(f *sim.Frame, v *act.View, now clock.Time) sim.Look {
	return p.screen.Look(f, v, now)
}

// LookBeside implements app.Screen.
func (p *picture) LookBeside(f *sim.Frame, v *act.View, now clock.Time) sim.Look {
	return p.screen.LookBeside(f, v, now)
}

// SideAt implements app.Screen.
func (p *picture) SideAt(x, y int, f *sim.Frame, v *act.View) bool {
	return p.screen.SideAt(x, y, f, v)
}

// PointAt implements app.Screen.
func (p *picture) PointAt(x, y int, f *sim.Frame, v *act.View) act.Pointing {
	return p.screen.PointAt(x, y, f, v)
}

// Key implements app.Screen.
func (p *picture) Key(key string, shift bool, f *sim.Frame, v *act.View) act.Command {
	return p.screen.Key(key, shift, f, v)
}

// Drag implements app.Screen.
func (p *picture) Drag(in *proto.Input, f *sim.Frame, v *act.View) act.Command {
	return p.screen.Drag(panel.Input{
		Kind: panel.Drag, Start: geom.Point{X: in.FromX, Y: in.FromY}, At: geom.Point{X: in.X, Y: in.Y},
		DX: in.DX, Shift: in.Shift, Done: in.On,
	}, f, v)
}

// Wheel implements app.Screen.
func (p *picture) Wheel(x, y, notches int, f *sim.Frame, v *act.View) act.Command {
	return p.screen.Wheel(x, y, notches, f, v)
}

// Describe implements app.Screen.
func (p *picture) Describe(f *sim.Frame, v *act.View) string { return p.screen.Describe(f, v) }

// Panels implements app.Screen.
func (p *picture) Panels(f *sim.Frame, v *act.View) []proto.Panel {
	var list []proto.Panel
	for _, d := range p.screen.Panels(f, v) {
		list = append(list, proto.Panel{
			ID: d.Panel.ID(), Title: d.Panel.Title(), Words: d.Words, Shown: d.Shown, Side: d.Panel.Column() == panel.Side,
		})
	}
	return list
}

// Cells implements app.Screen.
func (p *picture) Cells(f *sim.Frame, v *act.View) []proto.Cell {
	colors := theme.Find(v.Theme)
	cells := make([]proto.Cell, 0, len(f.CPUs))
	for cpu := range f.CPUs {
		r := p.screen.Cell(cpu, f, v)
		c := colors.Idle
		busy := f.CPUs[cpu].Thread != sched.None
		if busy {
			c = colors.Thread(f.CPUs[cpu].Thread)
		}
		cells = append(cells, proto.Cell{
			CPU: cpu, X: r.X, Y: r.Y, W: r.W, H: r.H, Busy: busy,
			Color: fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B),
		})
	}
	return cells
}
