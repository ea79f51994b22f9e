package sim

import (
	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/policy"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// vmstatKeep is how many lines of the frame's vmstat table are kept.
const vmstatKeep = 21

// watchers are the observers behind a session's frames. They are listed in the
// order in which they must see each event: accounts before what reads them.
type watchers struct {
	digest trace.Digest
	check  *check.History
	time   *stats.CPUTime
	load   stats.LoadAverage
	vmstat *stats.Vmstat
	report *stats.VmstatReport
	ledger *stats.Ledger
	plots  plotter
	spans  *stats.Timeline
	micro  *stats.Prstat // nil: the kernel keeps no microstates
	who    *stats.Culprits
	sums   *sums     // nil: nobody compares this run
	jobs   *JobWatch // nil: the scenario has no job list

	lookout lookout
}

func newWatchers(m *machine.Machine, k policy.Kernel, r stats.Roster) *watchers {
	n := len(m.CPUs)
	w := &watchers{check: check.New(n), time: stats.NewCPUTime(n), ledger: stats.NewLedger(n), who: stats.NewCulprits(n)}
	w.load = k.NewLoad(w.time, n)
	w.vmstat = stats.NewVmstat(w.time, n, clock.Second/clock.Duration(k.HZ))
	w.report = stats.NewVmstatReportIn(k.Vmstat, w.vmstat, 3)
	w.report.Keep = vmstatKeep
	w.plots = newPlotter(w, n)
	w.spans = stats.NewTimeline(n, clock.Second/clock.Duration(k.HZ))
	if k.Microstates {
		w.micro = stats.NewPrstat(r, n)
	}
	return w
}

func (w *watchers) all() []trace.Observer {
	all := []trace.Observer{
		&w.digest, w.check, w.time, w.load, w.vmstat, w.report, w.ledger, &w.plots, w.spans, &w.lookout, w.who,
	}
	if w.micro != nil {
		all = append(all, w.micro)
	}
	if w.sums != nil {
		all = append(all, w.sums)
	}
	if w.jobs != nil {
		all = append(all, w.jobs)
	}
	return all
}

// plotter samples the figures over time once a second.
type plotter struct {
	w       *watchers
	cpus    int
	running int
	last    [3]clock.Duration
	at      clock.Time
	ideal   idealLoad

	load, ideals                       [3]stats.History
	runnable, user, system, queue, lag stats.History
}

func newPlotter(w *watchers, cpus int) plotter {
	p := plotter{w: w, cpus: cpus}
	for i, name := range []string{"1 min", "5 min", "15 min"} {
		p.load[i] = stats.NewHistory(name, "", 256, clock.Second)
		p.ideals[i] = stats.NewHistory(name+", ideal", "", 256, clock.Second)
	}
	p.runnable = stats.NewHistory("runnable", "", 1, clock.Second)
	p.user = stats.NewHistory("user", "%", 100, clock.Second)
	p.system = stats.NewHistory("system", "%", 100, clock.Second)
	p.queue = stats.NewHistory("r", "", 1, clock.Second)
	p.lag = stats.NewHistory("wake-up latency", "µs", 1, clock.Second)
	for _, h := range p.sampled() {
		h.Add(0, 0)
	}
	w.ledger.Waker = &w.plots
	return p
}

// Served implements stats.Waker.
func (p *plotter) Served(d clock.Duration, at clock.Time) {
	p.lag.Add(at, int32(min(d/clock.Microsecond, 1<<30)))
}

// sampled are the figures that are sampled each second.
func (p *plotter) sampled() []*stats.History {
	return []*stats.History{
		&p.load[0], &p.load[1], &p.load[2], &p.ideals[0], &p.ideals[1], &p.ideals[2],
		&p.runnable, &p.user, &p.system, &p.queue,
	}
}

// Kinds implements trace.Chooser.
func (*plotter) Kinds() trace.Kinds {
	return trace.Of(trace.On, trace.Off, trace.Second)
}

// Observe implements trace.Observer.
func (p *plotter) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.On:
		p.running++
	case trace.Off:
		p.running--
	case trace.Second:
		p.sample(e.At)
	default:
	}
}

func (p *plotter) sample(now clock.Time) {
	waiting := p.w.vmstat.Waiting()
	p.ideal.second(waiting + p.running)
	for i, a := range p.w.load.Avenrun() {
		p.load[i].Add(now, int32(a))
		p.ideals[i].Add(now, p.ideal.in256(i))
	}
	p.runnable.Add(now, int32(waiting+p.running))
	p.queue.Add(now, int32(waiting))
	share := func(m trace.CPUMode) int32 {
		var sum clock.Duration
		for c := range p.cpus {
			sum += p.w.time.Time(c, m, now)
		}
		spent := sum - p.last[m]
		p.last[m] = sum
		whole := clock.Duration(p.cpus) * now.Sub(p.at)
		return int32(10_000 * int64(spent) / int64(whole))
	}
	p.user.Add(now, share(trace.UserMode))
	p.system.Add(now, share(trace.SystemMode))
	p.at = now
}

// snapshot copies a part of the plots so that later samples do not change it.
func (p *plotter) snapshot(into *Plots, from, to clock.Time) {
	copyOf := func(h *stats.History, s *stats.Series) { h.Window(s, from, to, stats.SeriesBuckets) }
	for i := range p.load {
		copyOf(&p.load[i], &into.Load[i])
		copyOf(&p.ideals[i], &into.Ideal[i])
	}
	copyOf(&p.runnable, &into.Runnable)
	copyOf(&p.user, &into.User)
	copyOf(&p.system, &into.System)
	copyOf(&p.queue, &into.RunQueue)
	copyOf(&p.lag, &into.WakeLatencyMicrosec)
}
