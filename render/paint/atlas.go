package paint

import "strandscope/render/scene"

// Glyph is a glyph as a rasterizer gives it.
type Glyph struct {
	// X and Y are where the bitmap's upper left corner lies, from the origin
	// on the baseline; Y is negative above it.
	X, Y  int
	W, H  int
	Alpha []byte // W × H, row by row; only read before the next glyph is asked for
}

// Rasterizer draws glyphs.
type Rasterizer interface {
	// Advance is the width of a glyph in device pixels × scene.Unit.
	Advance(f scene.Font, r rune) int
	// Rasterize draws a glyph. A blank has W or H 0.
	Rasterize(f scene.Font, r rune) Glyph
}

// The atlas's size: it begins low and doubles its height as glyphs come.
const (
	atlasWidth  = 1024
	atlasHeight = 128
	atlasMost   = 2048
)

// white is the place of a texel that is opaque with opaque neighbours.
const white = 1.5

// Atlas is the image that all triangles take their alpha from. It implements
// scene.Metrics, so that texts are measured as they are drawn.
type Atlas struct {
	Raster Rasterizer
	// Alpha is the image, Width × Height, one octet a pixel.
	Alpha         []byte
	Width, Height int
	// DirtyFrom and DirtyTo are the rows changed since Clean.
	DirtyFrom, DirtyTo int
	// Full tells that something found no room; it is left out of the picture.
	// The owner resets the atlas before the next frame.
	Full bool

	faces   map[scene.Font]*face
	last    *face
	corners map[corner]sprite
	hatches map[hatch]sprite
	shelves []shelf
	bottom  int // of the lowest shelf
}

// sprite is a place in the atlas, with a glyph's offset from its origin.
type sprite struct {
	x, y, w, h   int
	dx, dy       int
	known, drawn bool
	advance      int
}

type face struct {
	font  scene.Font
	ascii [128]sprite
	rest  map[rune]*sprite
}

type shelf struct{ y, h, x int }

// NewAtlas returns an empty atlas.
func NewAtlas(r Rasterizer) *Atlas {
	a := &Atlas{Raster: r}
	a.Reset()
	return a
}

// Reset forgets all glyphs.
func (a *Atlas) Reset() {
	a.Width, a.Height, a.Full = atlasWidth, atlasHeight, false
	a.Alpha = make([]byte, a.Width*a.Height)
	a.faces, a.last = map[scene.Font]*face{}, nil
	a.corners, a.hatches = map[corner]sprite{}, map[hatch]sprite{}
	a.shelves, a.bottom = a.shelves[:0], 0
	a.DirtyFrom, a.DirtyTo = 0, a.Height
	if s, ok := a.place(3, 3); ok {
		for y := range 3 {
			for x := range 3 {
				a.Alpha[(s.y+y)*a.Width+s.x+x] = 255
			}
		}
	}
}

// Clean tells the atlas that its changes have been taken over.
func (a *Atlas) Clean() { a.DirtyFrom, a.DirtyTo = a.Height, 0 }

// Advance implements scene.Metrics.
func (a *Atlas) Advance(f scene.Font, r rune) int { return a.glyph(f, r).advance }

// glyph returns what is known of a glyph; draw puts it into the image.
func (a *Atlas) glyph(f scene.Font, r rune) *sprite {
	fc := a.last
	if fc == nil || fc.font != f {
		var ok bool
		if fc, ok = a.faces[f]; !ok {
			fc = &face{font: f, rest: map[rune]*sprite{}}
			a.faces[f] = fc
		}
		a.last = fc
	}
	var s *sprite
	if r >= 0 && r < 128 {
		s = &fc.ascii[r]
	} else if s = fc.rest[r]; s == nil {
		s = &sprite{}
		fc.rest[r] = s
	}
	if !s.known {
		s.known, s.advance = true, a.Raster.Advance(f, r)
	}
	return s
}

func (a *Atlas) drawn(f scene.Font, r rune) *sprite {
	s := a.glyph(f, r)
	if s.drawn {
		return s
	}
	s.drawn = true
	g := a.Raster.Rasterize(f, r)
	if g.W <= 0 || g.H <= 0 {
		return s
	}
	at, ok := a.place(g.W, g.H)
	if !ok {
		s.drawn = false
		return s
	}
	s.x, s.y, s.w, s.h, s.dx, s.dy = at.x, at.y, g.W, g.H, g.X, g.Y
	for y := range g.H {
		copy(a.Alpha[(at.y+y)*a.Width+at.x:], g.Alpha[y*g.W:(y+1)*g.W])
	}
	return s
}

// place finds room for w × h and a free pixel around: on the lowest shelf that
// fits well, else on a new one. Places once given stay while the image grows.
func (a *Atlas) place(w, h int) (sprite, bool) {
	if w+1 > a.Width || h+1 > atlasMost {
		return sprite{}, false
	}
	best := -1
	for i, s := range a.shelves {
		if s.h > h && s.h <= h+h/3+2 && s.x+w+1 <= a.Width && (best < 0 || s.h < a.shelves[best].h) {
			best = i
		}
	}
	if best < 0 {
		if a.bottom+h+1 > atlasMost {
			a.Full = true
			return sprite{}, false
		}
		for a.bottom+h+1 > a.Height {
			a.Alpha = append(a.Alpha, make([]byte, len(a.Alpha))...)
			a.Height *= 2
			a.DirtyFrom, a.DirtyTo = 0, a.Height
		}
		a.shelves = append(a.shelves, shelf{y: a.bottom, h: h + 1})
		a.bottom += h + 1
		best = len(a.shelves) - 1
	}
	s := &a.shelves[best]
	at := sprite{x: s.x, y: s.y, w: w, h: h}
	s.x += w + 1
	a.DirtyFrom, a.DirtyTo = min(a.DirtyFrom, at.y), max(a.DirtyTo, at.y+h)
	return at, true
}
