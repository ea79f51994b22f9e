package render_test

import (
	"testing"

	"strandscope/render"
	"strandscope/render/internal/fake"
	"strandscope/render/paint"
	"strandscope/render/scene"
	"strandscope/sim"
)

// blank is a rasterizer for timing: glyphs are grey boxes.
type blank struct{ scene.Fixed }

func (b blank) Rasterize(f scene.Font, r rune) paint.Glyph {
	if r == ' ' {
		return paint.Glyph{}
	}
	size := int(f.Size) / scene.Unit
	g := paint.Glyph{X: 1, Y: -size * 7 / 10, W: max(1, b.Advance(f, r)/scene.Unit-1), H: size * 7 / 10}
	g.Alpha = make([]byte, g.W*g.H)
	for i := range g.Alpha {
		g.Alpha[i] = 160
	}
	return g
}

func BenchmarkDraw(b *testing.B) {
	for name, f := range map[string]*sim.Frame{
		"T2000":        fake.T2000(12),
		"2048 strands": fake.Frame(fake.Machine(32, 8, 8), "java", 10204, 20000, 1500),
		"4096 strands": fake.Frame(fake.Machine(64, 8, 8), "java", 10204, 6000, 3000),
	} {
		var l scene.List
		var batch paint.Batch
		screen, view, atlas := render.NewScreen(), fake.View("dark", 1120, 800, 1000), paint.NewAtlas(blank{})
		fake.Look(f, screen.Look(f, view, f.Now))
		b.Run(name+"/list", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				screen.Draw(&l, f, view, atlas)
			}
		})
		b.Run(name+"/triangles", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				batch.Build(&l, atlas)
			}
		})
	}
}
