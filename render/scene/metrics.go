package scene

import "unicode/utf8"

// Color is a colour with straight (not premultiplied) alpha.
type Color struct{ R, G, B, A uint8 }

// Hex makes an opaque colour from 0xRRGGBB.
func Hex(rgb uint32) Color {
	return Color{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
}

// Alpha is c with another alpha.
func (c Color) Alpha(a uint8) Color { c.A = a; return c }

// Family is a kind of font.
type Family uint8

// The families.
const (
	Sans Family = iota
	Mono
)

// Unit is the number of font units in a device pixel: sizes and advances are
// in sixty-fourths, so that text keeps its length at fractional scales.
const Unit = 64

// Font is a font at a size. It is comparable and serves as a key.
type Font struct {
	Family Family
	Bold   bool  // weight 600
	Size   int32 // device pixels × Unit
}

// Metrics tells how wide glyphs are. Text is set glyph by glyph without
// kerning, so the width of a text is the sum of its advances, measured and
// drawn alike.
type Metrics interface {
	// Advance is the width of a glyph in device pixels × Unit.
	Advance(f Font, r rune) int
}

// Width is the width of a text in device pixels, rounded up.
func Width[T ~string | ~[]byte](m Metrics, f Font, s T) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		}
		n += m.Advance(f, r)
		i += size
	}
	return (n + Unit - 1) / Unit
}

// Fixed is a Metrics for tests: every mono glyph is 0.6 of the size wide, as in
// DejaVu Sans Mono, and every sans glyph 0.56, or 0.62 in bold, which is about
// the average of DejaVu Sans.
type Fixed struct{}

// Advance implements Metrics.
func (Fixed) Advance(f Font, _ rune) int {
	switch {
	case f.Family == Mono:
		return int(f.Size) * 602 / 1000
	case f.Bold:
		return int(f.Size) * 62 / 100
	}
	return int(f.Size) * 56 / 100
}
