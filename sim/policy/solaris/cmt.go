package solaris

import "strandscope/sim/sched"

// coreGroup is a group of strands that share an integer pipeline: the only
// level of the T1 with more than one group, so the only one that balances.
type coreGroup struct {
	index int
	cpus  []*sched.CPU
	hint  int // where the next candidate search starts, in the list of groups
}

func (d *dispatcher) bootCores() {
	pipes := d.k.Machine().Pipelines
	for i, ids := range pipes {
		g := &coreGroup{index: i}
		for _, id := range ids {
			c := d.k.CPUs()[id]
			g.cpus = append(g.cpus, c)
			d.cpus[id].core = g
		}
		d.cores = append(d.cores, g)
	}
}

// balanceCores is cmt_balance of March 2008 (FACTS §8.3): one other core is
// looked at, in rotation; if it runs less than ours, the thread goes to an idle
// strand there.
func (d *dispatcher) balanceCores(t *sched.Thread, c *sched.CPU, why sched.Reason) (*sched.CPU, sched.Reason) {
	if len(d.cores) < 2 {
		return c, why
	}
	part := d.cpus[c.ID].part
	own := d.cpus[c.ID].core
	other := d.candidate(own, part)
	if other == nil {
		return c, why
	}
	ours := own.runningCount()
	if d.current(t) && t.State != sched.Sleeping && d.cpus[d.k.Here().ID].core == own {
		ours--
	}
	theirs := other.runningCount()
	if ours < theirs || (ours == theirs && other.active(part, d) <= own.active(part, d)) {
		return c, why
	}
	for _, o := range other.cpus {
		if o.Thread == nil && d.cpus[o.ID].part == part {
			return o, sched.Reason{Code: whyBalanced, A: int32(o.ID), B: int32(ours)<<16 | int32(theirs)}
		}
	}
	return c, why
}

// candidate is the one other core to look at: from the hint on, the first that
// is not ours and has strands in the partition. The hint grows by one each
// time and starts over past the end, so that 0 is used twice in a round.
func (d *dispatcher) candidate(own *coreGroup, part *partition) *coreGroup {
	h := 0
	if own.hint < len(d.cores) {
		h = own.hint
		own.hint++
	} else {
		own.hint = 0
	}
	for i := range d.cores {
		g := d.cores[(h+i)%len(d.cores)]
		if g != own && g.active(part, d) > 0 {
			return g
		}
	}
	return nil
}

// runningCount is the number of strands that are not in their idle thread.
func (g *coreGroup) runningCount() int {
	n := 0
	for _, c := range g.cpus {
		if c.Thread != nil {
			n++
		}
	}
	return n
}

// active is the number of the group's strands in a partition.
func (g *coreGroup) active(part *partition, d *dispatcher) int {
	n := 0
	for _, c := range g.cpus {
		if d.cpus[c.ID].part == part {
			n++
		}
	}
	return n
}
