package ui

import (
	"math"
	"syscall/js"
)

// What is left of input. The page hears keys, pointers and fingers itself and sends
// messages; of an event on the canvas only that matters which ui_js.go does with it
// (it keeps the browser from acting on it), and that it may be time to draw.

type touchInClient struct{}

func (u *UserInterface) updateInputFromEvent(js.Value) error {
	u.forceUpdateOnMinimumFPSMode()
	return nil
}

// UpdateInputFromEvent is for those who pass events on.
func (u *UserInterface) UpdateInputFromEvent(e js.Value) {
	_ = u.updateInputFromEvent(e) // it has no error to tell
}

func (*UserInterface) updateInputState() error { return nil }

func (*InputState) resetForBlur() {}

// KeyName knows no key.
func (*UserInterface) KeyName(Key) string { return "" }

// IsVirtualKeyboard says that keys come from a keyboard: none come.
func IsVirtualKeyboard() bool { return false }

func (u *UserInterface) saveCursorPosition() {
	u.savedCursorX, u.savedCursorY = math.NaN(), math.NaN()
}

func (*UserInterface) recoverCursorPosition() {}
