package panel

import (
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// overview draws the whole run as a strip: how busy all strands together were,
// and a bracket around what the rows above show.
func (d *pen) overview(t *timeView) {
	w, r := &d.f.Timeline, t.overview
	if r.H < d.s.Px(6) || len(w.Overview) == 0 || w.Now == 0 {
		return
	}
	d.Rect(r, scene.Box{Fill: d.p.Panel, Border: d.p.Line, Radius: d.s.Px(3), Width: d.s.Px(1)})
	in := r.Trim(d.s.Px(2), 0, d.s.Px(2), 0)
	whole := w.Now
	n := len(w.Overview)
	var was cover
	from := 0
	for i := 0; i <= n; i++ {
		var next cover
		if i < n {
			s := &w.Overview[i]
			cell := stats.Cell{Sums: *s, Thread: -1}
			part := (whole*clock.Time(i+1)/clock.Time(n) - whole*clock.Time(i)/clock.Time(n))
			// Each part for itself: what is this coarse need not carry.
			next = coverOf(&cell, clock.Duration(part)*clock.Duration(len(w.Sums)), &bars{h: in.H, begun: s.Busy() > 0})
			if next.ground == quiet || next.ground == away {
				next.ground = unknown
			}
		}
		if i == n || i > 0 && next != was {
			x0, x1 := in.X+in.W*from/n, in.X+in.W*i/n
			d.stretch(geom.Rect{X: x0, Y: in.Y, W: x1 - x0, H: in.H}, was)
			from = i
		}
		was = next
	}
	d.bracket(t)
}

// bracket marks in the overview what the rows show. It is never too narrow to
// be seen.
func (d *pen) bracket(t *timeView) {
	w, r := &d.f.Timeline, t.overview
	scale := t.whole(w)
	a := max(r.X, min(scale.Pixel(max(0, w.From), 1), r.Right()))
	b := max(r.X, min(scale.Pixel(max(0, w.To), 1), r.Right()))
	least := d.s.Px(4)
	if b-a < least {
		a = max(r.X, min(a-(least-(b-a))/2, r.Right()-least))
		b = a + least
	}
	shade := d.p.Background.Alpha(150)
	d.Fill(geom.Rect{X: r.X, Y: r.Y, W: a - r.X, H: r.H}, shade)
	d.Fill(geom.Rect{X: b, Y: r.Y, W: r.Right() - b, H: r.H}, shade)
	d.Rect(geom.Rect{X: a, Y: r.Y, W: b - a, H: r.H}, scene.Box{Border: d.p.Ink, Width: d.s.Px(1), Radius: d.s.Px(2)})
}

// band shows what is being chosen.
func (d *pen) band(t *timeView) {
	b := d.v.Band
	if b.To <= b.From {
		return
	}
	scale := t.time(&d.f.Timeline)
	r := t.area
	x0 := max(r.X, min(scale.Pixel(b.From, 1), r.Right()))
	x1 := max(r.X, min(scale.Pixel(b.To, 1), r.Right()))
	d.Rect(geom.Rect{X: x0, Y: r.Y, W: x1 - x0, H: t.height()}, scene.Box{Fill: d.p.Accent.Alpha(60), Border: d.p.Ink, Width: d.s.Px(1)})
}
