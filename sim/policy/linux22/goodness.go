package linux22

import "strandscope/sim/sched"

// goodness is what a task is worth on a CPU, seen from the outgoing task's
// address space (FACTS §4). idle tasks are not asked; see idleGoodness.
func (p *Policy) goodness(x *task, cpu int, mm int32) int32 {
	if p.opt.Old && x.policy&yield != 0 {
		// 2.2.7: the yield bit makes any evaluated task worth nothing, once.
		x.policy &^= yield
		return 0
	}
	if x.policy != other {
		return realtimeBase + x.rtPri
	}
	if x.counter == 0 {
		return 0
	}
	g := x.counter + x.priority
	if !p.opt.UP && x.cpu == int32(cpu) {
		g += affinity
	}
	if x.mm == mm {
		g += sameMM
	}
	return g
}

// prevGoodness is goodness for the outgoing task itself: a yield bit is taken
// back and counts as 0. It reports whether it was evaluated.
func (p *Policy) prevGoodness(x *task, cpu int) (value int32, evaluated bool) {
	if x.policy&yield != 0 && !p.opt.Old {
		x.policy &^= yield
		return 0, false
	}
	return p.goodness(x, cpu, x.mm), true
}

// idleMM is the address space that kernel threads and the idle tasks share.
const idleMM = -1

// idleGoodness is what an idle task evaluates to on its own CPU, asked by
// itself: −84 on SMP, −99 without.
func (p *Policy) idleGoodness(mm int32) int32 {
	g := int32(idleCounter)
	if !p.opt.UP {
		g += affinity
	}
	if mm == idleMM {
		g += sameMM
	}
	return g
}

// mmOf is the address space of a CPU's current task.
func (p *Policy) mmOf(id sched.ThreadID) int32 {
	if id == sched.None {
		return idleMM
	}
	return p.th.At(id).mm
}

// gain is the preemption value of a task against the current one of a CPU: how
// much more it is worth there, both seen from the current one.
func (p *Policy) gain(x *task, cpu int) int32 {
	id := p.cur[cpu]
	mm := p.mmOf(id)
	v := p.goodness(x, cpu, mm)
	if id == sched.None {
		return v - p.idleGoodness(mm)
	}
	return v - p.goodness(p.th.At(id), cpu, mm)
}

// recalculate gives every task in the system a new counter: half of what it has
// left, and its priority.
func (p *Policy) recalculate() {
	for _, id := range p.all {
		x := p.th.At(id)
		x.counter = x.counter/2 + x.priority
		p.judge(id)
	}
	p.Stats.Recalculations++
	p.Stats.RecalculatedTasks += int64(len(p.all))
}

// NicePriority is the kernel's priority, in ticks, of a nice value; values out of
// range are clamped, and nice 20 is nice 19 (kernel/sys.c: sys_setpriority).
func NicePriority(nice int) int32 {
	n := nice
	if n < 0 {
		n = -n
	}
	n = min(n, 20)
	n = (n*defPriority+10)/20 + defPriority
	if nice >= 0 {
		n = 2*defPriority - n
		if n == 0 {
			n = 1
		}
	}
	return int32(n)
}

// ProcPRI and ProcNI are what /proc shows (fs/proc/array.c: get_stat). PRI is
// ticks left, not priority.
func ProcPRI(counter int32) int32 { return 20 - (counter*10+defPriority/2)/defPriority }

// ProcNI is the nice value of a priority, as /proc shows it.
func ProcNI(priority int32) int32 { return 20 - (priority*20+defPriority/2)/defPriority }

// NanosleepJiffies is how many ticks nanosleep adds (include/linux/time.h,
// kernel/sched.c: sys_nanosleep): rounded up, and one more unless it is nothing.
func NanosleepJiffies(sec, nsec int64) int64 {
	j := (nsec+9_999_999)/10_000_000 + sec*HZ
	if sec != 0 || nsec != 0 {
		j++
	}
	return j
}
