package render_test

import (
	"testing"
	"time"

	"strandscope/render"
	"strandscope/render/act"
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
		"250 hogs":     fake.Hogs250(),
		"2048 strands": fake.Frame(fake.Machine(32, 8, 8), "java", 10204, 20000, 1500),
		"4096 strands": fake.Frame(fake.Machine(64, 8, 8), "java", 10204, 6000, 3000),
	} {
		var l scene.List
		var batch paint.Batch
		screen, view, atlas := render.NewScreen(), fake.View("dark", 1120, 800, 1000), paint.NewAtlas(blank{})
		fake.Look(f, screen.Look(f, view, f.Now))
		b.Run(name+"/layout", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				screen.Layout(f, view)
			}
		})
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
		// All that a frame costs outside the GPU, with as much movement as is shown.
		playing := *view
		playing.Playing = true
		for i := range 12 {
			playing.Motion.Moves = append(playing.Motion.Moves, act.Move{
				From: screen.Cell(i%len(f.CPUs), f, view), To: screen.Cell((i+1)%len(f.CPUs), f, view), Kind: act.Migrated, Progress: 80 * i,
			})
		}
		var motion render.Motion
		b.Run(name+"/motion", func(b *testing.B) {
			b.ReportAllocs()
			for now := f.Now; b.Loop(); now++ {
				later := *f
				later.Now = now
				motion.See(screen, &later, view, time.Duration(now))
			}
		})
		b.Run(name+"/frame", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				screen.Draw(&l, f, &playing, atlas)
				batch.Build(&l, atlas)
			}
		})
	}
}
