package stats

import (
	"cmp"
	"fmt"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/order"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Projects sets what each project was entitled to against what it received, for
// the machine and for each processor set. In FSS a project is entitled to its
// shares among those of the projects of its zone that have a runnable thread,
// of its zone's shares among those of the zones that do, of the CPUs of the
// processor set (FACTS §5.2). That is a claim in contention: a project with
// fewer threads than its claim has CPUs cannot use it all, and what it leaves
// goes to the others. Projects whose threads are of other classes are entitled
// to nothing in particular.
//
// Shares, projects and sets that change without an event are looked up once a
// second, which is when FSS itself lets them take effect.
type Projects struct {
	roster Roster
	cpus   []projCPU
	th     []projThread
	sets   []*projSet // by id
	asked  bool       // the CPUs' sets are known
	start  clock.Time
	now    clock.Time
}

type projCPU struct {
	set    int // −1: off-line
	thread sched.ThreadID
	since  clock.Time
}

type projThread struct {
	known, runnable bool
	in              *projSet
	project         sched.GroupID
	fair            bool
}

type projSet struct {
	id       int
	cpus     int64
	since    clock.Time
	capacity clock.Duration // CPU time that there was
	rows     []*projRow     // by project
}

type projRow struct {
	project            sched.GroupID
	shares, zoneShares int64
	zone               int
	fair               bool // it ever had a thread that shares
	runnable           int  // threads that share
	entitled, received clock.Duration
}

// NewProjects returns an empty account for so many CPUs.
func NewProjects(r Roster, cpus int) *Projects {
	p := &Projects{roster: r, cpus: make([]projCPU, cpus)}
	for i := range p.cpus {
		p.cpus[i].thread = sched.None
	}
	return p
}

// Observe implements trace.Observer.
func (p *Projects) Observe(e *trace.Event) {
	p.now = e.At
	switch e.Kind {
	case trace.Woke:
		p.ask()
		p.refresh(e.Thread, true)
	case trace.Queued:
		p.refresh(e.Thread, p.row(e.Thread).runnable)
	case trace.On:
		p.cpus[e.CPU].thread, p.cpus[e.CPU].since = e.Thread, e.At
	case trace.Off:
		p.close(int(e.CPU))
		p.cpus[e.CPU].thread = sched.None
		if !waits(e.Cause) {
			p.refresh(e.Thread, false)
		}
	case trace.Second:
		for cpu := range p.cpus {
			p.close(cpu)
		}
		for id := range p.th {
			if p.th[id].known {
				p.refresh(sched.ThreadID(id), p.th[id].runnable)
			}
		}
	case trace.Changed:
		p.ask()
		p.changed(int(e.CPU), int(e.A))
	default:
	}
}

// ask learns the sets as they are when the first thread appears.
func (p *Projects) ask() {
	if p.asked {
		return
	}
	p.asked, p.start = true, p.now
	for cpu := range p.cpus {
		c := &p.cpus[cpu]
		if c.set = p.roster.SetOf(cpu); c.set >= 0 {
			p.set(c.set).cpus++
		}
	}
}

func (p *Projects) changed(cpu, set int) {
	p.close(cpu)
	c := &p.cpus[cpu]
	if c.set >= 0 {
		s := p.set(c.set)
		p.advance(s)
		s.cpus--
	}
	if c.set = set; set >= 0 {
		s := p.set(set)
		p.advance(s)
		s.cpus++
	}
}

func (p *Projects) set(id int) *projSet {
	i, found := slices.BinarySearchFunc(p.sets, id, func(s *projSet, id int) int { return s.id - id })
	if !found {
		p.sets = order.Insert(p.sets, i, &projSet{id: id, since: p.now})
	}
	return p.sets[i]
}

func (s *projSet) row(id sched.GroupID) *projRow {
	i, found := slices.BinarySearchFunc(s.rows, id, func(r *projRow, id sched.GroupID) int { return cmp.Compare(r.project, id) })
	if !found {
		s.rows = order.Insert(s.rows, i, &projRow{project: id})
	}
	return s.rows[i]
}

func (p *Projects) row(id sched.ThreadID) *projThread {
	p.th = grown(p.th, id, projThread{})
	return &p.th[id]
}

// refresh looks a thread up and counts it where it belongs now.
func (p *Projects) refresh(id sched.ThreadID, runnable bool) {
	x := p.row(id)
	t := p.roster.Thread(id)
	if t.Kernel {
		return
	}
	s := p.set(t.Set)
	p.advance(s)
	if x.runnable && x.fair {
		if x.in != s {
			p.advance(x.in)
		}
		x.in.row(x.project).runnable--
	}
	st := p.roster.Standing(id)
	*x = projThread{known: true, runnable: runnable, in: s, project: t.Group, fair: st.Fair}
	r := s.row(t.Group)
	if st.Fair {
		r.fair = true
		r.shares, r.zone, r.zoneShares = int64(st.Shares), st.Zone, int64(st.ZoneShares)
		if runnable {
			r.runnable++
		}
	}
}

// advance brings a set's claims up to now.
func (p *Projects) advance(s *projSet) {
	d := int64(p.now.Sub(s.since))
	s.since = p.now
	if d == 0 {
		return
	}
	s.capacity += clock.Duration(d * s.cpus)
	for _, r := range s.rows {
		if num, den := s.claim(r); den > 0 {
			r.entitled += clock.Duration(mulDiv(d*s.cpus, num, den))
		}
	}
}

// claim is a project's part of the set as a fraction.
func (s *projSet) claim(r *projRow) (num, den int64) {
	if r.runnable == 0 || r.shares == 0 {
		return 0, 0
	}
	var ofZone, ofSet int64
	var zones []int
	for _, o := range s.rows {
		if o.runnable == 0 || o.shares == 0 {
			continue
		}
		if o.zone == r.zone {
			ofZone += o.shares
		}
		if !slices.Contains(zones, o.zone) {
			zones = append(zones, o.zone)
			ofSet += o.zoneShares
		}
	}
	return r.shares * r.zoneShares, ofZone * ofSet
}

// close credits the thread on a CPU with its time up to now.
func (p *Projects) close(cpu int) {
	c := &p.cpus[cpu]
	d := p.now.Sub(c.since)
	c.since = p.now
	if c.thread == sched.None || c.set < 0 {
		return
	}
	if t := p.roster.Thread(c.thread); !t.Kernel {
		x := p.row(c.thread)
		group := x.project
		if !x.known {
			group = t.Group
		}
		p.set(c.set).row(group).received += d
	}
}

// Portion is what a project was entitled to and received of a whole.
type Portion struct {
	Project            sched.GroupID
	Shares             int64
	Fair               bool
	Entitled, Received clock.Duration
}

// Domain is a processor set, or with Set −1 the machine.
type Domain struct {
	Set      int
	CPUs     int64 // on-line now
	Capacity clock.Duration
	Rows     []Portion // by project
}

// At is Domains without a trace: a cut in a claim may cost it a nanosecond, and who
// only looks must not change what comes.
func (p *Projects) At(now clock.Time) []Domain {
	q := *p
	q.cpus, q.sets = append([]projCPU(nil), p.cpus...), make([]*projSet, len(p.sets))
	for i, s := range p.sets {
		set := *s
		set.rows = make([]*projRow, len(s.rows))
		for j, r := range s.rows {
			row := *r
			set.rows[j] = &row
		}
		q.sets[i] = &set
	}
	return q.Domains(now)
}

// Domains are the machine and then its processor sets, by id, up to now.
func (p *Projects) Domains(now clock.Time) []Domain {
	p.now = now
	for cpu := range p.cpus {
		p.close(cpu)
	}
	all := Domain{Set: -1}
	out := []Domain{all}
	for _, s := range p.sets {
		p.advance(s)
		d := Domain{Set: s.id, CPUs: s.cpus, Capacity: s.capacity}
		for _, r := range s.rows {
			x := Portion{r.project, r.shares, r.fair, r.entitled, r.received}
			d.Rows = append(d.Rows, x)
			all.add(x)
		}
		all.CPUs += s.cpus
		all.Capacity += s.capacity
		out = append(out, d)
	}
	out[0] = all
	return out
}

func (d *Domain) add(x Portion) {
	i := 0 // they are few, and slices.Insert of them would weigh 5 KB in the page
	for i < len(d.Rows) && d.Rows[i].Project < x.Project {
		i++
	}
	if i == len(d.Rows) || d.Rows[i].Project != x.Project {
		d.Rows = append(d.Rows, x)
		copy(d.Rows[i+1:], d.Rows[i:])
		d.Rows[i] = x
		return
	}
	r := &d.Rows[i]
	r.Fair = r.Fair || x.Fair
	r.Shares = max(r.Shares, x.Shares)
	r.Entitled += x.Entitled
	r.Received += x.Received
}

// Report prints the account.
func (p *Projects) Report(to *Listing, now clock.Time) {
	domains := p.Domains(now)
	to.printf("entitled against received, from %v to %v", p.start, now)
	if len(domains) == 2 {
		domains = domains[:1] // the only set is the machine
	}
	for _, d := range domains {
		to.printf("")
		title := fmt.Sprintf("the machine, %d CPUs on-line", d.CPUs)
		if d.Set >= 0 {
			title = fmt.Sprintf("processor set %d, %d CPUs on-line", d.Set, d.CPUs)
		}
		to.printf("%s", title)
		to.printf("PROJID PROJECT           SHARES  ENTITLED %%  RECEIVED %%  DIFFERENCE")
		rest := d.Capacity
		for _, r := range d.Rows {
			rest -= r.Received
			shares, entitled, diff := "-", "-", "-"
			if r.Fair {
				shares, entitled = fmt.Sprint(r.Shares), Percent(r.Entitled, d.Capacity, 2)
				diff = "+" + Percent(r.Received-r.Entitled, d.Capacity, 2)
				if r.Entitled > r.Received {
					diff = "-" + Percent(r.Entitled-r.Received, d.Capacity, 2)
				}
			}
			to.printf("%6d %-16s %7s  %10s  %10s  %10s", r.Project, p.roster.ProjectName(r.Project), shares, entitled,
				Percent(r.Received, d.Capacity, 2), diff)
		}
		to.printf("%6s %-16s %7s  %10s  %10s", "", "(idle)", "", "", Percent(rest, d.Capacity, 2))
	}
}
