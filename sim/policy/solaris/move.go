package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// This file is what changes in mid-run: processor sets, bindings, strands taken
// off-line and back (disp.c:cpu_offline and cpupart.c in effect, FACTS §7.9),
// projects and their shares, and a thread's class (class.c, priocntl.c).

// Withdraw implements sched.Mover.
func (p *Policy) Withdraw(t *sched.Thread) {
	if q := p.disp.links.At(t.ID).queue; q != nil {
		p.disp.remove(q, t.ID)
	}
}

// Moved implements sched.Mover. FSS keeps an account for each project in each
// set, and what was used in one does not count in another.
func (p *Policy) Moved(t *sched.Thread) error {
	if p.disp.th.At(t.ID).class != Class(p.fss) {
		return nil
	}
	return p.fss.reaccount(t)
}

// WaitingAt implements sched.Mover.
func (p *Policy) WaitingAt(c *sched.CPU) []sched.ThreadID {
	var ids []sched.ThreadID
	q := p.disp.cpus[c.ID].q
	p.buf = q.visit(p.buf, func(_ int, waiting []sched.ThreadID) {
		for _, id := range waiting {
			if !p.disp.links.At(id).bound {
				ids = append(ids, id)
			}
		}
	})
	return ids
}

// Reshape implements sched.Mover.
func (p *Policy) Reshape() { p.disp.reshape() }

// reshape lists each partition's CPUs anew. Partitions keep their identity, and
// with it their kernel-preemption queue.
func (d *dispatcher) reshape() {
	for _, p := range d.parts {
		p.cpus = p.cpus[:0]
	}
	for _, c := range d.k.CPUs() {
		x := &d.cpus[c.ID]
		if !c.Online {
			x.part, x.next = d.offline, c
			x.inSet, x.halted = false, false // as rankAll will have it
			continue
		}
		x.part = d.partition(c.Set)
		x.part.cpus = append(x.part.cpus, c)
	}
	for _, p := range d.parts {
		p.link(d)
	}
	d.rankAll()
}

// link makes the circle in which the partition's CPUs are walked.
func (p *partition) link(d *dispatcher) {
	for i, c := range p.cpus {
		d.cpus[c.ID].next = p.cpus[(i+1)%len(p.cpus)]
	}
}

// reaccount moves a thread to the account of its project in its set.
func (c *fairShare) reaccount(t *sched.Thread) error {
	x := c.th.At(t.ID)
	acct, err := c.tree.account(t.Set, t.Group)
	if err != nil || acct == x.acct {
		return err
	}
	active := x.active
	c.inactive(x)
	x.acct, x.fsspri = acct, 0
	if active {
		c.activate(x)
	}
	return nil
}

// standardProjects is how many projects every Solaris 10 has: system, user.root,
// noproject and default, by number.
const standardProjects = 4

// SharesOf is what a project owns; a project that nobody defined owns one share.
func (p *Policy) SharesOf(g sched.GroupID) int {
	if info := p.fss.tree.project(g); info != nil {
		return info.shares
	}
	return 1
}

// Regroup implements sched.Regrouper: it changes the shares of a project. They
// count from the next once-a-second update on.
func (p *Policy) Regroup(g sched.GroupID, shares int) error {
	if err := checkShares("project", int(g), shares); err != nil {
		return err
	}
	info := p.fss.tree.project(g)
	if info == nil && g >= 0 && g < standardProjects {
		// Nobody of it has run yet in FSS; its account is made by whoever does.
		info = &fssProjectInfo{id: g, name: "default", zone: p.fss.tree.first}
		p.fss.tree.projects[g] = info
	}
	if info == nil {
		return fmt.Errorf("solaris: project %d does not exist", g)
	}
	info.shares = shares
	return nil
}

// changeClass takes a thread from its class into another, as priocntl -s -c
// does. It keeps its place on CPU; in a queue it goes to the back.
func (p *Policy) changeClass(t *sched.Thread, to Class, par *sched.Params) error {
	x := p.disp.th.At(t.ID)
	from := x.class
	if from.Name() == "SYS" || to.Name() == "SYS" {
		return fmt.Errorf("solaris: class SYS is the kernel's own")
	}
	pri := x.pri
	if err := to.Enter(t, par); err != nil {
		p.disp.SetPri(t, pri)
		return err
	}
	from.Exit(t)
	x.class, x.match = to, to.Name() == "FSS"
	if to == Class(p.fss) && (t.State == sched.Waiting || t.State == sched.Running) {
		p.fss.activate(p.fss.th.At(t.ID))
	}
	to.Requeue(t)
	return nil
}
