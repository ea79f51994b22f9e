//go:build desktop && !js

package main

import (
	"fmt"
	"os"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"strandscope/cmd/strandscope/app"
	"strandscope/render"
	"strandscope/render/paint"
	"strandscope/render/paint/outline"
	"strandscope/sim"
	"strandscope/web/control"
)

const usage = `strandscope shows a scenario in a window.

usage: strandscope [SCENARIO]     (strandsim list names them)

Space plays and pauses.  .  ,  one clock tick on, back.  >  <  to the next decision, back.
]  [  faster, slower.  k  the next default class.  n  p  the next scenario, the one before.
r  starts again.  u  U  undo, redo.  d  the next theme.  c  cores or strands.
Arrows choose a strand, or move the timeline's cursor; t sets it.  o  takes the strand
off-line and back.  +  -  0  zoom the timeline.  Page Up, Page Down, the wheel: scroll.
F11  the whole screen.  ?  this text.  q  ends.
`

func main() {
	library := sim.Library()
	id := library[0].ID
	switch {
	case len(os.Args) > 2 || len(os.Args) == 2 && (os.Args[1] == "-h" || os.Args[1] == "--help"):
		fmt.Print(usage)
		return
	case len(os.Args) == 2:
		id = os.Args[1]
	}
	state, err := control.New(control.Sim, id)
	if err != nil {
		fmt.Fprintln(os.Stderr, "strandscope:", err)
		os.Exit(2)
	}
	fmt.Print(usage)
	w := &window{picture: &picture{screen: render.NewScreen()}}
	w.app = app.New(state, w.picture, func([]byte) {}, func() time.Duration { return time.Since(started) + 1 })
	w.say(`"cmd":"play"`)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetWindowSize(1440, 900)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	if err := ebiten.RunGame(w); err != nil {
		fmt.Fprintln(os.Stderr, "strandscope: no picture:", err)
		os.Exit(1)
	}
}

// rasterizer draws glyphs of the fonts that come with the program.
func rasterizer() paint.Rasterizer {
	r, err := outline.New()
	if err != nil {
		panic(err) // part of the program
	}
	return r
}

// window is what Ebitengine runs: the picture, higher than the window where need be,
// and keys in the place of the page's controls.
type window struct {
	app     *app.App
	picture *picture
	page    *ebiten.Image // the whole picture
	scroll  int           // device pixels of it above the window
	height  int           // of the window
	width   int
	scale   float64
	titled  time.Time
	pointer pointer
	over    bool // q was pressed
}

// say sends the app a message of the page's language.
func (w *window) say(format string, args ...any) {
	w.app.Receive(`{"v":1,` + fmt.Sprintf(format, args...) + `}`)
}

// Update implements ebiten.Game.
func (w *window) Update() error {
	w.keys()
	w.mouse()
	w.app.Turn()
	if w.over {
		return ebiten.Termination
	}
	if time.Since(w.titled) > 200*time.Millisecond {
		w.titled = time.Now()
		ebiten.SetWindowTitle(w.title())
	}
	return nil
}

// title stands in for the page's header: what runs, the time, the speed.
func (w *window) title() string {
	f := w.app.Frame()
	if f == nil {
		return "Strandscope"
	}
	how := "paused"
	if w.app.State.View.Playing {
		how = fmt.Sprintf("× %g", float64(w.app.State.Effective())/1000)
	}
	if fault := w.app.State.Fault; fault != "" {
		how = fault
	}
	return fmt.Sprintf("%s — %s — %s — %s — Strandscope", f.Scenario.Title, f.Scenario.Class, f.Now, how)
}

// Draw implements ebiten.Game.
func (w *window) Draw(screen *ebiten.Image) {
	v := &w.app.State.View
	if w.app.Wants() && w.app.Frame() != nil {
		high := max(w.height, w.picture.Height(w.app.Frame(), v)*v.ScalePermille/1000)
		if w.page == nil || w.page.Bounds().Dx() != w.width || w.page.Bounds().Dy() != high {
			if w.page != nil {
				w.page.Deallocate()
			}
			w.page = ebiten.NewImage(w.width, high)
		}
		w.app.Begin(w.width, high)
		w.picture.paint(w.page, w.app.Frame(), v)
		w.app.Drawn()
	}
	if w.page == nil {
		return
	}
	w.scroll = min(max(0, w.scroll), w.page.Bounds().Dy()-w.height)
	o := &ebiten.DrawImageOptions{}
	o.GeoM.Translate(0, float64(-w.scroll))
	screen.DrawImage(w.page, o)
}

// LayoutF implements ebiten.LayoutFer: the picture has the screen's own pixels.
func (w *window) LayoutF(width, height float64) (float64, float64) {
	scale := ebiten.Monitor().DeviceScaleFactor()
	wide, high := int(width*scale), int(height*scale)
	if wide != w.width || high != w.height || scale != w.scale {
		w.width, w.height, w.scale = wide, high, scale
		w.say(`"cmd":"resize","width":%d,"height":%d,"scale":%d`, wide, high, int(scale*1000))
		w.say(`"cmd":"show","visible":true`)
	}
	return float64(wide), float64(high)
}

// Layout is never called, LayoutF is.
func (w *window) Layout(width, height int) (int, int) { return width, height }
