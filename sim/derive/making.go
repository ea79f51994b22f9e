package derive

import (
	"strings"

	"strandscope/sim/record"
)

// start puts the threads into the states that they have when the recording begins.
func (m *maker) start() {
	met := make([]bool, len(m.th))
	for cpu, th := range m.tr.Runner {
		if th >= 0 && cpu < len(m.cpus) && m.cpus[cpu] == record.None && !m.th[th].alive && m.runsFirst(th) {
			m.th[th].alive = true
			m.on(th, cpu, 0)
			met[th] = true
		}
	}
	wakes := false
	for i := range m.tr.Len() {
		k := m.tr.At(i).Kind
		wakes = wakes || k == record.Wakeup || k == record.Waking
	}
	meet := func(th int32, asleep bool) {
		if th == record.None || met[th] {
			return
		}
		met[th] = true
		d := &m.th[th]
		d.alive, d.asleep = true, asleep
	}
	for i := range m.tr.Len() {
		switch r := m.tr.At(i); r.Kind {
		case record.Switch:
			meet(r.Thread, false)
			meet(r.Other, !wakes)
		case record.In:
			meet(r.Thread, !wakes)
		case record.Wakeup, record.Waking:
			meet(r.Thread, true)
		case record.WakeupNew, record.Fork:
			if r.Thread != record.None {
				met[r.Thread] = true
			}
		default:
		}
	}
	for i := range m.th {
		m.w.Threads[i].From = m.w.Shift
		if d := &m.th[i]; d.alive && d.asleep {
			m.w.Threads[i].From = 0
			d.fell = -m.w.Shift
		}
	}
}

// runsFirst reports whether the first record about a thread lets it be running before.
func (m *maker) runsFirst(th int32) bool {
	for i := range m.tr.Len() {
		switch r := m.tr.At(i); {
		case (r.Kind == record.Wakeup || r.Kind == record.Waking || r.Kind == record.WakeupNew || r.Kind == record.Fork) && r.Thread == th:
			return false
		case r.Thread == th || r.Other == th:
			return true
		}
	}
	return true
}

func (m *maker) record(r *record.Rec) {
	switch r.Kind {
	case record.Switch:
		if c := m.cpus[r.CPU]; c != r.Thread {
			m.off(c, r.At, record.Runnable) // something is missing
			if r.Thread != record.None {
				m.on(r.Thread, int(r.CPU), r.At)
			}
		}
		m.off(r.Thread, r.At, r.State)
		m.prio(r.Thread, r.Prio)
		m.prio(r.Other, r.OtherPrio)
		if r.Other != record.None {
			m.on(r.Other, int(r.CPU), r.At)
		}
	case record.In:
		m.off(m.cpus[r.CPU], r.At, record.Runnable)
		m.on(r.Thread, int(r.CPU), r.At)
	case record.Out:
		if m.cpus[r.CPU] == r.Thread {
			m.off(r.Thread, r.At, r.State)
		}
	case record.Wakeup, record.Waking:
		m.woken(r)
	case record.WakeupNew:
		m.forked(r)
	default:
	}
}

func (m *maker) prio(th int32, p int16) {
	if th == record.None || p < 0 {
		return
	}
	if d := &m.th[th]; d.prio != p {
		d.prio = p
		d.prios++
	}
}

// settle counts idle time up to now.
func (m *maker) settle(at int64) {
	if m.busy < len(m.cpus) {
		m.idle += at - m.idleAt
	}
	m.idleAt = at
}

func (m *maker) on(th int32, cpu int, at int64) {
	m.settle(at)
	d := &m.th[th]
	if d.on >= 0 {
		m.off(th, at, record.Runnable)
	}
	if d.asleep || !d.alive {
		// It was woken, and that is not recorded.
		d.alive = true
		if d.asleep {
			m.step(th, Step{Kind: Until, At: at, Ns: at - d.fell})
			d.asleep = false
		} else {
			m.w.Threads[th].From = at + m.w.Shift
		}
	}
	if d.waiting >= 0 {
		d.beside += m.idle - d.idle
		d.waiting = -1
	}
	d.on, d.since = cpu, at
	d.runs++
	switch {
	case d.cpu == -2:
		d.cpu = int16(cpu)
	case int(d.cpu) != cpu:
		d.cpu = -1
	}
	m.cpus[cpu] = th
	m.busy++
}

// computed is what a thread has computed up to now that is in no step, and puts it into
// one.
func (m *maker) computed(th int32, at int64) {
	d := &m.th[th]
	if d.on >= 0 {
		d.rest += at - d.since
		d.since = at
	}
	if d.rest > 0 {
		m.step(th, Step{Kind: Compute, Ns: d.rest})
		d.rest = 0
	}
}

func (m *maker) off(th int32, at int64, how record.State) {
	if th == record.None {
		return
	}
	d := &m.th[th]
	if d.on < 0 {
		return
	}
	m.settle(at)
	m.cpus[d.on] = record.None
	m.busy--
	if how == record.Runnable || how == record.Preempted {
		d.rest += at - d.since
		d.on = -1
		d.waiting, d.idle = at, m.idle
		return
	}
	m.computed(th, at)
	d.on = -1
	if how == record.Dead {
		m.step(th, Step{Kind: Exit})
		d.alive = false
		return
	}
	d.asleep, d.fell = true, at
}

func (m *maker) step(th int32, s Step) {
	t := &m.w.Threads[th]
	t.Steps = append(t.Steps, s)
	m.steps++
	m.text += 24
	switch s.Kind {
	case Until:
		m.text += 48
	case Await:
		m.text += 2 * len(t.Name)
	case Post, Fork:
		m.text += 2 * len(m.w.Threads[s.Other].Name)
	default:
	}
}

// woken is a wake-up of a thread that sleeps.
func (m *maker) woken(r *record.Rec) {
	d := &m.th[r.Thread]
	m.prio(r.Thread, r.Prio)
	if !d.asleep {
		if !d.alive && d.on < 0 && d.runs == 0 { // its fork is not recorded
			d.alive = true
			m.w.Threads[r.Thread].From = r.At + m.w.Shift
		}
		return
	}
	m.settle(r.At)
	d.asleep = false
	d.waiting, d.idle = r.At, m.idle
	w := r.Other
	byThread := w != record.None && m.th[w].on == int(r.CPU) && r.Flags&record.FromInterrupt == 0 &&
		(r.Flags&record.ContextKnown != 0 || m.pairs[r.Thread] == w)
	t := &m.w.Threads[r.Thread]
	t.Wakes++
	if !byThread {
		// What a timer of the tick wakes is there when the tick's decision is made.
		at := r.At
		if late := (at + m.w.Shift) % m.w.opt.Tick; late < afterTick && m.known {
			at -= late
		}
		m.step(r.Thread, Step{Kind: Until, At: at, Ns: max(1, at-d.fell)})
		return
	}
	t.ByThreads++
	m.computed(w, r.At)
	m.step(w, Step{Kind: Post, Other: r.Thread})
	m.step(r.Thread, Step{Kind: Await})
}

func (m *maker) forked(r *record.Rec) {
	d, t := &m.th[r.Thread], &m.w.Threads[r.Thread]
	m.prio(r.Thread, r.Prio)
	if d.alive {
		return
	}
	m.settle(r.At)
	d.alive = true
	d.waiting, d.idle = r.At, m.idle
	w := r.Other
	if w == record.None || m.th[w].on != int(r.CPU) || m.w.Threads[w].Nice != t.Nice || m.w.Threads[w].Realtime != t.Realtime {
		t.From = r.At + m.w.Shift
		return
	}
	t.Forked = true
	m.computed(w, r.At)
	m.step(w, Step{Kind: Fork, Other: r.Thread})
}

// finish ends the threads as they are when the recording ends.
func (m *maker) finish() {
	changed, spins, bound := 0, 0, 0
	for i := range m.th {
		d, t := &m.th[i], &m.w.Threads[i]
		if d.prios > 0 {
			changed++
		}
		if t.Bound = m.bound(i); t.Bound >= 0 {
			bound++
		}
		switch {
		case !d.alive:
		case d.asleep:
			m.step(int32(i), Step{Kind: Block})
		default:
			m.step(int32(i), Step{Kind: Spin})
			spins++
		}
	}
	if changed > 0 {
		m.w.note("%d threads changed their priority; each has the first one that was recorded", changed)
	}
	if bound > 0 {
		m.w.note("%d threads are bound to a CPU: kernel threads of one CPU by their name, others that waited for their only CPU while others idled", bound)
	}
	m.w.note("%d threads could run when the recording ended, and go on for ever", spins)
}

// afterTick is how long after a tick of the clock its own timers still wake threads.
const afterTick = 12_000

// perCPU are beginnings of names of kernel threads that belong to the CPU of the number
// that follows.
var perCPU = []string{"kworker/", "migration/", "ksoftirqd/", "cpuhp/", "rcuc/", "idle_inject/", "irq_work/", "rcuos/", "stopper/"}

// besideIdle is how long a thread has to have waited for the only CPU that it used while
// another idled, to be taken as bound to it.
const besideIdle = 20_000_000

func (m *maker) bound(i int) int {
	d := &m.th[i]
	if len(m.cpus) == 1 || d.cpu < 0 {
		return -1
	}
	for _, p := range perCPU {
		rest, ok := strings.CutPrefix(m.tr.Threads[i].Name, p)
		if !ok {
			continue
		}
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if n > 0 && n < 5 && atoi(rest[:n]) == int(d.cpu) {
			return int(d.cpu)
		}
	}
	if d.runs >= 3 && d.beside >= besideIdle {
		return int(d.cpu)
	}
	return -1
}

func atoi(s string) (n int) {
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}
