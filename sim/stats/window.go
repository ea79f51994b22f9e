package stats

import (
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Query says what part of a timeline is wanted.
type Query struct {
	From, To clock.Time // may reach beyond the run on both sides
	Columns  int        // 0: the sums alone
	Rows     []int32    // row of each CPU; nil: each is a row
}

// Cell is what the CPUs of a row did in the time of a column.
type Cell struct {
	Sums
	// Thread had the longest stay on the CPU within the column, in rows of one
	// CPU; None: none ran, or not known.
	Thread sched.ThreadID
}

// Window is a part of a timeline, copied: rows of cells, a column for each part
// of its time. Sums are exact to the nanosecond since Whole; before it they are
// exact over each bucket of Step, and spread evenly within it.
type Window struct {
	From, To, Now clock.Time
	Columns       int
	Cells         []Cell // row by row
	RowCPUs       []int32
	Sums          []Sums // by CPU, of the part of the window that has passed
	Whole         clock.Time
	Step          clock.Duration
	// Overview is the whole run in equal parts, all CPUs together.
	Overview []Sums

	// What the cells were made from, so that those of the past can stay.
	of    *Timeline
	rows  []int32
	first int // column: those before it stayed

	edges  []edges          // scratch
	waits  []clock.Duration // how long threads waited in each column
	waited bool             // it is known
	best   []clock.Duration
}

// OverviewColumns is how many parts the overview has.
const OverviewColumns = 360

// Rows is the number of rows.
func (w *Window) Rows() int { return len(w.RowCPUs) }

// Row is the cells of a row.
func (w *Window) Row(i int) []Cell { return w.Cells[i*w.Columns : (i+1)*w.Columns] }

// Start is when a column begins; that of Columns is the end. The product holds:
// 30 days times 4096 columns need 63 bits.
func (w *Window) Start(i int) clock.Time {
	return w.From + clock.Time(int64(w.To-w.From)*int64(i)/int64(max(1, w.Columns)))
}

// Passed is how much of a column lies within the run so far.
func (w *Window) Passed(i int) clock.Duration {
	return max(0, min(w.Start(i+1), w.Now).Sub(max(w.Start(i), 0)))
}

// Column is the column of a time within the window.
func (w *Window) Column(t clock.Time) int {
	i := int(int64(t-w.From) * int64(w.Columns) / int64(w.To-w.From))
	for i+1 < w.Columns && w.Start(i+1) <= t {
		i++
	}
	for i > 0 && w.Start(i) > t {
		i--
	}
	return i
}

// edges counts the CPUs whose state changes with a column.
type edges struct{ user, system, idle, off int32 }

// kind is what a CPU's time is spent on.
type kind uint8

const (
	user kind = iota
	system
	idle
	away
)

// Window copies a part of the timeline as it stands at now into the storage of
// a window. It takes as long as there are columns times CPUs, or as marks are in
// sight where that is less; columns that the window held already and that have
// passed by then are not made again, which keeps them exact even when their marks
// go.
func (t *Timeline) Window(into *Window, q Query, now clock.Time) {
	t.flushAll()
	q.To = max(q.To, q.From+1)
	into.keep(t, q, now)
	into.From, into.To, into.Now, into.Columns = q.From, q.To, now, q.Columns
	t.lay(into)
	for row := range into.Rows() {
		t.row(into, row)
	}
	t.sums(into)
	t.overview(into)
}

// keep moves the cells that are as they were to where they belong in the new
// window, and notes the first column that is not.
func (w *Window) keep(t *Timeline, q Query, now clock.Time) {
	shift, kept := 0, false
	if w.of == t && w.Now <= now && w.Columns == q.Columns && q.Columns > 0 &&
		w.To-w.From == q.To-q.From && slices.Equal(w.rows, q.Rows) && (w.rows == nil) == (q.Rows == nil) {
		by, width := q.From-w.From, (q.To-q.From)/clock.Time(q.Columns)
		switch {
		case by == 0:
			kept = true
		case by > 0 && width > 0 && width*clock.Time(q.Columns) == q.To-q.From && by%width == 0 && by/width < clock.Time(q.Columns):
			shift, kept = int(by/width), true
		}
	}
	w.first = 0
	if kept {
		// The column of the last now was not full, and the one before may have
		// had a mark at its end that is not there any more.
		last := q.Columns
		if w.Now < w.To {
			last = max(0, w.Column(max(w.From, w.Now))-1)
		}
		w.first = max(0, last-shift)
		for r := range w.Rows() {
			row := w.Row(r)
			copy(row, row[shift:])
		}
	}
	w.of = t
	if w.rows = w.rows[:0]; q.Rows != nil {
		w.rows = append(w.rows, q.Rows...)
	} else {
		w.rows = nil
	}
}

// lay makes room for the rows, and finds what was dropped.
func (t *Timeline) lay(w *Window) {
	n := len(t.cpus)
	if w.rows != nil {
		n = 0
		for _, r := range w.rows {
			n = max(n, int(r)+1)
		}
	}
	w.RowCPUs = zeroed(w.RowCPUs, n)
	for i := range t.cpus {
		w.RowCPUs[rowOf(w.rows, i)]++
	}
	w.Cells = slices.Grow(w.Cells[:0], n*w.Columns)[:n*w.Columns]
	for r := range n {
		row := w.Row(r)[w.first:]
		for i := range row {
			row[i] = Cell{Thread: sched.None}
		}
	}
	w.Whole, w.Step = 0, 0
	for i := range t.cpus {
		if x := &t.cpus[i]; x.marks.lost {
			w.Whole, w.Step = max(w.Whole, x.marks.whole()), max(w.Step, x.sums.step)
		}
	}
	w.waits = zeroed(w.waits, w.Columns)
	if w.waited = w.begin() >= t.waits.since(); !w.waited {
		return
	}
	for i := w.first; i < w.Columns; i++ {
		if a, b := max(0, w.Start(i)), min(w.Start(i+1), w.Now); a < b {
			w.waits[i] = t.waits.upTo(b) - t.waits.upTo(a)
		}
	}
}

// begin and end are the time of the columns that are to be made.
func (w *Window) begin() clock.Time { return max(0, w.Start(w.first)) }
func (w *Window) end() clock.Time   { return min(w.To, w.Now) }

func rowOf(rows []int32, cpu int) int {
	if rows == nil {
		return cpu
	}
	return int(rows[cpu])
}

func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

func (t *Timeline) row(w *Window, row int) {
	if w.first >= w.Columns {
		return
	}
	w.edges = zeroed(w.edges, w.Columns)
	cells, one := w.Row(row), w.RowCPUs[row] == 1
	from, to := w.begin(), w.end()
	for i := range t.cpus {
		if rowOf(w.rows, i) != row || from >= to {
			continue
		}
		a, b := t.cpus[i].marks.at(from), t.cpus[i].marks.at(to-1)
		if a >= 0 && b-a <= 2*(w.Columns-w.first) && w.waited {
			t.walk(w, cells, i, a, b, one)
		} else {
			t.columns(w, cells, i, one)
		}
	}
	w.finish(cells)
}

// columns asks for the sums at each column's ends.
func (t *Timeline) columns(w *Window, cells []Cell, cpu int, one bool) {
	x := &t.cpus[cpu]
	at, whole := w.begin(), x.marks.whole()
	// The mark in force just before counts: a switch at the very moment belongs
	// to the column that begins there.
	i := x.marks.at(max(0, at-1))
	before := t.upToFrom(cpu, i, at)
	for k := w.first; k < len(cells); k++ {
		a, b := max(w.Start(k), 0), min(w.Start(k+1), w.Now)
		if a >= b {
			continue
		}
		next := x.marks.from(i, b-1)
		sums := t.upToFrom(cpu, next, b)
		c := &cells[k]
		c.Add(sums.Minus(before))
		switch {
		case !one || sums.Busy() == before.Busy():
		case a < whole:
			c.Thread, _ = x.sums.longest(a, b)
		default:
			c.Thread, _ = x.marks.longestFrom(i, a, b)
		}
		before, i = sums, next
	}
}

// walk goes over the marks from index a to b.
func (t *Timeline) walk(w *Window, cells []Cell, cpu, a, b int, one bool) {
	l := &t.cpus[cpu].marks
	from, to := w.begin(), w.end()
	var best []clock.Duration
	if one {
		w.best = zeroed(w.best, len(cells))
		best = w.best
	}
	begun := from
	for i := a; i <= b; i++ {
		m := l.get(i)
		s, e := max(m.at, from), min(l.until(i, to), to)
		if !m.same && m.at >= from && m.at > 0 {
			cells[w.Column(s)].Switches++
		}
		switch {
		case m.thread >= 0:
			mid := max(s, min(e, m.at.Add(clock.Duration(m.due))))
			if m.mode == trace.SystemMode {
				mid = e
			}
			t.span(w, cells, s, mid, system)
			t.span(w, cells, mid, e, user)
		case m.thread == sched.None:
			t.span(w, cells, s, e, idle)
		default:
			t.span(w, cells, s, e, away)
		}
		if !m.same {
			begun = s
		}
		if one && m.thread >= 0 && (i == b || !l.get(i+1).same) {
			w.stay(cells, best, begun, e, m.thread)
		}
	}
}

// stay notes a stay in each column that it touches, where none was longer.
func (w *Window) stay(cells []Cell, best []clock.Duration, from, to clock.Time, th sched.ThreadID) {
	for i := w.Column(from); i < len(cells) && w.Start(i) < to; i++ {
		if d := min(to, w.Start(i+1)).Sub(max(from, w.Start(i))); d > best[i] {
			best[i], cells[i].Thread = d, th
		}
	}
}

// span adds time to the columns it covers: parts of columns at once, whole ones
// as edges.
func (t *Timeline) span(w *Window, cells []Cell, from, to clock.Time, k kind) {
	if from >= to {
		return
	}
	first, last := w.Column(from), w.Column(to-1)
	if first == last {
		t.part(&cells[first], from, to, k)
		return
	}
	t.part(&cells[first], from, w.Start(first+1), k)
	t.part(&cells[last], w.Start(last), to, k)
	if first+1 < last {
		w.edges[first+1].step(k, 1)
		w.edges[last].step(k, -1)
	}
}

func (e *edges) step(k kind, n int32) {
	switch k {
	case user:
		e.user += n
	case system:
		e.system += n
	case idle:
		e.idle += n
	case away:
		e.off += n
	}
}

func (t *Timeline) part(c *Cell, from, to clock.Time, k kind) {
	switch d := to.Sub(from); k {
	case user:
		c.User += d
	case system:
		c.System += d
	case idle:
		c.Beside += t.waits.upTo(to) - t.waits.upTo(from)
	case away:
		c.Off += d
	}
}

// finish turns edges into sums.
func (w *Window) finish(cells []Cell) {
	var n edges
	for i := w.first; i < len(cells); i++ {
		e, c := &w.edges[i], &cells[i]
		n = edges{n.user + e.user, n.system + e.system, n.idle + e.idle, n.off + e.off}
		if n == (edges{}) {
			continue
		}
		d := w.Start(i + 1).Sub(w.Start(i))
		c.User += d * clock.Duration(n.user)
		c.System += d * clock.Duration(n.system)
		c.Off += d * clock.Duration(n.off)
		c.Beside += w.waits[i] * clock.Duration(n.idle)
	}
}

// sums adds up what each CPU did.
func (t *Timeline) sums(w *Window) {
	w.Sums = zeroed(w.Sums, len(t.cpus))
	from, to := max(w.From, 0), min(w.To, w.Now)
	if from >= to {
		return
	}
	for i := range t.cpus {
		w.Sums[i] = t.upTo(i, to).Minus(t.upTo(i, from))
	}
}

func (t *Timeline) overview(w *Window) {
	w.Overview = zeroed(w.Overview, OverviewColumns)
	if w.Now == 0 {
		return
	}
	var all, before Sums
	for i := range t.cpus {
		all.Add(t.upTo(i, w.Now))
	}
	for i := range w.Overview {
		sums := t.all.upTo(w.Now*clock.Time(i+1)/OverviewColumns, w.Now, all)
		w.Overview[i] = sums.Minus(before)
		before = sums
	}
}
