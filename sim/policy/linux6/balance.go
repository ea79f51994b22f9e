package linux6

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// balancer is what a CPU's balancing keeps.
type balancer struct {
	avg      average
	interval int64 // of periodic balancing, in ms
	last     int64 // when it was done last, in ticks
	failed   int   // balances since something moved
	push     int   // the CPU that is to get the running task, −1: none
	from     int   // where the last pulled task came from
	// Newly idle balancing is done at random, as often as it had success.
	calls, success, ratio int64
}

// boot sets what is not 0 at first.
func (b *balancer) boot(cpus int) {
	b.interval, b.push = int64(cpus), -1
	b.calls, b.success, b.ratio = 512, 256, 512
}

// busyFactor makes balancing rarer on a CPU that is busy.
const busyFactor = 16

// hot is how long after it ran a task is thought to have its data in the CPU's cache:
// sysctl_sched_migration_cost.
const hot = 500 * clock.Microsecond

// load of a CPU, from none to too much (group_type).
type busyness uint8

const (
	spare busyness = iota
	full
	overloaded
)

// survey figures of a CPU (update_sg_lb_stats).
type figures struct {
	class      busyness
	n          int
	load, util int64
}

// survey looks at all CPUs.
func (p *Policy) survey() {
	for i := range p.cpus {
		c := p.at(i)
		a := &c.bal.avg
		run, u := a.value[runnable], a.value[util]
		f := figures{n: c.n(), load: a.value[load], util: u}
		fits := run*100 <= 1024*117 && u*117 < 1024*100
		switch {
		case f.n > 1 && (u*117 > 1024*100 || run*100 > 1024*117):
			f.class = overloaded
		case f.n > 0 && !fits:
			f.class = full
		}
		p.stats[i] = f
	}
}

// balanceTick balances a CPU when it is time to (sched_balance_domains).
func (p *Policy) balanceTick(c *cpu) {
	b := &c.bal
	now := int64(p.k.Now()) / (int64(clock.Second) / HZ)
	busy := c.curr != nil
	ms := b.interval
	if busy {
		ms *= busyFactor
	}
	ticks := (ms + 1000/HZ - 1) / (1000 / HZ)
	if busy {
		ticks--
	}
	if now < b.last+max(ticks, 1) {
		return
	}
	b.last = now
	p.survey()
	p.setScan()
	least := int64(len(p.cpus))
	if p.balance(c, false) {
		b.interval = least
	} else {
		b.interval = min(2*b.interval, 2*least)
	}
}

// setScan sets how many CPUs a wake-up looks at for an idle one: the fewer the busier
// they all are (update_idle_cpu_scan).
func (p *Policy) setScan() {
	sum, n := int64(0), int64(len(p.cpus))
	for i := range p.stats {
		sum += p.stats[i].util
	}
	x := sum / n
	p.scan = int(n * (1024 - min(1024, x*x*117*117/(10_000*1024))) / 1024)
}

// newlyIdle balances a CPU that has found nothing to run (sched_balance_newidle).
func (p *Policy) newlyIdle(c *cpu) bool {
	if !p.smp || !c.hw.Online {
		return false
	}
	more := false
	for i := range p.cpus {
		more = more || p.cpus[i].n() > 1
	}
	if !more {
		return false
	}
	b := &c.bal
	weight := 1 + b.ratio
	if p.k.Rand().Int63n(1024) > weight {
		b.tried(0)
		return false
	}
	p.survey()
	p.balance(c, true)
	if c.n() == 0 {
		b.tried(0)
		return false
	}
	b.tried((1024 + weight/2) / weight)
	return true
}

// tried counts newly idle balancing and its success (update_newidle_stats).
func (b *balancer) tried(success int64) {
	b.calls++
	b.success += success
	if b.calls >= 1024 {
		b.ratio = b.success
		b.calls /= 2
		b.success /= 2
	}
}

// busiest is the CPU that the others' most pressing work is on, −1 if none has any
// (update_sd_pick_busiest).
func (p *Policy) busiest(c *cpu) int {
	best := -1
	for i := 1; i < len(p.cpus); i++ {
		o := (c.id + i) % len(p.cpus)
		f := &p.stats[o]
		if f.n == 0 || p.cpus[o].hw.Set != c.hw.Set {
			continue
		}
		if best < 0 {
			best = o
			continue
		}
		switch g := &p.stats[best]; {
		case f.class != g.class:
			if f.class > g.class {
				best = o
			}
		case f.class == spare:
			if f.n > g.n {
				best = o
			}
		case f.load > g.load:
			best = o
		}
	}
	return best
}

// imbalance is how much is to move from the busiest CPU to c: tasks, or load
// (calculate_imbalance). Both 0: nothing.
func (p *Policy) imbalance(c *cpu, from int) (tasks int, amount int64) {
	mine, its := &p.stats[c.id], &p.stats[from]
	if mine.class > its.class {
		return 0, 0
	}
	if mine.class == spare {
		switch {
		case its.class != overloaded && its.n <= 1:
			return 0, 0
		case mine.n == 0, p.opt.Version == V61 && its.class == overloaded:
			return max(0, its.n-mine.n) / 2, 0
		}
		return 0, 0
	}
	total, n := int64(0), int64(0)
	for i := range p.stats {
		if hw := p.cpus[i].hw; hw.Online && hw.Set == c.hw.Set {
			total += p.stats[i].load
			n++
		}
	}
	mean := total / max(1, n)
	if its.class != overloaded || its.load <= mine.load || mine.load >= mean {
		return 0, 0
	}
	if mine.class == overloaded && 100*its.load <= 117*mine.load {
		return 0, 0
	}
	amount = mean - mine.load
	if above := its.load - mean; above >= 0 {
		// The kernel's difference has no sign: below the mean it is huge, no bound.
		amount = min(amount, above)
	}
	return 0, amount
}

// maxLooked is how many tasks a balance looks at (SCHED_NR_MIGRATE_BREAK).
const maxLooked = 32

// balance moves tasks from the busiest CPU to c, and reports whether there was
// anything to move. newly: c is about to idle and takes one at most.
func (p *Policy) balance(c *cpu, newly bool) bool {
	from := p.busiest(c)
	if from < 0 {
		return false
	}
	tasks, amount := p.imbalance(c, from)
	if tasks <= 0 && amount <= 0 {
		c.bal.failed = 0
		return false
	}
	moved := p.pull(c, &p.cpus[from], tasks, amount, newly)
	switch {
	case moved > 0:
		c.bal.failed = 0
	case !newly:
		c.bal.failed++
		if o := &p.cpus[from]; tasks > 0 && c.bal.failed > 3 && o.bal.push < 0 && o.s.Curr != nil {
			o.bal.push = c.id
			c.bal.failed = 2
			p.k.Kick(o.hw)
		}
	}
	return true
}

// pull takes tasks off a queue, the least recently used first (detach_tasks).
func (p *Policy) pull(c, from *cpu, tasks int, amount int64, newly bool) (moved int) {
	last := int64(-1)
	idle := c.curr == nil
	for range min(maxLooked, from.s.N) {
		if tasks <= 0 && amount <= 0 || idle && from.n() <= 1 {
			break
		}
		x := p.coldest(from, last)
		if x == nil {
			break
		}
		last = x.seq
		if !p.may(x, c.id) || c.bal.failed <= 1 && from.s.Clock-x.e.ExecStart < int64(hot) {
			continue
		}
		if tasks > 0 {
			tasks--
		} else {
			p.sync(from, x)
			w := x.avg.value[load]
			if w>>min(c.bal.failed, 62) > amount {
				continue
			}
			amount -= max(w, 1)
		}
		p.move(x, from, c, newly)
		moved++
		if newly {
			break
		}
	}
	return moved
}

// coldest is the waiting task that was used least recently, after a given point; nil
// if there is no other.
func (p *Policy) coldest(c *cpu, after int64) *task {
	var best *task
	for e := c.s.Tree.First(); e != nil; e = c.s.Tree.Next(e) {
		if e.Delayed {
			continue
		}
		if x := p.tasks[e.ID]; x.seq > after && (best == nil || x.seq < best.seq) {
			best = x
		}
	}
	return best
}

// move takes a fair task from one queue to another.
func (p *Policy) move(x *task, from, to *cpu, newly bool) {
	p.leave(from, x)
	p.detach(from, x)
	x.recent, x.cpu = x.cpu, int32(to.id)
	to.bal.from = from.id
	p.join(to, x)
	if !newly {
		p.preempt(to, x)
	}
}

// join puts a task into a queue where it goes on.
func (p *Policy) join(c *cpu, x *task) {
	p.attach(c, x)
	c.s.Need = c.s.Need || c.hw.Kicked
	c.fair.Join(x.e)
	p.settle(c)
	p.touch(x)
	p.place(x, whyMoved, int32(c.bal.from), int32(c.id))
}

// pushRunning sends c's running task to an idle CPU that asked for it
// (active_load_balance_cpu_stop).
func (p *Policy) pushRunning(c *cpu) {
	to := c.bal.push
	if to < 0 {
		return
	}
	c.bal.push = -1
	x := c.curr
	if x == nil || c.s.Curr != x.e || !x.e.OnRQ || x.e.Delayed {
		return
	}
	if x.t.State != sched.Waiting || !p.may(x, to) || !p.idle(to) {
		return
	}
	d := p.at(to)
	c.curr = nil
	p.move(x, c, d, false)
}

// virtualNow is where a queue's virtual time stands.
func (p *Policy) virtualNow(c *cpu) int64 { return c.fair.VirtualTime() }
