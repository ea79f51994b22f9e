package engine

import (
	"sort"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// ticks are the clock interrupts to come. They are not in the queue of events: they
// come at regular times, and those that change nothing are let pass many at once
// (skip).
type ticks struct {
	at clock.Time // the next clock interrupt: under Local timing the timer chip's

	// Under Local timing, those of the CPUs: when the next one of each comes, and the
	// CPUs in the order in which they tick, which is the same in every period.
	local      []clock.Time
	ring       []int32
	head       int     // of ring: who ticks next
	localOrder []int32 // by CPU: place among the local ticks of an instant

	noisy int // the CPU whose tick was last found to change something
}

// armTicks prepares the first tick of all.
func (e *Engine) armTicks() {
	tk := &e.clocks
	tk.at = clock.Time(e.tick)
	if e.cfg.Timing != Local {
		return
	}
	n := len(e.cpus)
	tk.local, tk.ring, tk.localOrder = make([]clock.Time, n), make([]int32, n), make([]int32, n)
	for i := range n {
		tk.localOrder[i] = int32(i)
	}
	for i, cpu := range e.cfg.LocalOrder {
		tk.localOrder[cpu] = int32(i)
	}
	for i := range n {
		tk.ring[i] = int32(i)
		phase := clock.Duration(0)
		if i < len(e.cfg.LocalPhase) {
			phase = e.cfg.LocalPhase[i] % e.tick
		}
		tk.local[i] = clock.Time(e.tick + phase)
	}
	sort.Slice(tk.ring, func(i, j int) bool {
		a, b := tk.ring[i], tk.ring[j]
		if tk.local[a] != tk.local[b] {
			return tk.local[a] < tk.local[b]
		}
		return tk.localOrder[a] < tk.localOrder[b]
	})
}

// next is when the next clock interrupt comes.
func (t *ticks) next() clock.Time {
	if len(t.ring) > 0 {
		return min(t.at, t.local[t.ring[t.head]])
	}
	return t.at
}

// takeTick is the next event of one time if that is a clock interrupt: what else is due
// then may come before it.
func (e *Engine) takeTick(at clock.Time) (event, bool) {
	tk := &e.clocks
	key, _ := e.events.Peek()
	before := func(order clock.Order, tie int32) bool {
		return key.At > at || order < key.Order || order == key.Order && tie < key.Tie
	}
	if tk.at == at {
		if !before(e.orders[evTick], 0) {
			return event{}, false
		}
		tk.at = tk.at.Add(e.tick)
		return event{kind: evTick}, true
	}
	cpu := tk.ring[tk.head]
	if !before(e.orders[evLocal], 2*tk.localOrder[cpu]) {
		return event{}, false
	}
	tk.local[cpu] = at.Add(e.tick)
	tk.turn(1)
	return event{kind: evLocal, id: cpu}, true
}

// turn lets so many local ticks pass in the order of the ring.
func (t *ticks) turn(n int64) { t.head = int((int64(t.head) + n) % int64(len(t.ring))) }

// skip lets those clock interrupts pass that change nothing, up to limit: those before
// anything else is due, before a second begins, and before the first tick of which
// the policy says that it does more than count. Events, and so digests, are the same
// as with each tick taken alone, since a tick that is quiet has none.
func (e *Engine) skip(limit clock.Time) {
	if e.skipper == nil {
		return
	}
	tk := &e.clocks
	first := tk.next()
	key, _ := e.events.Peek()
	end := key.At // what is due then is not skipped
	if limit < end {
		end = limit + 1
	}
	toSecond := int64(e.cfg.HZ) - 1 - e.ticks%int64(e.cfg.HZ)
	end = min(end, tk.at.Add(clock.Duration(toSecond)*e.tick))
	if end <= first {
		return
	}
	// Whose tick was not quiet last time is asked first: mostly it still is not.
	for i := range e.cpus {
		c := e.cpus[(tk.noisy+i)%len(e.cpus)]
		at := tk.at
		if len(tk.ring) > 0 {
			at = tk.local[c.ID]
		}
		if at >= end {
			continue
		}
		if n := e.quiet(c); n < int64(end-at)/int64(e.tick)+1 {
			end = min(end, at.Add(clock.Duration(n)*e.tick))
			if end <= first {
				tk.noisy = c.ID
				return
			}
		}
	}
	e.pass(end)
}

// quiet is how many coming ticks of c only count something.
func (e *Engine) quiet(c *sched.CPU) int64 {
	n := e.skipper.Quiet(c)
	if c.Thread != nil {
		if left := e.tasks[c.Thread.ID].ticksLeft; left > 0 {
			n = min(n, left-1)
		}
	}
	return n
}

// pass lets all ticks before end pass.
func (e *Engine) pass(end clock.Time) {
	tk := &e.clocks
	// due is how many ticks there are from at on.
	due := func(at clock.Time) int64 {
		if at >= end {
			return 0
		}
		return (int64(end-at)-1)/int64(e.tick) + 1
	}
	global := due(tk.at)
	e.ticks += global
	tk.at = tk.at.Add(clock.Duration(global) * e.tick)
	all := int64(0)
	for _, c := range e.cpus {
		n := global
		if len(tk.ring) > 0 {
			n = due(tk.local[c.ID])
			tk.local[c.ID] = tk.local[c.ID].Add(clock.Duration(n) * e.tick)
			all += n
		}
		if n == 0 {
			continue
		}
		e.skipper.Skip(c, n)
		if c.Thread != nil {
			if left := &e.tasks[c.Thread.ID].ticksLeft; *left > 0 {
				*left -= n
			}
		}
	}
	if all > 0 {
		tk.turn(all)
	}
}
