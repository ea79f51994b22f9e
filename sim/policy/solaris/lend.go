package solaris

import "strandscope/sim/sched"

// The dispatcher lends itself to the classes as Disp.
var _ Disp = (*dispatcher)(nil)

func (d *dispatcher) SetBackDQ(t *sched.Thread)              { d.setBack(t) }
func (d *dispatcher) SetFrontDQ(t *sched.Thread)             { d.setFront(t) }
func (d *dispatcher) Pri(t *sched.Thread) int                { return d.th.At(t.ID).pri }
func (d *dispatcher) RanThisTick(t *sched.Thread) bool       { return d.sinceRan(t) == 0 }
func (d *dispatcher) KpriRequested(t *sched.Thread) bool     { return d.th.At(t.ID).kpri }
func (d *dispatcher) CreationIndex(t *sched.Thread) int      { return d.th.At(t.ID).creation }
func (d *dispatcher) Thread(id sched.ThreadID) *sched.Thread { return d.k.Thread(id) }
func (d *dispatcher) Note(t *sched.Thread, why sched.Reason) { d.k.Note(t, why) }

func (d *dispatcher) SetPri(t *sched.Thread, pri int) {
	d.th.At(t.ID).pri = pri
	if d.k.CPUs()[t.CPU].Thread == t {
		d.cpus[t.CPU].runs = pri
		d.reckon(t.CPU)
	}
}

func (d *dispatcher) ChangePri(t *sched.Thread, pri int, front bool) bool {
	x := d.th.At(t.ID)
	q := d.links.At(t.ID).queue
	if q == nil {
		d.SetPri(t, pri)
		return false
	}
	d.remove(q, t.ID)
	x.pri = pri
	if front {
		d.setFront(t)
	} else {
		d.setBack(t)
	}
	return true
}

// Surrender asks for a preemption at the thread's CPU (cpu_surrender).
func (d *dispatcher) Surrender(t *sched.Thread) {
	if t.State == sched.Running {
		d.k.Kick(d.k.CPUs()[t.CPU])
	}
}

func (d *dispatcher) PostTrapRet(t *sched.Thread) {
	d.th.At(t.ID).trapret = true
	if t.State == sched.Running {
		d.k.Post(d.k.CPUs()[t.CPU])
	}
}

// MaxRunPri is the best priority waiting at t's CPU; for real-time threads also
// that of their processor set's kernel-preemption queue.
func (d *dispatcher) MaxRunPri(t *sched.Thread) int {
	cd := &d.cpus[t.CPU]
	pri := cd.q.maxRun
	if cd.part.kpq.n > 0 {
		pri = max(pri, cd.part.kpq.maxRun)
	}
	return pri
}
