package panel

import (
	"strconv"

	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim/sched"
)

// ground draws a cell's background: the thread's hue, or an idle ground, which
// is hatched while work waits, or an empty frame with a stroke through it for
// an off-line strand.
func (d *pen) ground(r geom.Rect, cpu, radius int) {
	c := &d.f.CPUs[cpu]
	box := scene.Box{Fill: d.p.Idle, Border: d.p.Line, Width: d.s.Px(1), Radius: radius}
	if r.W < d.s.Px(8) {
		box.Border = scene.Color{} // a frame would leave nothing to see inside
	}
	switch {
	case !c.Online:
		box.Fill, box.Border = d.p.Panel, d.p.Line
	case c.Thread != sched.None:
		box.Fill, box.Border = d.p.Thread(c.Thread), scene.Color{}
	case c.IdleBesideWork:
		box.Border = d.p.Warn
		if r.W < d.s.Px(8) {
			box.Border = scene.Color{}
		}
		box.Hatch, box.HatchPitch = d.p.Hatch, max(3, min(d.s.Px(7), r.W/2))
		box.HatchWidth = min(d.s.Px(1), max(1, box.HatchPitch/4))
	}
	d.Rect(r, box)
	if !c.Online && r.H < d.s.Px(30) { // in larger cells a word says so
		in := r.Inset(min(r.W, r.H) / 5)
		d.Line(scene.Stroke{Color: d.p.Faint, Width: d.s.Sub(10)},
			geom.Point{X: in.X * scene.Sub, Y: in.Bottom() * scene.Sub},
			geom.Point{X: in.Right() * scene.Sub, Y: in.Y * scene.Sub})
	}
	d.outline(r, d.markOf(cpu, int32(c.Thread)), radius)
}

// fitText draws the first of the texts that fits into w, if any.
func (d *pen) fitText(st scene.Style, x, y, w int, texts ...[]byte) {
	for _, t := range texts {
		t = d.SayBytes(t)
		if scene.Width(d.Metrics(), st.Font, t) <= w {
			d.TextBytes(st, x, y, t)
			return
		}
	}
}

// namedCell draws a cell with CPU, thread and quantum.
func (d *pen) namedCell(r geom.Rect, cpu int) {
	d.ground(r, cpu, d.s.Px(7))
	pad := d.s.Px(8)
	if r.W < d.s.Px(80) {
		pad = d.s.Px(6)
	}
	x, w := r.X+pad, r.W-pad-d.s.Px(4)
	c := &d.f.CPUs[cpu]
	small := scene.Style{Font: d.fonts.CPU, Color: d.p.Dim}
	t := thread(d.f, c.Thread)
	if t != nil {
		small.Color = d.p.Cell
	} else if c.IdleBesideWork {
		small.Color = d.p.Ink // over the hatch
	}
	second := d.s.Px(30)
	if aloneOn(d.f, d.f.Machine.CPUs[cpu].Core) >= 0 {
		second = d.s.Px(22) // the card says which CPU it is
	} else {
		var buf [24]byte
		name := strconv.AppendInt(append(buf[:0], "cpu"...), int64(cpu), 10)
		d.fitText(small, x, r.Y+d.s.Px(15), w, name, name[len("cpu"):])
	}
	if t == nil {
		small.Font = d.fonts.Idle
		d.fitText(small, x, r.Y+second+d.s.Px(1), w, idleWord(c.Online))
		return
	}
	d.threadName(t.Name, t.PID, x, r.Y+second, w)
	if sign := theme.Sign(t.Class); r.W >= d.s.Px(56) {
		st := scene.Style{Font: d.fonts.Sign, Color: d.p.Cell, Align: scene.Right}
		d.Text(st, r.Right()-d.s.Px(6), r.Y+d.s.Px(14), sign)
	}
	if t.Full > 0 {
		d.quantum(geom.Rect{X: r.X + d.s.Px(6), Y: r.Bottom() - d.s.Px(6), W: r.W - 2*d.s.Px(6), H: d.s.Px(3)}, t.Left, t.Full)
	}
}

var offline, idle = []byte("off-line"), []byte("idle")

func idleWord(online bool) []byte {
	if online {
		return idle
	}
	return offline
}

// threadName writes "perl 1204", or the pid alone where that is too long.
func (d *pen) threadName(name string, pid int32, x, y, w int) {
	var buf [64]byte
	if len(name) > 40 {
		name = name[:0]
	}
	text := append(append(buf[:0], name...), ' ')
	text = strconv.AppendInt(text, int64(pid), 10)
	d.fitText(scene.Style{Font: d.fonts.Thread, Color: d.p.Cell}, x, y, w, text, text[len(name)+1:])
}

// quantum draws how much of a thread's quantum is left.
func (d *pen) quantum(r geom.Rect, left, full int) {
	d.Rect(r, scene.Box{Fill: d.p.CellTrack, Radius: r.H / 2})
	r.W = r.W * max(0, min(left, full)) / full
	d.Rect(r, scene.Box{Fill: d.p.CellBar, Radius: min(r.W, r.H) / 2})
}

// numberedCell draws a cell with the number of its CPU.
func (d *pen) numberedCell(r geom.Rect, cpu int) {
	d.ground(r, cpu, d.s.Px(4))
	c := &d.f.CPUs[cpu]
	st := scene.Style{Font: d.fonts.SmallName, Color: d.p.Dim, Align: scene.Center}
	if c.Thread != sched.None {
		st.Color = d.p.Cell
	} else if c.IdleBesideWork {
		st.Color = d.p.Ink
	}
	var buf, signed [24]byte
	size := int(st.Font.Size) / scene.Unit
	number := strconv.AppendInt(buf[:0], int64(cpu), 10)
	long := number
	if t := thread(d.f, c.Thread); t != nil {
		long = append(append(append(signed[:0], theme.Sign(t.Class)...), ' '), number...)
	}
	d.fitText(st, r.X+r.W/2, r.Y+(r.H+size*7/10)/2, r.W-d.s.Px(4), long, number)
}

// plainCell draws a cell that says nothing but busy, idle or idle beside work.
func (d *pen) plainCell(r geom.Rect, cpu int) {
	radius := 0
	if r.W >= d.s.Px(10) { // round corners of smaller ones would not be seen
		radius = d.s.Px(3)
	}
	d.ground(r, cpu, radius)
}
