package multi

import "strandscope/sim/sched"

// cache is one CPU's: a list of warm jobs, newest first, and counters of those that
// warm up. Counters survive interruptions. What is warm stays, even finished jobs,
// until it is thrown out: the last in the list, however lately it was used.
type cache struct {
	warm   []sched.ThreadID
	counts sched.Table[warmth]
	used   int // sum of the working sets of the warm
}

type warmth struct {
	known, warm bool
	left        int // units to run until it is warm
}

// count is a job's counter; not inlined for its size.
//
//go:noinline
func (m *cache) count(id sched.ThreadID) *warmth { return m.counts.At(id) }

// begin is a dispatch of a job on this cache's CPU. Without a warm-up it is warm at
// once the first time; once thrown out it runs a unit first.
func (p *Policy) begin(m *cache, id sched.ThreadID) {
	w := m.count(id)
	if w.known {
		return
	}
	*w = warmth{known: true, left: p.o.Warmup}
	if p.o.Warmup == 0 && p.job(id).set <= p.o.CacheSize {
		p.warmUp(m, id)
	}
}

// ran is a unit run there.
func (p *Policy) ran(m *cache, id sched.ThreadID) {
	w := m.count(id)
	if !w.warm {
		if w.left--; w.left <= 0 {
			p.warmUp(m, id)
		}
	}
}

// warmUp puts a job in front, and throws out from the other end what is too much.
func (p *Policy) warmUp(m *cache, id sched.ThreadID) {
	m.count(id).warm = true
	m.warm = append([]sched.ThreadID{id}, m.warm...)
	m.used += p.job(id).set
	for m.used > p.o.CacheSize {
		last := m.warm[len(m.warm)-1]
		m.warm = m.warm[:len(m.warm)-1]
		m.used -= p.job(last).set
		*m.count(last) = warmth{known: true, left: p.o.Warmup}
	}
}
