//go:build desktop && !js

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"strandscope/render/theme"
	"strandscope/sim"
)

// simple are keys that stand for one command.
var simple = map[rune]string{
	'.': `"cmd":"step"`, ',': `"cmd":"stepBack"`, '>': `"cmd":"stepDecision"`, '<': `"cmd":"stepDecisionBack"`,
	'r': `"cmd":"reset"`, 'u': `"cmd":"undo"`, 'U': `"cmd":"redo"`,
}

// named are keys that write nothing; the picture knows them by their names in a browser.
var named = map[ebiten.Key]string{
	ebiten.KeyArrowLeft: "ArrowLeft", ebiten.KeyArrowRight: "ArrowRight", ebiten.KeyArrowUp: "ArrowUp",
	ebiten.KeyArrowDown: "ArrowDown", ebiten.KeyHome: "Home", ebiten.KeyEnd: "End", ebiten.KeyEnter: "Enter",
	ebiten.KeyEscape: "Escape",
}

// The speeds that [ and ] go through, in thousandths.
const slowest, fastest = 10, 10_000_000

func (w *window) keys() {
	for _, c := range ebiten.AppendInputChars(nil) {
		w.char(c)
	}
	shift := ebiten.IsKeyPressed(ebiten.KeyShift)
	for _, k := range inpututil.AppendJustPressedKeys(nil) {
		switch name, ok := named[k]; {
		case ok:
			w.say(`"cmd":"input","kind":"key","key":"%s","shift":%v`, name, shift)
		case k == ebiten.KeyPageDown:
			w.scroll += w.height * 9 / 10
		case k == ebiten.KeyPageUp:
			w.scroll -= w.height * 9 / 10
		case k == ebiten.KeyF11:
			ebiten.SetFullscreen(!ebiten.IsFullscreen())
		}
	}
}

func (w *window) char(c rune) {
	s := w.app.State
	if cmd, ok := simple[c]; ok {
		w.say("%s", cmd)
		return
	}
	switch c {
	case ' ':
		if s.View.Playing {
			w.say(`"cmd":"pause"`)
		} else {
			w.say(`"cmd":"play"`)
		}
	case ']', '[':
		speed := s.View.SpeedPermille * 10
		if c == '[' {
			speed = s.View.SpeedPermille / 10
		}
		w.say(`"cmd":"speed","permille":%d`, min(max(speed, slowest), fastest))
	case 'n', 'p':
		if id := next(s.Run.Choices().Scenarios, w.app.Frame().Scenario.ID, c == 'p'); id != "" {
			w.say(`"cmd":"load","scenario":"%s"`, id)
		}
	case 'k':
		if class := next(s.Run.Choices().Classes, w.app.Frame().Scenario.Class, false); class != "" {
			w.say(`"cmd":"set","key":"class","value":"%s"`, class)
		}
	case 'd':
		i := slices.Index(theme.Names, s.View.Theme)
		w.say(`"cmd":"theme","name":"%s"`, theme.Names[(i+1)%len(theme.Names)])
	case 'c':
		w.say(`"cmd":"cores","on":%v`, !s.View.Cores)
	case '?':
		fmt.Print(usage)
	case 'q':
		w.over = true
	default:
		if strings.ContainsRune("tTo+-=_0", c) {
			w.say(`"cmd":"input","kind":"key","key":"%c","shift":%v`, c, ebiten.IsKeyPressed(ebiten.KeyShift))
		}
	}
}

// next is the choice behind the present one, or before it; around the end.
func next(list []sim.Choice, now string, back bool) string {
	if len(list) == 0 {
		return ""
	}
	i := slices.IndexFunc(list, func(c sim.Choice) bool { return c.Value == now })
	if back {
		i += len(list) - 2
	}
	return list[(i+1)%len(list)].Value
}

// pointer is what the mouse does.
type pointer struct {
	x, y         int // where it was last
	fromX, fromY int // where the button went down
	lastX        int
	down, moved  bool
	inside       bool
}

func (w *window) mouse() {
	p := &w.pointer
	x, y := ebiten.CursorPosition()
	inside := x >= 0 && y >= 0 && x < w.width && y < w.height
	y += w.scroll
	if _, turned := ebiten.Wheel(); turned != 0 {
		if ebiten.IsKeyPressed(ebiten.KeyControl) && inside {
			w.say(`"cmd":"input","kind":"turn","x":%d,"y":%d,"notches":%d`, x, y, int(min(max(turned, -100), 100)))
		} else {
			w.scroll -= int(turned * 60 * w.scale)
		}
	}
	shift := ebiten.IsKeyPressed(ebiten.KeyShift)
	switch {
	case inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) && inside:
		*p = pointer{x: x, y: y, fromX: x, fromY: y, lastX: x, down: true, inside: true}
		return
	case p.down && inpututil.IsMouseButtonJustReleased(ebiten.MouseButtonLeft):
		p.down = false
		if p.moved {
			w.drag(x, y, shift, true)
		} else if inside {
			w.say(`"cmd":"input","kind":"tap","x":%d,"y":%d`, x, y)
		}
		return
	case x == p.x && y == p.y && inside == p.inside:
		return
	}
	p.x, p.y = x, y
	switch {
	case p.down:
		if p.moved = p.moved || abs(x-p.fromX)+abs(y-p.fromY) > 4; p.moved {
			w.drag(x, y, shift, false)
		}
	case inside:
		w.say(`"cmd":"input","kind":"hover","x":%d,"y":%d`, x, y)
	case p.inside:
		w.say(`"cmd":"input","kind":"leave"`)
	}
	p.inside = inside
}

func (w *window) drag(x, y int, shift, done bool) {
	p := &w.pointer
	x, y = max(0, x), max(0, y)
	w.say(`"cmd":"input","kind":"drag","fromX":%d,"fromY":%d,"x":%d,"y":%d,"dx":%d,"shift":%v,"done":%v`, p.fromX, p.fromY, x, y, x-p.lastX, shift, done)
	p.lastX = x
}

func abs(n int) int { return max(n, -n) }
