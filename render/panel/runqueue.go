package panel

import (
	"fmt"
	"slices"
	"strconv"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// RunQueue shows the threads that wait, in the order of the policy's queues:
// those of higher priority first, within a priority queue by queue.
type RunQueue struct{}

// ID implements Panel.
func (RunQueue) ID() string { return "runqueue" }

// Title implements Panel.
func (RunQueue) Title() string { return "Run queue" }

// Column implements Panel.
func (RunQueue) Column() Column { return Main }

// MinSize implements Panel.
func (RunQueue) MinSize() geom.Size { return geom.Size{W: 280, H: headingHeight + oneRow} }

// Height implements Panel. It follows the longest queue of the run so far: a
// panel that grew and shrank with the queue would make the page jump.
func (RunQueue) Height(f *sim.Frame, s theme.Scale, width, most int) int {
	n := max(f.Totals.Waiting, int(f.Plots.RunQueue.Most))
	head := s.Px(headingHeight)
	if h, ok := linesHeight(f, s, width); ok {
		return head + h
	}
	b := layBoxes(f, s, geom.Rect{W: width}, n)
	h := head + b.height()
	if most > 0 && h < most {
		b.rows = max(b.rows, min(geom.CeilDiv(n, b.cols), spareRows))
		h = head + b.height()
		for ; h > most; h -= b.h + b.gap {
			b.rows--
		}
	} else if most > 0 {
		h = most
	}
	return max(h, s.Px(headingHeight+oneRow))
}

// boxes is how waiting threads stand in the card: cols × rows boxes.
type boxes struct {
	area       geom.Rect // inside the card
	w, h       int       // least width, height
	gap        int
	cols, rows int
	small      bool // pid only
	pad        int  // of the card, above and below
}

// oneRow is the height in CSS pixels of a card with one row, or none.
const oneRow = 58

// Rows that a queue may take: of full boxes, and of small ones once it is
// longer than that.
const (
	fullRows  = 3
	smallRows = 8
	spareRows = 14 // small ones, where the picture has room to spare
)

func layBoxes(f *sim.Frame, s theme.Scale, r geom.Rect, n int) boxes {
	more := s.Px(7) * max(0, digits(f)-4)
	b := boxes{w: s.Px(30) + more, h: s.Px(36), gap: s.Px(4), pad: s.Px(11)}
	b.area = r.Trim(b.pad, s.Px(12), b.pad, s.Px(12))
	b.cols = max(1, (b.area.W+b.gap)/(b.w+b.gap))
	limit := fullRows
	if n > b.cols*fullRows || r.H > 0 && n > b.cols*((b.area.H+b.gap)/(b.h+b.gap)) {
		b.small, b.w, b.h, b.gap = true, s.Px(27)+more, s.Px(17), s.Px(3)
		b.cols = max(1, (b.area.W+b.gap)/(b.w+b.gap))
		limit = smallRows
	}
	b.rows = max(1, min(geom.CeilDiv(n, b.cols), limit))
	if r.H > 0 {
		b.rows = max(1, min(geom.CeilDiv(n, b.cols), (b.area.H+b.gap)/(b.h+b.gap)))
	}
	return b
}

// digits is the length of the longest pid.
func digits(f *sim.Frame) int {
	most := int32(0)
	for i := range f.Threads {
		most = max(most, f.Threads[i].PID)
	}
	n := 1
	for ; most > 9; most /= 10 {
		n++
	}
	return n
}

func (b *boxes) height() int { return 2*b.pad + b.rows*(b.h+b.gap) - b.gap }

// box is the rectangle of the i-th thread that waits.
func (b *boxes) box(i int) geom.Rect {
	r := b.area.Column(i%b.cols, b.cols, b.gap)
	r.Y, r.H = r.Y+i/b.cols*(b.h+b.gap), b.h
	return r
}

// shown is how many of n threads get a box, and the last box tells how many
// more there are if not all do.
func (b *boxes) shown(n int) int {
	if room := b.cols * b.rows; n > room {
		return room - moreCells
	}
	return n
}

// moreCells is the number of boxes that "+N more" takes the place of.
const moreCells = 3

// Draw implements Panel.
func (RunQueue) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	titles, values := queueHeading(f, v)
	card := d.heading(r, titles, values...)
	if card.Empty() {
		return
	}
	n := listed(f)
	if d.lines(card) {
		return
	}
	b := layBoxes(f, d.s, card, n)
	if n == 0 {
		card.H = min(card.H, d.s.Px(oneRow))
		d.card(card, 10)
		d.empty(card)
		return
	}
	if h := b.height(); h < card.H {
		card.H = max(h, min(card.H, d.s.Px(oneRow)))
	}
	d.card(card, 10)
	if b.rows == 1 {
		b.area.Y = card.Y + (card.H-b.h)/2
	}
	if b.box(0).Bottom() > card.Bottom() {
		return
	}
	shown := max(0, b.shown(n))
	walk(f, func(i int, id sched.ThreadID) bool {
		if i >= shown {
			return false
		}
		d.entry(b.box(i), id, b.small)
		return true
	})
	if shown < n {
		d.more(&b, shown, n-shown)
	}
}

// oneList reports whether all that waits stands in one list without levels, which
// the kernel searches for the task with most ticks left.
func oneList(f *sim.Frame) bool {
	return len(f.Queues) == 1 && f.Queues[0].CPU < 0 && f.Queues[0].Priority < 0 &&
		slices.ContainsFunc(f.Fields, func(x sched.Field) bool { return x.Name == "counter" }) // textbooks' queues are none such
}

// queueHeading is the heading's forms, long to short.
func queueHeading(f *sim.Frame, v *act.View) ([]string, []value) {
	r := "r = " + strconv.Itoa(f.Totals.Waiting)
	var moving []value
	for _, rate := range ratesOf(v) {
		moving = append(moving, value{text: rate + " · " + r})
	}
	if titles, values, ok := lineHeading(f, append(moving, value{text: r})); ok {
		return titles, values
	}
	if !oneList(f) {
		return []string{"Run queue — waiting to run", "Run queue"}, append(moving, value{text: r})
	}
	if v.Motion.Recalculated {
		return []string{"Run queue"}, []value{{r, recalculation}, {r, "recalculation"}, {text: r}}
	}
	left := 0
	for _, id := range f.Queues[0].Waiting {
		if t := thread(f, id); t != nil && t.Left > 0 {
			left++
		}
	}
	titles := []string{
		"Run queue — one list, searched whole at every decision; ticks left", "Run queue — one list; ticks left", "Run queue",
	}
	return titles, append(moving, value{text: fmt.Sprintf("%d waiting · %d with ticks left", f.Totals.Waiting, left)}, value{text: r})
}

func (d *pen) empty(card geom.Rect) {
	texts := []string{"empty — nothing waits", "empty"}
	if d.f.Totals.Running > 0 {
		texts = []string{"empty — every process has a strand of its own", "empty — nothing waits", "empty"}
	}
	st := scene.Style{Font: d.fonts.Empty, Color: d.p.Dim}
	for _, t := range texts {
		if d.Width(st.Font, t) <= card.W-d.s.Px(32) {
			d.Text(st, card.X+d.s.Px(16), card.Y+card.H/2+d.s.Px(5), t)
			return
		}
	}
}

// entry draws the box of a waiting thread.
func (d *pen) entry(r geom.Rect, id sched.ThreadID, small bool) {
	t := thread(d.f, id)
	if t == nil {
		return
	}
	radius := d.s.Px(6)
	if small {
		radius = d.s.Px(4)
	}
	box, color := scene.Box{Fill: d.p.Thread(id), Radius: radius}, d.p.Cell
	one := oneList(d.f) && t.Class == "OTHER"    // real-time tasks need no ticks
	if one && t.Left == 0 || t.Owing || d.back { // not eligible now; before the next recalculation, the first of them
		box, color = scene.Box{Fill: d.p.Idle, Border: d.p.Line, Width: d.s.Px(1), Radius: radius}, d.p.Dim
	}
	d.Rect(r, box)
	d.outline(r, d.markOf(-1, int32(id)), radius)
	var buf [24]byte
	x, w := r.X+r.W/2, r.W-d.s.Px(2)
	pid := strconv.AppendInt(buf[:0], int64(t.PID), 10)
	st := scene.Style{Font: d.fonts.Entry, Color: color, Align: scene.Center}
	if small && one {
		pid = strconv.AppendInt(buf[:0], int64(t.Left), 10)
	}
	if small {
		st.Font = d.fonts.SmallName
		d.fitText(st, x, r.Y+d.s.Px(12), w, pid)
		return
	}
	d.fitText(st, x, r.Y+d.s.Px(15), w, pid)
	switch {
	case one:
		st.Font = d.fonts.Priority
		d.fitText(st, x, r.Y+d.s.Px(28), w, strconv.AppendInt(buf[:0], int64(t.Left), 10))
	case t.Key != 0:
		st.Font = d.fonts.Priority
		d.fitText(st, x, r.Y+d.s.Px(28), w, appendMillis(buf[:0], t.Key-d.first))
	case t.Priority >= 0:
		st.Font = d.fonts.Priority
		var signed [24]byte
		level := strconv.AppendInt(append(buf[:0], 'p'), int64(t.Priority), 10)
		d.fitText(st, x, r.Y+d.s.Px(28), w, append(append(signed[:0], theme.Sign(t.Class)...), level...), level)
	}
}

// more tells how many waiting threads have no box.
func (d *pen) more(b *boxes, at, n int) {
	r := b.box(at)
	last := b.box(at + min(moreCells, b.cols*b.rows-at) - 1)
	if last.Y == r.Y {
		r.W = last.Right() - r.X
	}
	var buf [24]byte
	long := append(strconv.AppendInt(append(buf[:0], '+'), int64(n), 10), " more"...)
	count := long[:len(long)-len(" more")]
	size := int(d.fonts.CPU.Size) / scene.Unit
	st := scene.Style{Font: d.fonts.CPU, Color: d.p.Ink, Align: scene.Center}
	d.fitText(st, r.X+r.W/2, r.Y+(r.H+size*7/10)/2, r.W, long, count)
}

// listed is the number of threads in the queues.
func listed(f *sim.Frame) int {
	n := 0
	for i := range f.Queues {
		n += len(f.Queues[i].Waiting)
	}
	return n
}

// walk visits the waiting threads, those of higher priority first. Queues
// without levels come in the policy's order after those with.
func walk(f *sim.Frame, visit func(i int, id sched.ThreadID) bool) {
	i := 0
	for level, more := highest(f, 1<<30); more; level, more = highest(f, level) {
		for q := range f.Queues {
			if f.Queues[q].Priority != level {
				continue
			}
			for _, id := range f.Queues[q].Waiting {
				if !visit(i, id) {
					return
				}
				i++
			}
		}
	}
}

// highest is the highest level below the given one of a queue that is not empty.
func highest(f *sim.Frame, below int) (level int, ok bool) {
	for q := range f.Queues {
		p := f.Queues[q].Priority
		if p < below && (!ok || p > level) && len(f.Queues[q].Waiting) > 0 {
			level, ok = p, true
		}
	}
	return level, ok
}

// seek visits the boxes of a panel drawn in r until visit says that it has
// found what it looks for.
func seek(f *sim.Frame, v *act.View, r geom.Rect, visit func(id sched.ThreadID, box geom.Rect) (found bool)) {
	s := theme.ScaleOf(v.ScalePermille)
	_, card := r.CutTop(s.Px(headingHeight))
	n := listed(f)
	if seekLines(f, s, card, visit) {
		return
	}
	b := layBoxes(f, s, card, n)
	if b.rows == 1 {
		h := max(b.height(), min(card.H, s.Px(oneRow)))
		b.area.Y = card.Y + (h-b.h)/2
	}
	shown := b.shown(n)
	walk(f, func(i int, id sched.ThreadID) bool { return i < shown && !visit(id, b.box(i)) })
}

// Where implements Locator.
func (RunQueue) Where(sel act.Selection, f *sim.Frame, v *act.View, r geom.Rect) (at geom.Rect) {
	if sel.Kind == act.ThreadSelection {
		seek(f, v, r, func(id sched.ThreadID, box geom.Rect) bool {
			if id == sel.Thread {
				at = box
			}
			return id == sel.Thread
		})
	}
	return at
}

// Handle implements Panel.
func (RunQueue) Handle(in Input, f *sim.Frame, v *act.View, r geom.Rect) (cmd act.Command) {
	seek(f, v, r, func(id sched.ThreadID, box geom.Rect) bool {
		if in.At.In(box) {
			cmd = act.Select{Selection: act.Selection{Kind: act.ThreadSelection, CPU: sched.NoCPU, Thread: id}}
		}
		return cmd != nil
	})
	return cmd
}

// Describe implements Panel.
func (RunQueue) Describe(f *sim.Frame, _ *act.View) string {
	n := listed(f)
	if n == 0 {
		if f.Totals.Running > 0 {
			return "The run queue is empty: every process that wants to run has a strand of its own."
		}
		return "The run queue is empty: nothing waits."
	}
	var first *sim.Thread
	walk(f, func(_ int, id sched.ThreadID) bool { first = thread(f, id); return false })
	verb := "wait"
	if n == 1 {
		verb = "waits"
	}
	text := fmt.Sprintf("%d %s %s to run", n, plural(n, "thread"), verb)
	if first != nil {
		text += fmt.Sprintf("; first in the queue is %s %d", first.Name, first.PID)
		if first.Priority >= 0 {
			text += fmt.Sprintf(" at priority %d", first.Priority)
		}
	}
	return text + "." + lineText(f)
}
