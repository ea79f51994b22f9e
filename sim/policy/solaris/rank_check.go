//go:build !js || full

package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// CheckRanks compares what is kept of each CPU with what a walk over all of them finds.
// An error is a fault of this package; tests ask after each stretch of a random run.
func (p *Policy) CheckRanks() error {
	d := &p.disp
	for _, part := range d.parts {
		offers, asleep := 0, 0
		for _, c := range part.cpus {
			x := &d.cpus[c.ID]
			if want := max(d.running(c), x.q.maxRun, x.chosen) + 1; x.rank != want {
				return fmt.Errorf("solaris: cpu %d is kept at rank %d, it has %d", c.ID, x.rank, want)
			}
			if x.q.maxUnbound != idlePri {
				offers++
			}
			if x.inSet {
				asleep++
			}
		}
		if offers != part.offers || asleep != part.asleep.n {
			return fmt.Errorf("solaris: set %d: %d offers and %d halted are kept, there are %d and %d", part.id, part.offers, part.asleep.n, offers, asleep)
		}
		for _, c := range part.cpus {
			best, pri := d.walk(c)
			if cpu, kept := part.ranks.lowest(c.ID); cpu != best.ID || kept != pri {
				return fmt.Errorf("solaris: from cpu %d: cpu %d at priority %d is kept, a walk finds cpu %d at %d", c.ID, cpu, kept, best.ID, pri)
			}
		}
	}
	return nil
}

// walk is the kernel's own way to find the CPU that runs and holds the least.
func (d *dispatcher) walk(start *sched.CPU) (best *sched.CPU, least int) {
	best, least = start, levels
	for c := start; ; {
		x := &d.cpus[c.ID]
		pri := max(d.running(c), x.q.maxRun, x.chosen)
		if pri < least {
			best, least = c, pri
		}
		if c = x.next; c == start || least == idlePri {
			return best, least
		}
	}
}
