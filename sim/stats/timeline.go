package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// OffLine stands for a thread where a CPU is off-line.
const OffLine sched.ThreadID = -2

// The room of a timeline: MaxMarks for all CPUs together take 20 MB. A CPU has
// markBlock at least.
const (
	MaxMarks  = 5 << 16
	markBlock = 32
)

// The sums that stand for what was dropped: gridMost of all CPUs together, of
// one gridLeast at least and gridLongest at most. A bucket is so many ticks wide
// at first and doubles when they are too many.
const (
	gridMost    = 1 << 17
	gridLeast   = 64
	gridLongest = 4096
	gridTicks   = 32
)

// Timeline keeps what each CPU did over the whole run. Marks say to the
// nanosecond what it turned to, when and why. Their number is limited; beyond
// that the oldest ones go, and what stays of their time is exact sums of busy
// time in buckets that grow with the run. No memory grows without bound.
//
// Besides plain values it holds only lists of pointers to blocks that are never
// changed again (markSeal, and those of blocks), so a copy of a timeline may
// share those.
type Timeline struct {
	cpus    []laneMarks
	sealed  int // blocks of all CPUs together
	most    int
	waits   waitLog
	waiting int
	came    []sched.Cause // why each thread became runnable last
	all     grid          // sums over all CPUs, each second
	oldest  []aged        // scratch of thin
}

// laneMarks is one CPU's part of a timeline.
type laneMarks struct {
	marks   markLog
	sums    grid
	mode    trace.CPUMode
	modeAt  clock.Time // since when; the mark for it may still be due
	offline bool
	left    sched.Cause // why the thread that was here left
	due     clock.Duration
	dueAt   clock.Time // as of when
	// How long threads had waited on the machine at the last mark and at the one
	// before.
	waited, waitedBefore clock.Duration
}

// NewTimeline returns the timeline of so many CPUs, all idle, of a kernel with
// such a clock tick.
func NewTimeline(cpus int, tick clock.Duration) *Timeline {
	t := &Timeline{cpus: make([]laneMarks, cpus), most: max(cpus, MaxMarks/markBlock)}
	buckets := max(gridLeast, min(gridMost/max(1, cpus), gridLongest))
	for i := range t.cpus {
		t.cpus[i].marks.push(mark{thread: sched.None})
		t.cpus[i].sums = grid{step: gridTicks * tick, most: buckets}
	}
	t.all = grid{step: clock.Second, most: gridLongest}
	t.waits.push(wait{})
	return t
}

// KeepLittle lets a timeline keep as few marks as it can, for runs that nobody
// looks at.
func (t *Timeline) KeepLittle() { t.most = len(t.cpus) }

// Whole is the time from which on every mark of every CPU is kept.
func (t *Timeline) Whole() (from clock.Time) {
	for i := range t.cpus {
		from = max(from, t.cpus[i].marks.whole())
	}
	return from
}

// Forget drops the marks that can be dropped; the sums stay.
func (t *Timeline) Forget() {
	most := t.most
	t.KeepLittle()
	t.thin()
	t.most = most
}

// ForgetBefore drops the marks that ended before a time, in whole blocks.
func (t *Timeline) ForgetBefore(at clock.Time) {
	for i := range t.cpus {
		for m := &t.cpus[i].marks; len(m.sealed) > 0 && m.sealed[0].end <= at; t.sealed-- {
			m.thin()
		}
	}
}

// Kinds implements trace.Chooser.
func (*Timeline) Kinds() trace.Kinds {
	return trace.Of(trace.Created, trace.Woke, trace.On, trace.Off, trace.Idle, trace.Mode, trace.Charged, trace.Changed, trace.Second)
}

// Observe implements trace.Observer.
func (t *Timeline) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Created:
		for int(e.Thread) >= len(t.came) {
			t.came = append(t.came, sched.NoCause)
		}
	case trace.Woke:
		t.wait(e.At, 1)
		t.because(e.Thread, e.Cause)
	case trace.On:
		t.wait(e.At, -1)
		t.turn(int(e.CPU), e.Thread, e)
	case trace.Off:
		t.cpus[e.CPU].left = e.Cause
		if e.Cause != sched.Blocked && e.Cause != sched.Exited {
			t.wait(e.At, 1)
			t.because(e.Thread, e.Cause)
		}
	case trace.Idle:
		t.turn(int(e.CPU), sched.None, e)
	case trace.Mode:
		x := &t.cpus[e.CPU]
		if x.modeAt < e.At {
			t.flush(int(e.CPU))
		}
		x.mode, x.modeAt = trace.CPUMode(e.A), e.At
	case trace.Charged:
		t.charged(int(e.CPU), e)
	case trace.Changed:
		t.changed(int(e.CPU), e)
	case trace.Second:
		t.second(e.At)
	default:
	}
}

func (t *Timeline) because(th sched.ThreadID, why sched.Cause) {
	for int(th) >= len(t.came) {
		t.came = append(t.came, sched.NoCause)
	}
	t.came[th] = why
}

func (t *Timeline) changed(cpu int, e *trace.Event) {
	x := &t.cpus[cpu]
	x.offline = e.A < 0
	last := x.marks.last().thread
	if x.offline && last == sched.None || !x.offline && last == OffLine {
		t.turn(cpu, sched.None, e)
	}
}

// settle lets kernel work that is due be done up to a time.
func (x *laneMarks) settle(at clock.Time) {
	x.due -= min(x.due, at.Sub(x.dueAt))
	x.dueAt = at
}

// turn notes that a CPU goes to a thread, or to none.
func (t *Timeline) turn(cpu int, th sched.ThreadID, e *trace.Event) {
	if t.cpus[cpu].modeAt < e.At {
		t.flush(cpu)
	}
	m := mark{at: e.At, thread: th, why: e.Why, pri: e.Pri}
	switch {
	case th >= 0:
		if int(th) < len(t.came) {
			m.came = t.came[th]
		}
	case t.cpus[cpu].offline:
		m.thread = OffLine
	}
	t.put(cpu, m, true)
}

// flush adds the mark for a change of mode. It comes late, since most modes last
// no time: a clock tick is a moment in the kernel.
func (t *Timeline) flush(cpu int) {
	x := &t.cpus[cpu]
	if last := x.marks.last(); last.thread >= 0 && last.mode != x.mode {
		t.put(cpu, mark{at: x.modeAt, thread: last.thread}, false)
	}
}

// charged notes that kernel work is due on a CPU.
func (t *Timeline) charged(cpu int, e *trace.Event) {
	t.flush(cpu)
	x := &t.cpus[cpu]
	x.settle(e.At)
	x.due += clock.Duration(e.A)
	if th := x.marks.last().thread; th >= 0 {
		t.put(cpu, mark{at: e.At, thread: th}, false)
	}
}

// flushAll adds all marks that are still due.
func (t *Timeline) flushAll() {
	for i := range t.cpus {
		t.flush(i)
	}
}

// put adds a mark. What took no time is not kept, and what changes nothing is
// not added.
func (t *Timeline) put(cpu int, m mark, fresh bool) {
	x := &t.cpus[cpu]
	x.settle(m.at)
	m.left = x.left
	if last := *x.marks.last(); last.at == m.at {
		x.marks.drop()
		x.waited = x.waitedBefore
		switch {
		case last.thread == m.thread && !fresh:
			m = last
		case !last.same:
			m.left = last.left
		}
	}
	if m.thread >= 0 {
		m.mode, m.due = x.mode, uint32(min(x.due, 1<<32-1))
	}
	m.same = false
	if x.marks.n > 0 {
		last := x.marks.last()
		m.done = last.upTo(m.at, t.waits.upTo(m.at)-x.waited)
		m.switches = last.switches + 1
		if last.thread == m.thread {
			if last.mode == m.mode && last.rest(m.at) == m.due {
				if x.marks.reopen() {
					t.sealed--
				}
				return
			}
			m.same, m.switches = true, last.switches
		}
	}
	x.waitedBefore, x.waited = x.waited, t.waits.upTo(m.at)
	if x.marks.push(m) {
		t.sealed++
		t.thin()
	}
}

// thin drops the oldest blocks of marks while there are too many.
func (t *Timeline) thin() {
	for t.sealed > t.most {
		// With thousands of CPUs to look at, several go at once.
		n := min(max(1, len(t.cpus)/64), t.sealed)
		oldest := t.oldest[:0]
		for i := range t.cpus {
			if s := t.cpus[i].marks.sealed; len(s) > 0 {
				oldest = older(oldest, n, aged{s[0].m[0].at, int32(i)})
			}
		}
		t.oldest = oldest
		for _, x := range oldest {
			t.cpus[x.cpu].marks.thin()
			t.sealed--
		}
	}
}

// aged is a CPU and when its oldest block begins.
type aged struct {
	at  clock.Time
	cpu int32
}

// older adds x to a list of the n oldest, in order; of one age the lower CPU comes first.
func older(list []aged, n int, x aged) []aged {
	i := len(list)
	for i > 0 && list[i-1].at > x.at {
		i--
	}
	if i == n {
		return list
	}
	if len(list) < n {
		list = append(list, aged{})
	}
	copy(list[i+1:], list[i:])
	list[i] = x
	return list
}

// wait keeps when threads waited; what took no time is left out.
func (t *Timeline) wait(at clock.Time, n int) {
	t.waiting += n
	t.waits.set(at, t.waiting > 0)
}

// second adds the sums of the time that has passed to the grids.
func (t *Timeline) second(now clock.Time) {
	var all Sums
	t.flushAll()
	for i := range t.cpus {
		x := &t.cpus[i]
		for at := x.sums.next(); at <= now; at = x.sums.next() {
			th, best := x.marks.longest(at.Add(-x.sums.step), at)
			x.sums.push(gridSum{t.upTo(i, at), th, best})
		}
		all.Add(t.upTo(i, now))
	}
	for at := t.all.next(); at <= now; at = t.all.next() {
		t.all.push(gridSum{Sums: all, thread: sched.None})
	}
}
