package linux6

import "strandscope/sim/sched"

// chosen is how a CPU was chosen.
type chosen int32

const (
	byNeed    chosen = iota // it is the only one allowed, or there
	byIdle                  // the target idles
	byLast                  // it idles and is the task's last one
	byRecent                // it idles and is the one before that
	byScan                  // the search found it idle
	byTarget                // none was found; the target
	byFork                  // the least loaded
	byUrgency               // real time
)

func (p *Policy) may(x *task, cpu int) bool { return x.t.May(p.cpus[cpu].hw) }

// idle reports whether a CPU idles and nothing is queued or on its way there
// (available_idle_cpu). Delayed tasks count as queued.
func (p *Policy) idle(cpu int) bool {
	c := &p.cpus[cpu]
	return c.curr == nil && c.n() == 0 && !c.hw.Kicked
}

// allowed is a CPU, or if the task may not use it the first that it may.
func (p *Policy) allowed(x *task, cpu int) int {
	if p.may(x, cpu) {
		return cpu
	}
	for i := range p.cpus {
		if p.may(x, i) {
			return i
		}
	}
	return cpu
}

// selectWake chooses a CPU for a task that wakes, woken on CPU w
// (select_task_rq_fair).
func (p *Policy) selectWake(x *task, w int) (int, chosen) {
	prev := p.allowed(x, int(x.cpu))
	if !p.smp || x.t.Bound != sched.NoCPU {
		return prev, byNeed
	}
	if x.class.realtime() {
		return p.selectRT(x, prev)
	}
	target := prev
	if w != prev && p.may(x, w) && !p.wide(w, x) {
		target = p.affine(x, w, prev)
	}
	to, how := p.idleSibling(x, target, prev)
	x.recent = int32(prev)
	return to, how
}

// wide reports whether a task that wakes many has woken one of many, so that they are
// better spread (wake_wide).
func (p *Policy) wide(w int, x *task) bool {
	waker := p.cpus[w].curr
	if waker == nil {
		return false
	}
	n := int32(len(p.cpus))
	few, many := x.flips, waker.flips
	if few > many {
		few, many = many, few
	}
	return few >= n && many >= few*n
}

// affine chooses between the waker's CPU and the task's last one (wake_affine).
func (p *Policy) affine(x *task, w, prev int) int {
	switch {
	case p.idle(w):
		if p.idle(prev) {
			return prev
		}
		return w
	case p.idle(prev):
		return prev
	}
	a, b := &p.at(w).bal.avg, &p.at(prev).bal.avg
	if 100*(a.value[load]+x.avg.value[load]) < 108*(b.value[load]-x.avg.value[load]) {
		return w
	}
	return prev
}

// idleSibling looks for an idle CPU (select_idle_sibling).
func (p *Policy) idleSibling(x *task, target, prev int) (int, chosen) {
	if p.idle(target) {
		return target, byIdle
	}
	if prev != target && p.idle(prev) {
		return prev, byLast
	}
	if r := int(x.recent); r >= 0 && r != prev && r != target && p.may(x, r) && p.idle(r) {
		return r, byRecent
	}
	for i := range min(p.scan, len(p.cpus)) {
		c := (target + 1 + i) % len(p.cpus)
		if p.may(x, c) && p.idle(c) {
			return c, byScan
		}
	}
	return target, byTarget
}

// selectFork chooses a CPU for a new task (sched_balance_find_dst_cpu).
func (p *Policy) selectFork(x *task, here int) (int, chosen) {
	local := p.allowed(x, here)
	if !p.smp || x.t.Bound != sched.NoCPU {
		return local, byNeed
	}
	if x.class.realtime() {
		return p.selectRT(x, local)
	}
	p.survey()
	best := -1
	for i := 1; i < len(p.cpus); i++ {
		c := (local + i) % len(p.cpus)
		if p.may(x, c) && (best < 0 || p.lighter(c, best)) {
			best = c
		}
	}
	if best < 0 {
		return local, byFork
	}
	a, b := &p.stats[local], &p.stats[best]
	switch {
	case b.class < a.class:
		return best, byFork
	case b.class > a.class:
		return local, byFork
	case a.class == spare:
		if b.n == 0 && a.n > 0 {
			return best, byFork
		}
	case 100*a.load > 117*b.load:
		return best, byFork
	}
	return local, byFork
}

// lighter reports whether a new task is better off on CPU a than on CPU b
// (update_pick_idlest).
func (p *Policy) lighter(a, b int) bool {
	x, y := &p.stats[a], &p.stats[b]
	switch {
	case x.class != y.class:
		return x.class < y.class
	case x.class != spare:
		return x.load < y.load
	case (x.n == 0) != (y.n == 0):
		return x.n == 0
	}
	return x.util < y.util
}
