//go:build js

package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"strandscope/cmd/strandscope/app"
	"strandscope/render"
	"strandscope/render/paint"
	"strandscope/sim"
	"strandscope/web/bridge"
	"strandscope/web/control"
)

func main() {
	started := time.Now()
	clock := func() time.Duration { return time.Since(started) + 1 } // 0 would mean never

	library := sim.Library()
	if len(library) == 0 {
		panic(errors.New("no scenario is built in"))
	}
	state, err := control.New(control.Sim, library[0].ID)
	if err != nil {
		panic(err) // stage.js shows a panic's text to the reader
	}
	pic := &picture{screen: render.NewScreen()}
	pic.screen.Words = bridge.Words()
	a := app.New(state, pic, func(b []byte) { bridge.Send(string(b)) }, clock)
	files(a)
	bridge.Subscribe(a.Receive)
	// stage.js looked for WebGL: where it is missing Ebitengine must not even
	// be asked, since it dies of the next resize event.
	if !slices.Contains(os.Args, "blind") {
		run(a, pic)
	}
	runBlind(a)
}

// run lets Ebitengine run the program; it returns only if that fails.
func run(a *app.App, pic *picture) {
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
	err := ebiten.RunGameWithOptions(&game{app: a, picture: pic}, &ebiten.RunGameOptions{
		DisableHiDPI: true, InitUnfocused: true,
	})
	fmt.Println("strandscope: no picture:", err)
}

// rasterizer draws glyphs as the page does.
func rasterizer() paint.Rasterizer { return paint.BrowserRasterizer() }

// runBlind runs the simulation where Ebitengine cannot: without WebGL the
// figures and the words still come.
func runBlind(a *app.App) {
	a.Blind()
	for {
		a.Update()
		time.Sleep(30 * time.Millisecond)
	}
}

// game is what Ebitengine runs.
type game struct {
	app     *app.App
	picture *picture
}

// Update implements ebiten.Game.
func (g *game) Update() error {
	g.app.Update()
	return nil
}

// Draw implements ebiten.Game. The screen keeps what was painted, so a frame
// without a change paints nothing.
func (g *game) Draw(screen *ebiten.Image) {
	if !g.app.Wants() {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			g.app.State.Fault = fmt.Sprintf("The picture could not be painted: %v. Scenario %s, time %s.",
				r, g.app.Frame().Scenario.ID, g.app.Frame().Now)
			g.app.State.View.Playing = false
			g.app.Drawn()
		}
	}()
	size := screen.Bounds().Size()
	g.app.Begin(size.X, size.Y)
	g.picture.paint(screen, g.app.Frame(), &g.app.State.View)
	g.app.Drawn()
}

// LayoutF implements ebiten.LayoutFer: stage.js makes the outside size the
// number of device pixels, so it is taken as it is.
func (g *game) LayoutF(width, height float64) (float64, float64) {
	g.app.Layout(int(width), int(height))
	return width, height
}

// Layout is never called, LayoutF is.
func (g *game) Layout(width, height int) (int, int) { return width, height }
