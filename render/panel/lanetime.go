package panel

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// maxColumns bounds the columns of a timeline, so that they fit on the stack; in
// wider pictures a column is more than a CSS pixel wide.
const maxColumns = 1920

// laneTime adds up what the CPUs of a row did, pixel column by pixel column.
// They begin at whole multiples of their width in simulated time, so that what
// is past looks the same in every frame.
type laneTime struct {
	strip *stats.Strip
	from  clock.Time // of the first column
	width clock.Duration
	n     int
	waits [maxColumns]clock.Duration // how long threads waited in each
	cells [maxColumns]tally
	cpus  int // added since the last clear
}

// tally is the time of a row's CPUs in one column. While they are added, n
// counts the CPUs whose state changes at the column for its whole width.
type tally struct {
	spent  [3]clock.Duration // by state
	beside clock.Duration    // of the idle time: while threads waited
	n      [3]int32
	thread sched.ThreadID // that ran longest, in rows of one CPU
	best   clock.Duration
}

// The states of a CPU in a column.
const (
	colBusy = iota
	colIdle
	colOff
)

// begin lays n columns over the end of a strip.
func (c *laneTime) begin(s *stats.Strip, span clock.Duration, n int) {
	c.strip, c.n = s, max(1, min(n, maxColumns))
	c.width = max(1, span/clock.Duration(c.n))
	last := (int64(s.To) + int64(c.width) - 1) / int64(c.width) // columns up to now
	c.from = clock.Time((last - int64(c.n)) * int64(c.width))
	for i := range c.n {
		c.waits[i] = s.Waited(max(0, c.start(i)), c.end(i))
	}
}

func (c *laneTime) start(i int) clock.Time { return c.from + clock.Time(int64(i)*int64(c.width)) }
func (c *laneTime) end(i int) clock.Time   { return min(c.start(i+1), c.strip.To) }

// whole is the time that a column's CPUs had, the last column up to now only.
func (c *laneTime) whole(i int) clock.Duration {
	return c.end(i).Sub(c.start(i)) * clock.Duration(c.cpus)
}

func (c *laneTime) clear() {
	c.cpus = 0
	clear(c.cells[:c.n])
}

// add adds a CPU to the row.
func (c *laneTime) add(marks []stats.Mark) {
	c.cpus++
	for i, m := range marks {
		to := c.strip.To
		if i+1 < len(marks) {
			to = marks[i+1].At
		}
		if from := max(m.At, c.from); from < to {
			c.span(from, to, m.Thread)
		}
	}
}

func (c *laneTime) span(from, to clock.Time, th sched.ThreadID) {
	state := colBusy
	switch th {
	case sched.None:
		state = colIdle
	case stats.OffLine:
		state = colOff
	}
	first := int(int64(from-c.from) / int64(c.width))
	last := int(int64(to-1-c.from) / int64(c.width))
	if first == last {
		c.part(first, from, to, state, th)
		return
	}
	c.part(first, from, c.start(first+1), state, th)
	c.part(last, c.start(last), to, state, th)
	if first+1 == last {
		return
	}
	c.cells[first+1].n[state]++
	c.cells[last].n[state]--
	if state == colBusy && c.cpus == 1 {
		for i := first + 1; i < last; i++ {
			c.cells[i].thread, c.cells[i].best = th, c.width
		}
	}
}

// part adds a piece of a column.
func (c *laneTime) part(i int, from, to clock.Time, state int, th sched.ThreadID) {
	cell, d := &c.cells[i], to.Sub(from)
	cell.spent[state] += d
	switch {
	case state == colIdle:
		cell.beside += c.strip.Waited(from, to)
	case state == colBusy && d > cell.best:
		cell.best, cell.thread = d, th
	}
}

// finish turns the changes into sums.
func (c *laneTime) finish() {
	var n [3]int32
	for i := range c.n {
		cell := &c.cells[i]
		for s := range n {
			n[s] += cell.n[s]
			cell.spent[s] += c.width * clock.Duration(n[s])
		}
		cell.beside += c.waits[i] * clock.Duration(n[colIdle])
	}
}

// unit is one pixel of the height of a bar, divided.
const unit = 4096

// bars turns shares into heights of whole pixels. Each height is less than one
// pixel off; what is rounded away is carried into the next column, so that the
// area stays right; and neither the first busy moment of a stretch nor its first
// gap vanishes.
type bars struct {
	h     int
	carry int64
	begun bool // within columns that are partly busy
}

func (b *bars) next(part, whole clock.Duration) int {
	switch {
	case part <= 0 || whole <= 0:
		b.carry, b.begun = 0, false
		return 0
	case part >= whole:
		b.carry, b.begun = 0, false
		return b.h
	}
	want := int64(part) * int64(b.h) * unit / int64(whole)
	low := want / unit
	px := low
	if b.carry+want-low*unit >= unit/2 {
		px++
	}
	if !b.begun {
		px = max(1, min(px, int64(b.h)-1))
	}
	b.begun = true
	b.carry += want - px*unit
	return int(px)
}
