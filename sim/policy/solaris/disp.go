package solaris

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// dthread is what the dispatcher keeps of a thread.
type dthread struct {
	class    Class
	pri      int
	trapret  bool
	match    bool // "match run queues exactly": FSS threads
	kpri     bool // a kernel-priority request is pending
	creation int  // order of creation among user threads
}

// cpuDisp is what the dispatcher keeps of a CPU.
type cpuDisp struct {
	q         *dispQueue
	part      *partition
	next      *sched.CPU // the next CPU of the partition, circular
	core      *coreGroup
	chosen    int  // an RT thread of this priority has been aimed at it
	dontSteal bool // what waits here is about to be run here
	// A strand that halts joins the partition's halted set and sets a flag.
	// Whoever has work for it takes it out of the set; the flag stays until
	// the strand itself has woken, and only the flag matters to thieves.
	inSet  bool
	halted bool

	runs   int  // the priority that it runs, −1 when idle
	rank   int  // of its partition's ranks, in which it is
	offers bool // it is counted in its partition's offers
}

// partition is a processor set as the dispatcher sees it.
type partition struct {
	id   int
	cpus []*sched.CPU // by id
	kpq  *dispQueue   // unbound threads of priority 100 and more

	ranks  ranks  // its CPUs by what they run and hold
	asleep cpuSet // those in the halted set
	offers int    // CPUs that hold an unbound thread
}

// dispatcher places, queues, picks and steals. It follows uts/common/disp/
// disp.c (setbackdq, setfrontdq, setkpdq, disp, disp_getwork, disp_getbest,
// disp_lowpri_cpu, cpu_choose, cpu_resched, cpu_surrender), cmt_policy.c
// (cmt_balance) and sun4v's mach_startup.c (cpu_halt, cpu_wakeup) of March
// 2008, as shared/reference/solaris/FACTS.md §7 and §8 state their rules.
type dispatcher struct {
	k        sched.Kernel
	tick     clock.Duration
	rechoose int64 // ticks
	th       sched.Table[dthread]
	links    sched.Table[link]
	cpus     []cpuDisp
	parts    []*partition
	offline  *partition // where strands that are off-line belong: no set at all
	cores    []*coreGroup
	created  int
}

func (d *dispatcher) boot(k sched.Kernel, hz int) {
	d.k = k
	d.tick = clock.Second / clock.Duration(hz)
	d.cpus = make([]cpuDisp, len(k.CPUs()))
	for _, c := range k.CPUs() {
		p := d.partition(c.Set)
		p.cpus = append(p.cpus, c)
		d.cpus[c.ID] = cpuDisp{q: newDispQueue(c.ID, &d.links), part: p, chosen: idlePri, runs: idlePri}
	}
	for _, p := range d.parts {
		p.link(d)
	}
	d.offline = d.newPartition(-1)
	d.rankAll()
	d.bootCores()
}

// partition returns the one of a processor set, made on first use; parts stay
// in order of their lowest CPU.
func (d *dispatcher) partition(set int) *partition {
	for _, p := range d.parts {
		if p.id == set {
			return p
		}
	}
	p := d.newPartition(set)
	d.parts = append(d.parts, p)
	return p
}

func (d *dispatcher) newPartition(id int) *partition {
	return &partition{id: id, kpq: newDispQueue(sched.NoCPU, &d.links)}
}

// admit makes room for a thread before anybody holds pointers into the tables.
func (d *dispatcher) admit(t *sched.Thread, c Class) *dthread {
	d.links.At(t.ID).pri = -1
	x := d.th.At(t.ID)
	*x = dthread{class: c, match: c.Name() == "FSS"}
	if !t.Kernel {
		x.creation = d.created
		d.created++
	}
	return x
}

// lbolt is the number of clock ticks so far.
func (d *dispatcher) lbolt() int64 { return int64(d.k.Now()) / int64(d.tick) }

// sinceRan is how many ticks ago t last left a CPU.
func (d *dispatcher) sinceRan(t *sched.Thread) int64 {
	if t.LeftCPU < 0 {
		return 1 << 40
	}
	return d.lbolt() - int64(t.LeftCPU)/int64(d.tick)
}

// running is the priority that c runs, −1 when idle.
func (d *dispatcher) running(c *sched.CPU) int {
	if c.Thread == nil {
		return idlePri
	}
	return d.th.At(c.Thread.ID).pri
}

// current reports whether t is the thread that executes this very code.
func (d *dispatcher) current(t *sched.Thread) bool { return d.k.Here().Thread == t }

// --- where to (FACTS §7.2) ---

// choose stays with the CPU the thread ran on last if that was at most
// rechoose ticks ago, or if it is running there now.
func (d *dispatcher) choose(t *sched.Thread) (*sched.CPU, sched.Reason) {
	last := d.k.CPUs()[t.CPU]
	ago := d.sinceRan(t)
	if d.current(t) || ago <= d.rechoose {
		return last, sched.Reason{Code: whyStays, A: int32(last.ID), B: int32(min(ago, 1<<30))}
	}
	return d.lowpri(d.parts[d.partIndex(t)], last)
}

func (d *dispatcher) partIndex(t *sched.Thread) int {
	for i, p := range d.parts {
		if p.id == t.Set {
			return i
		}
	}
	return 0
}

// lowpri walks the partition from hint on and takes the first CPU that has
// nothing at all, else the first of those that run and hold the least.
func (d *dispatcher) lowpri(p *partition, hint *sched.CPU) (*sched.CPU, sched.Reason) {
	start := hint.ID
	if d.cpus[start].part != p {
		start = p.cpus[0].ID
	}
	id, pri := p.ranks.lowest(start)
	c := d.k.CPUs()[id]
	if pri == idlePri {
		return c, sched.Reason{Code: whyIdleFound, A: int32(id)}
	}
	return c, sched.Reason{Code: whyLowest, A: int32(id), B: int32(pri)}
}

// --- queueing (FACTS §7.3, §7.4, §7.6) ---

// placed says where a thread is to be queued.
func (d *dispatcher) setBack(t *sched.Thread) {
	x := d.th.At(t.ID)
	cpus := d.k.CPUs()
	var c *sched.CPU
	var why sched.Reason
	switch {
	case len(cpus) == 1:
		c, why = cpus[0], sched.Reason{Code: whyOnlyCPU}
	case t.Bound != sched.NoCPU:
		c, why = cpus[t.Bound], sched.Reason{Code: whyBound, A: int32(t.Bound)}
	case x.pri >= kpqPri:
		d.setKP(t, false)
		return
	default:
		c, why = d.choose(t)
		p := d.parts[d.partIndex(t)]
		if d.cpus[c.ID].part != p {
			c, why = d.lowpri(p, p.cpus[0])
		} else {
			c, why = d.balanceCores(t, c, why)
			c, why = d.balanceQueues(x, c, why)
		}
	}
	d.insert(t, c, false, why)
}

// balanceQueues looks at the next CPU only, and moves on to it if its queue at
// this priority is shorter. A difference of two is tolerated from priority 16
// on, but not for threads that match run queues exactly.
func (d *dispatcher) balanceQueues(x *dthread, c *sched.CPU, why sched.Reason) (*sched.CPU, sched.Reason) {
	n := d.cpus[c.ID].q.levels[x.pri].n
	if x.pri >= 16 && !x.match {
		n -= 2
	}
	if n > 0 {
		next := d.cpus[c.ID].next
		if m := d.cpus[next.ID].q.levels[x.pri].n; m < n {
			return next, sched.Reason{Code: whyShorterQueue, A: int32(next.ID), B: int32(c.ID)}
		}
	}
	return c, why
}

func (d *dispatcher) setFront(t *sched.Thread) {
	x := d.th.At(t.ID)
	cpus := d.k.CPUs()
	c := cpus[t.CPU]
	why := sched.Reason{Code: whyFront, A: int32(c.ID)}
	switch {
	case len(cpus) == 1:
		c = cpus[0]
	case t.Bound != sched.NoCPU:
		c, why = cpus[t.Bound], sched.Reason{Code: whyBound, A: int32(t.Bound)}
	case x.pri >= kpqPri:
		d.setKP(t, true)
		return
	default:
		if d.cpus[c.ID].q.maxRun > x.pri {
			c, why = d.choose(t)
		}
		if p := d.parts[d.partIndex(t)]; d.cpus[c.ID].part != p {
			c, why = d.lowpri(p, p.cpus[0])
		}
	}
	d.insert(t, c, true, why)
}

func (d *dispatcher) insert(t *sched.Thread, c *sched.CPU, front bool, why sched.Reason) {
	x := d.th.At(t.ID)
	cd := &d.cpus[c.ID]
	bound := t.Bound != sched.NoCPU
	cd.q.push(t.ID, x.pri, front, bound)
	d.k.Place(t, c, why)
	if x.pri > cd.q.maxRun {
		cd.q.maxRun = x.pri
		d.reckon(c.ID)
		d.resched(c, x.pri)
	}
	if !bound && x.pri > cd.q.maxUnbound {
		if d.current(t) && c == d.k.Here() && cd.q.maxUnbound == idlePri {
			cd.dontSteal = true
		}
		cd.q.maxUnbound = x.pri
		d.reckon(c.ID)
	}
	d.enqueued(c, bound)
}

// setKP queues a thread partition-wide and aims it at the CPU that runs least.
func (d *dispatcher) setKP(t *sched.Thread, front bool) {
	x := d.th.At(t.ID)
	p := d.parts[d.partIndex(t)]
	p.kpq.push(t.ID, x.pri, front, false)
	if x.pri > p.kpq.maxRun {
		p.kpq.maxRun = x.pri
	}
	p.kpq.maxUnbound = max(p.kpq.maxUnbound, x.pri)
	d.k.Place(t, nil, sched.Reason{Code: whyKernelQueue, A: int32(x.pri)})
	c, _ := d.lowpri(p, d.k.CPUs()[t.CPU])
	cd := &d.cpus[c.ID]
	if cd.chosen < x.pri {
		cd.chosen = x.pri
		d.reckon(c.ID)
	}
	d.resched(c, x.pri)
	d.enqueued(c, false)
}

// enqueued wakes a halted strand for work that was queued on c (FACTS §8.2).
func (d *dispatcher) enqueued(c *sched.CPU, bound bool) {
	cd := &d.cpus[c.ID]
	switch {
	case cd.inSet:
		d.unhalt(c)
	case c.Thread == nil || cd.dontSteal || bound:
	default:
		if id := cd.part.asleep.first(); id >= 0 {
			d.unhalt(d.k.CPUs()[id])
		}
	}
}

func (d *dispatcher) unhalt(c *sched.CPU) {
	d.setHalted(c, false)
	d.k.Kick(c)
}

// setHalted takes c into its partition's halted set, or out of it.
func (d *dispatcher) setHalted(c *sched.CPU, in bool) {
	if cd := &d.cpus[c.ID]; cd.inSet != in {
		cd.inSet = in
		cd.part.asleep.set(c.ID, in)
	}
}

// resched asks c for a preemption if it runs less than pri (FACTS §7.5). An
// idle CPU is left to the enqueue hook.
func (d *dispatcher) resched(c *sched.CPU, pri int) {
	if c.Thread != nil && d.running(c) < pri {
		d.k.Kick(c)
	}
}

// --- what next (FACTS §7.7, §7.8, §8.1) ---

// next is the switch: kernel-preemption queue, own queue, another's queue.
func (d *dispatcher) next(c *sched.CPU) (*sched.Thread, sched.Reason) {
	cd := &d.cpus[c.ID]
	t, why := d.own(cd)
	stolen := false
	if t == nil {
		t, why = d.steal(c)
		stolen = t != nil
	}
	cd.dontSteal = false
	// A decision is committed and ratified except after stealing.
	if !stolen {
		cd.chosen = idlePri
	}
	// The engine puts on c what is returned before it asks for anything else.
	cd.runs = idlePri
	if t != nil {
		cd.runs = d.th.At(t.ID).pri
	}
	d.reckon(c.ID)
	return t, why
}

func (d *dispatcher) own(cd *cpuDisp) (*sched.Thread, sched.Reason) {
	if kp := cd.part.kpq; kp.n > 0 && kp.maxRun >= cd.q.maxRun {
		pri := kp.maxRun
		return d.take(kp, kp.first()), sched.Reason{Code: whyKernelQueue, A: int32(pri)}
	}
	if cd.q.n == 0 {
		return nil, sched.Reason{}
	}
	pri, n := cd.q.maxRun, cd.q.n
	return d.take(cd.q, cd.q.first()), sched.Reason{Code: whyBestOwn, A: int32(pri), B: int32(n)}
}

func (d *dispatcher) take(q *dispQueue, id sched.ThreadID) *sched.Thread {
	d.remove(q, id)
	return d.k.Thread(id)
}

func (d *dispatcher) remove(q *dispQueue, id sched.ThreadID) {
	q.remove(id)
	if q.cpu != sched.NoCPU {
		d.reckon(q.cpu)
	}
}

// steal takes the first unbound thread from the CPU that holds the best one.
// The walk skips halted CPUs and ends at an idle one that is awake: that one
// covers the rest.
func (d *dispatcher) steal(c *sched.CPU) (*sched.Thread, sched.Reason) {
	var from *sched.CPU
	best := idlePri
	if d.cpus[c.ID].part.offers == 0 {
		return nil, sched.Reason{Code: whyNothing, A: int32(c.Set)}
	}
	for o := d.cpus[c.ID].next; o != c; o = d.cpus[o.ID].next {
		od := &d.cpus[o.ID]
		if o.Thread == nil {
			if od.halted {
				continue
			}
			break
		}
		if od.dontSteal && od.q.n == 1 {
			continue
		}
		if od.q.maxUnbound > best {
			from, best = o, od.q.maxUnbound
		}
	}
	if from == nil {
		return nil, sched.Reason{Code: whyNothing, A: int32(c.Set)}
	}
	q := d.cpus[from.ID].q
	id := q.bestUnbound()
	d.reckon(from.ID)
	if id == sched.None {
		return nil, sched.Reason{Code: whyAllBound, A: int32(from.ID)}
	}
	return d.take(q, id), sched.Reason{Code: whyStolen, A: int32(from.ID), B: int32(best)}
}

// anyWork is the test made before halting.
func (d *dispatcher) anyWork(c *sched.CPU) bool {
	cd := &d.cpus[c.ID]
	if cd.q.n > 0 || cd.part.kpq.n > 0 {
		return true
	}
	if cd.part.offers == 0 {
		return false
	}
	for o := cd.next; o != c; o = d.cpus[o.ID].next {
		od := &d.cpus[o.ID]
		if o.Thread != nil && od.q.maxUnbound != idlePri && (!od.dontSteal || od.q.n != 1) {
			return true
		}
	}
	return false
}

// idle is the idle loop of a strand: work, or halt.
func (d *dispatcher) idle(c *sched.CPU) (*sched.Thread, sched.Reason) {
	cd := &d.cpus[c.ID]
	d.setHalted(c, false)
	cd.halted = false
	t, why := d.next(c)
	if t != nil {
		return t, why
	}
	d.setHalted(c, true)
	cd.halted = true
	if d.anyWork(c) {
		// There is work, though the walk did not reach it: stay awake and look
		// again after the others have moved.
		d.setHalted(c, false)
		cd.halted = false
		d.k.Kick(c)
	}
	return nil, why
}
