package stats

import "strandscope/sim/clock"

// PctCPU is a thread's recent share of one CPU as the kernel keeps it: an
// exponential average of its microstates with a time constant of 21.5 s, as a
// fraction with 31 binary digits (uts/common/os/msacct.c: cpu_grow, cpu_decay,
// exp_x; shared/reference/solaris/FACTS.md §10.3).
type PctCPU struct {
	p     uint64
	since clock.Time
}

// pctOne is 1 in that fraction.
const pctOne = 1 << 31

// Update brings the average to now, on a CPU or off it since the last update.
func (p *PctCPU) Update(now clock.Time, onCPU bool) {
	d := now.Sub(p.since)
	if d <= 0 {
		return
	}
	p.since = now
	if onCPU {
		p.p = pctOne - decayed(pctOne-p.p, d)
		return
	}
	p.p = decayed(p.p, d)
}

// At is what the average will be at now if nothing changes until then.
func (p PctCPU) At(now clock.Time, onCPU bool) uint64 {
	p.Update(now, onCPU)
	return p.p
}

func decayed(p uint64, d clock.Duration) uint64 {
	return p * expNeg(uint64(d)/10) >> 31
}

// expNeg is e^−x, x and the result in units of 2^−31. x is halved until it is
// below a quarter, there e^−x is taken as 1 − x, and that is squared as often as
// x was halved. The kernel's x has 32 bits; a longer time has the result 0.
func expNeg(x uint64) uint64 {
	if x >= 1<<37 {
		return 0
	}
	n := 0
	for ; x >= pctOne/4; n++ {
		x >>= 1
	}
	y := pctOne - x
	for range n {
		y = y * y >> 31
	}
	return y
}

// scaled is a process's figure in psinfo: 16 bits with 0x8000 for one, of all
// on-line CPUs.
func scaled(p uint64, online int) int64 {
	if online > 1 {
		p /= uint64(online)
	}
	return int64(min(p>>16, 0x8000))
}
