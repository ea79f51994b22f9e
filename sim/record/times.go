package record

import "math"

// clockOf is what a CPU's clock has shown.
type clockOf struct {
	last int64
	seen bool
}

// add puts a record into the index. Its time is as the file has it.
func (r *Reader) add(x *Rec) {
	if r.th.full {
		r.th.full = false
		r.note("too many threads", "pid", "more than %d threads; further ones are left out", maxThreads)
		return
	}
	c := r.cpu(int(x.CPU))
	r.room(int(x.CPU))
	x.At += r.shift
	if c.seen && x.At < c.last {
		back := c.last - x.At
		switch {
		case back <= 1_000_000:
			r.note("the clock of a CPU goes back by less than a millisecond", "time", "%d ns before the line above of CPU %d; read as the same time", back, x.CPU)
			x.At = c.last
		default:
			r.note("the clock goes back", "time", "the clock of CPU %d goes back by %d.%03d ms; what follows is read as if it went on without a gap",
				x.CPU, back/1_000_000, back/1000%1000)
			r.shift += r.latest - x.At
			x.At = r.latest
		}
	}
	if r.index().n > 0 && x.At > r.latest && x.At-r.latest > 3600_000_000_000 {
		r.note("the clock jumps forward", "time", "the clock jumps forward by %d s; the time in between is empty", (x.At-r.latest)/1_000_000_000)
	}
	c.last, c.seen = x.At, true
	r.latest = max(r.latest, x.At)
	x.Line = uint32(min(r.t.Lines, math.MaxUint32))
	if !r.index().add(x) {
		r.note("too many records", "", "more than %d records of scheduling; the rest is left out", MaxRecords)
	}
}

// room lets there be a CPU of a number.
func (r *Reader) room(cpu int) {
	for cpu >= len(r.t.Runner) {
		r.t.Runner = append(r.t.Runner, Nobody)
	}
}

func (r *Reader) cpu(n int) *clockOf {
	for n >= len(r.cpus) {
		r.cpus = append(r.cpus, clockOf{})
	}
	return &r.cpus[n]
}

// seen notes who ran on a CPU at the first line about it. The name before the pid is the
// latest one that the kernel knew, not the one of then, so it counts only where no other
// is recorded.
func (r *Reader) seen(cpu int, pid int32, name []byte) {
	t := &r.t
	r.room(cpu)
	if t.Runner[cpu] == Nobody {
		t.Runner[cpu] = r.th.get(pid, nil)
	}
	if i, ok := r.th.byPID[pid]; ok && r.th.list[i].Name == "" && len(name) > 0 && name[0] != '<' {
		r.th.list[i].Name = clean(name)
	}
}

// runners finds who ran on each CPU at first: the first switch knows better than the
// heads of lines.
func (r *Reader) runners() {
	t := &r.t
	t.CPUs = max(t.CPUs, len(t.Runner), 1)
	for len(t.Runner) < t.CPUs {
		t.Runner = append(t.Runner, Nobody)
	}
	known := make([]bool, t.CPUs)
	left := t.CPUs
	for i := 0; i < t.index.n && left > 0; i++ {
		x := t.index.at(i)
		if x.Kind != Switch && x.Kind != In && x.Kind != Out || known[x.CPU] {
			continue
		}
		known[x.CPU] = true
		left--
		t.Runner[x.CPU] = x.Thread
		if x.Kind == In {
			t.Runner[x.CPU] = None
		}
	}
}

// left finds how threads left whose slices do not say it: who came again without being
// woken could go on. Without any wake-ups nothing can be told, and they sleep.
func (r *Reader) left() {
	x := &r.t.index
	out := make([]int32, len(r.t.Threads)) // one more than the last one's index
	wakes, unknown := false, false
	for i := range x.n {
		wakes = wakes || x.at(i).Kind == Wakeup || x.at(i).Kind == Waking
		unknown = unknown || x.at(i).Kind == Out && x.at(i).State == Unknown
	}
	if !unknown {
		return
	}
	if !wakes {
		r.t.Notes.add("how threads left", Note{Text: "how threads left their CPUs is not said, nor when they were woken; they are taken to have slept"})
		return
	}
	for i := range x.n {
		switch a := x.at(i); {
		case a.Thread == None:
		case a.Kind == Out && a.State == Unknown:
			out[a.Thread] = int32(i + 1)
		case a.Kind == In:
			if o := out[a.Thread]; o > 0 {
				x.at(int(o - 1)).State = Preempted
			}
			out[a.Thread] = 0
		case a.Kind == Wakeup || a.Kind == Waking:
			out[a.Thread] = 0
		}
	}
}

// Time in which nothing is recorded, in ns: at most mostGap at a time, and mostEmpty of gaps
// longer than a second in all. A clock that jumps would let a run take years.
const (
	aSecond   = 1_000_000_000
	mostGap   = 24 * 3600 * aSecond
	mostEmpty = 7 * mostGap
)

// gaps shortens what nothing is recorded in where that is too long.
func (r *Reader) gaps() {
	x := &r.t.index
	empty, cut, before := int64(0), int64(0), int64(0)
	for i := range x.n {
		a := x.at(i)
		at := a.At
		if gap := at - before; i > 0 && gap > aSecond {
			if gap > mostGap || empty+gap > mostEmpty {
				r.t.Notes.add("the clock jumps too far", Note{
					Line: int64(a.Line), Field: "time",
					Text: "nothing is recorded for " + itoa(gap/aSecond) + " s before this; read as one second",
				})
				cut += gap - aSecond
			} else {
				empty += gap
			}
		}
		before = at
		a.At -= cut
	}
}
