package linux6

import (
	"math/bits"

	fair "strandscope/sim/policy/linuxfair"
)

// average is a geometric series over what something asked of a CPU: periods of 1024 µs
// whose weights fall by half in 32 (kernel/sched/pelt.c). Only choices between several
// CPUs use it.
type average struct {
	at    int64  // up to when it is counted, in ns
	part  uint64 // of the present period, in units of 1024 ns
	sums  [3]uint64
	value [3]int64 // load by weight; runnable and utilisation, 1024 for one whole CPU
}

// Of what there are averages.
const (
	load = iota
	runnable
	util
)

// maxSum is what a series of ones comes to (LOAD_AVG_MAX).
const maxSum = 47742

// halves are 2³²·y^n, cut, with y³² = ½ (runnable_avg_yN_inv).
var halves = [32]uint32{
	0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
	0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
	0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
	0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698,
}

// decay is v after n periods (decay_load).
func decay(v, n uint64) uint64 {
	if n > 32*63 {
		return 0
	}
	v >>= n / 32
	hi, lo := bits.Mul64(v, uint64(halves[n%32]))
	return hi<<32 | lo>>32
}

// divider is what a sum is divided by at this point of a period.
func (a *average) divider() uint64 { return maxSum - 1024 + a.part }

// update counts the time up to now, in which what is averaged asked for so much.
func (a *average) update(now int64, ask [3]uint64) {
	d := uint64(now-a.at) >> 10
	if now <= a.at || d == 0 {
		return
	}
	a.at += int64(d << 10)
	whole := a.part + d
	periods := whole / 1024
	contrib := d
	if periods > 0 {
		for i := range a.sums {
			a.sums[i] = decay(a.sums[i], periods)
		}
		contrib = decay(1024-a.part, periods) + maxSum - decay(maxSum, periods) - 1024 + whole%1024
	}
	a.part = whole % 1024
	for i := range a.sums {
		a.sums[i] += ask[i] * contrib
		if periods > 0 {
			a.value[i] = int64(a.sums[i] / a.divider())
		}
	}
}

// add puts a task's averages into a CPU's, or with −1 takes them out.
func (a *average) add(b *average, sign int64) {
	for i := range a.value {
		a.value[i] = max(0, a.value[i]+sign*b.value[i])
		a.sums[i] = uint64(a.value[i]) * a.divider()
	}
}

// account brings the averages of a CPU's fair queue up to now.
func (p *Policy) account(c *cpu, now int64) {
	ask := [3]uint64{uint64(c.fair.TotalWeight()), uint64(c.s.N-c.s.Delayed) << 10, 0}
	if c.s.Curr != nil {
		ask[util] = 1024
	}
	c.bal.avg.update(now, ask)
}

// sync brings a task's averages up to now, before its state changes.
func (p *Policy) sync(c *cpu, x *task) {
	if !p.smp {
		return
	}
	var ask [3]uint64
	if x.e.OnRQ && !x.e.Delayed {
		ask[load], ask[runnable] = uint64(x.e.Weight), 1024
	}
	if c.s.Curr == x.e {
		ask[util] = 1024
	}
	x.avg.update(c.s.Clock, ask)
}

// begin gives a new task its first averages: a full load, and half of what its CPU has
// to spare (init_entity_runnable_average, post_init_entity_util_avg).
func (p *Policy) begin(c *cpu, x *task) {
	if !p.smp {
		return
	}
	x.avg = average{at: c.s.Clock}
	spare := max(0, 1024-c.bal.avg.value[util]) / 2
	u := spare
	if a := &c.bal.avg; a.value[util] > 0 {
		u = min(spare, a.value[util]*x.e.Weight/(a.value[load]+1))
	}
	x.avg.value = [3]int64{x.e.Weight, u, u}
	for i, v := range x.avg.value {
		x.avg.sums[i] = uint64(v) * x.avg.divider()
	}
	p.attach(c, x)
}

func (p *Policy) attach(c *cpu, x *task) {
	if p.smp {
		c.bal.avg.add(&x.avg, 1)
	}
}

func (p *Policy) detach(c *cpu, x *task) {
	if p.smp {
		c.bal.avg.add(&x.avg, -1)
	}
}

// flip notes whom the present task of a CPU has woken (record_wakee).
func (p *Policy) flip(wakee *task) {
	x := p.cpus[p.k.Here().ID].curr
	if !p.smp || x == nil {
		return
	}
	if now := p.k.Now(); now > x.decay.Add(1_000_000_000) {
		x.flips /= 2
		x.decay = now
	}
	if x.wakee != wakee {
		x.wakee = wakee
		x.flips++
	}
}

// deficit is how far an entity is from being eligible: negative if it had too much.
func (p *Policy) deficit(c *cpu, e *fair.Entity) int64 { return p.virtualNow(c) - e.V }
