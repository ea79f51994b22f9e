package graphicscommand

import (
	"errors"
	"image"

	"github.com/hajimehoshi/ebiten/v2/internal/graphicsdriver"
)

// errNoDump is what is left of dumping images: the file this one replaces packs
// them as PNG into a ZIP archive, for those who debug Ebitengine.
var errNoDump = errors.New("graphicscommand: this build cannot dump images")

// Dump refuses.
func (i *Image) Dump(graphicsdriver.Graphics, string, bool, image.Rectangle) (string, error) {
	return "", errNoDump
}

// DumpImages refuses.
func DumpImages([]*Image, graphicsdriver.Graphics, string) (string, error) {
	return "", errNoDump
}
