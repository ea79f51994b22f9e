package gamepad

import (
	"time"

	"github.com/hajimehoshi/ebiten/v2/internal/gamepaddb"
)

// nativeGamepadsImpl finds no gamepad, as on systems that have none: the file this
// one replaces asks the browser for them at every frame.
type nativeGamepadsImpl struct{}

func newNativeGamepadsImpl() nativeGamepads { return nativeGamepadsImpl{} }

func (nativeGamepadsImpl) init(*gamepads) error   { return nil }
func (nativeGamepadsImpl) update(*gamepads) error { return nil }

// nativeGamepadImpl is never made.
type nativeGamepadImpl struct{}

func (nativeGamepadImpl) update(*gamepads) error                                       { return nil }
func (nativeGamepadImpl) hasOwnStandardLayoutMapping() bool                            { return false }
func (nativeGamepadImpl) standardAxisInOwnMapping(gamepaddb.StandardAxis) mappingInput { return nil }
func (nativeGamepadImpl) standardButtonInOwnMapping(gamepaddb.StandardButton) mappingInput {
	return nil
}
func (nativeGamepadImpl) axisCount() int                          { return 0 }
func (nativeGamepadImpl) buttonCount() int                        { return 0 }
func (nativeGamepadImpl) hatCount() int                           { return 0 }
func (nativeGamepadImpl) isAxisReady(int) bool                    { return false }
func (nativeGamepadImpl) axisValue(int) float64                   { return 0 }
func (nativeGamepadImpl) isButtonPressed(int) bool                { return false }
func (nativeGamepadImpl) buttonValue(int) float64                 { return 0 }
func (nativeGamepadImpl) hatState(int) int                        { return hatCentered }
func (nativeGamepadImpl) vibrate(time.Duration, float64, float64) {}
