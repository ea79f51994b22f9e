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

	lookout lookout
}

func newWatchers(m *machine.Machine, k policy.Kernel) *watchers {
	n := len(m.CPUs)
	w := &watchers{check: check.New(n), time: stats.NewCPUTime(n), ledger: stats.NewLedger(n)}
	w.load = k.NewLoad(w.time, n)
	w.vmstat = stats.NewVmstat(w.time, n, clock.Second/clock.Duration(k.HZ))
	w.report = stats.NewVmstatReportIn(k.Vmstat, w.vmstat, 3)
	w.report.Keep = vmstatKeep
	w.plots = newPlotter(w, n)
	w.spans = stats.NewTimeline(n)
	return w
}

func (w *watchers) all() []trace.Observer {
	return []trace.Observer{
		&w.digest, w.check, w.time, w.load, w.vmstat, w.report, w.ledger, &w.plots, w.spans, &w.lookout,
	}
}

// plotter samples the figures over time once a second.
type plotter struct {
	w       *watchers
	cpus    int
	running int
	last    [3]clock.Duration
	at      clock.Time
	Plots
}

func newPlotter(w *watchers, cpus int) plotter {
	p := plotter{w: w, cpus: cpus}
	for i, name := range []string{"1 min", "5 min", "15 min"} {
		p.Load[i] = stats.NewSeries(name, "", 256, clock.Second)
	}
	p.Runnable = stats.NewSeries("runnable", "", 1, clock.Second)
	p.User = stats.NewSeries("user", "%", 100, clock.Second)
	p.System = stats.NewSeries("system", "%", 100, clock.Second)
	p.RunQueue = stats.NewSeries("r", "", 1, clock.Second)
	p.WakeLatencyMicrosec = stats.NewSeries("wake-up latency", "µs", 1, clock.Second)
	for _, s := range p.series() {
		s.Add(0, 0)
	}
	w.ledger.Waker = &w.plots
	return p
}

// Served implements stats.Waker.
func (p *plotter) Served(d clock.Duration, at clock.Time) {
	p.WakeLatencyMicrosec.Add(at, int32(min(d/clock.Microsecond, 1<<30)))
}

func (p *plotter) series() []*stats.Series {
	return []*stats.Series{&p.Load[0], &p.Load[1], &p.Load[2], &p.Runnable, &p.User, &p.System, &p.RunQueue}
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
	for i, a := range p.w.load.Avenrun() {
		p.Load[i].Add(now, int32(a))
	}
	waiting := p.w.vmstat.Waiting()
	p.Runnable.Add(now, int32(waiting+p.running))
	p.RunQueue.Add(now, int32(waiting))
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
	p.User.Add(now, share(trace.UserMode))
	p.System.Add(now, share(trace.SystemMode))
	p.at = now
}

// snapshot copies the plots so that later samples do not change them.
func (p *plotter) snapshot(into *Plots) {
	for i := range p.Load {
		p.Load[i].Snapshot(&into.Load[i])
	}
	p.Runnable.Snapshot(&into.Runnable)
	p.User.Snapshot(&into.User)
	p.System.Snapshot(&into.System)
	p.RunQueue.Snapshot(&into.RunQueue)
	p.WakeLatencyMicrosec.Snapshot(&into.WakeLatencyMicrosec)
}
