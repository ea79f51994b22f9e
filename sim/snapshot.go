package sim

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// fieldIndex is where a policy's row of figures holds those that frames show;
// −1 where it has none.
type fieldIndex struct {
	inspect              sched.Inspector
	names                []sched.Field
	timeleft, full, nice int
	shares, ticks        int
	key, lag             int
	row                  []int64
}

func indexFields(p sched.Policy) fieldIndex {
	x := fieldIndex{timeleft: -1, full: -1, nice: -1, shares: -1, ticks: -1, key: -1, lag: -1}
	x.inspect, _ = p.(sched.Inspector)
	if x.inspect == nil {
		return x
	}
	x.names = x.inspect.Fields()
	for i, f := range x.names {
		switch f.Name {
		case "timeleft", "counter", "time_slice":
			x.timeleft = i
		case "quantum":
			x.full = i
		case "nice":
			x.nice = i
		case "shares":
			x.shares = i
		case "vruntime", "deadline": // who has deadlines lists them later
			x.key = i
		case "lag":
			x.lag = i
		case "ticks":
			x.ticks = i
		}
	}
	x.row = make([]int64, len(x.names))
	return x
}

func (x *fieldIndex) get(i int) int {
	if i < 0 {
		return 0
	}
	return int(x.row[i])
}

// Frame returns the picture of the run as it stands.
func (s *Session) Frame() *Frame {
	s.turn = 1 - s.turn
	f := &s.frames[s.turn]
	f.Tick = s.eng.Tick()
	f.Now, f.Machine, f.Fields = s.eng.Now(), s.sc.Machine, s.fields.names
	f.Scenario, f.Beside = s.info, nil
	f.Digest, f.Events = s.watch.digest.Sum(), s.eng.Events()
	f.Totals = Totals{}
	s.fillThreads(f)
	s.fillQueues(f)
	s.fillCPUs(f)
	s.probes.snapshot(f)
	s.fillStats(f)
	f.Curve, f.CurvePoints = s.sc.Curve, s.curve
	f.Work = nil
	if w, ok := s.SchedulerWork(); ok {
		f.Work = &w
	}
	s.fillTop(f)
	s.fillBook(f)
	return f
}

func (s *Session) fillThreads(f *Frame) {
	f.Threads = f.Threads[:0]
	prior, _ := s.pol.(sched.Prioritizer)
	classes, _ := s.pol.(sched.Classer)
	for _, t := range s.eng.Threads() {
		e := s.watch.ledger.Entry(t.ID)
		x := Thread{
			ID: t.ID, PID: t.PID, Name: t.Name, Kernel: t.Kernel, State: t.State, CPU: t.CPU, Set: t.Set, Priority: -1,
			Project: int(t.Group),
			Ran:     e.Ran(f.Now), Waited: e.Waited(f.Now), Work: s.eng.Work(t), Since: e.Since,
		}
		if t.State == sched.Waiting && e.At != sched.NoCPU {
			x.CPU = e.At
		}
		if prior != nil {
			x.Priority = prior.Priority(t)
		}
		if classes != nil {
			x.Class = classes.ClassOf(t)
		}
		if s.fields.inspect != nil {
			s.fields.inspect.Values(t, s.fields.row)
			x.Shares = s.fields.get(s.fields.shares)
			x.Left, x.Full, x.Nice = s.fields.get(s.fields.timeleft), s.fields.get(s.fields.full), s.fields.get(s.fields.nice)
			x.Key, x.Owing = int64(s.fields.get(s.fields.key)), s.fields.get(s.fields.lag) < 0
			x.Ticks = int64(s.fields.get(s.fields.ticks))
		}
		f.Threads = append(f.Threads, x)
		f.Totals.count(t, e)
	}
}

func (t *Totals) count(th *sched.Thread, e stats.Entry) {
	if th.Kernel || !e.Started() {
		return
	}
	t.Switches += e.Switches
	t.Moves += e.Moves
	t.Count(th.State)
}

// Count counts a thread by its state.
func (t *Totals) Count(s sched.State) {
	switch s {
	case sched.Running:
		t.Running++
	case sched.Waiting:
		t.Waiting++
	case sched.Sleeping:
		t.Sleeping++
	case sched.Gone:
		t.Gone++
	case sched.Embryo:
	}
}

func (s *Session) fillQueues(f *Frame) {
	n := 0
	if s.fields.inspect != nil {
		s.fields.inspect.Queues(func(q sched.Queue, waiting []sched.ThreadID) {
			if n == len(f.Queues) {
				f.Queues = append(f.Queues, Queue{})
			}
			x := &f.Queues[n]
			*x = Queue{CPU: q.CPU, Set: q.Set, Priority: q.Priority, Name: q.Name, Waiting: append(x.Waiting[:0], waiting...)}
			n++
		})
	}
	f.Queues = f.Queues[:n]
}

func (s *Session) fillCPUs(f *Frame) {
	f.CPUs = f.CPUs[:0]
	t := &f.Totals
	for _, c := range s.eng.CPUs() {
		x := CPU{
			Thread: sched.None, Mode: s.watch.time.Mode(c.ID), Set: c.Set, Online: c.Online, Speed: s.eng.Speed(c),
		}
		if c.Online {
			t.Strands++
		}
		if c.Thread != nil {
			x.Thread = c.Thread.ID
			t.Busy++
		}
		f.CPUs = append(f.CPUs, x)
	}
	for _, q := range f.Queues {
		if q.CPU >= 0 {
			f.CPUs[q.CPU].Queue += len(q.Waiting)
		}
	}
	s.markIdle(f)
	t.Cores = len(f.Machine.Cores)
	for _, ids := range f.Machine.Cores {
		if busyAmong(f, ids) > 0 {
			t.BusyCores++
		}
	}
	var slots int64
	f.IssueSlots = f.IssueSlots[:0]
	for p := range f.Machine.Pipelines {
		f.IssueSlots = append(f.IssueSlots, s.eng.IssueSlots(p))
		slots += int64(s.eng.IssueSlots(p))
	}
	t.IssueSlots = permille(slots, int64(len(f.Machine.Pipelines)))
}

func busyAmong(f *Frame, cpus []int) int {
	n := 0
	for _, c := range cpus {
		if f.CPUs[c].Thread != sched.None {
			n++
		}
	}
	return n
}

// markIdle finds strands that idle while a thread waits, and whether they could
// help: that is never so for longer than the policy declares.
func (s *Session) markIdle(f *Frame) {
	if f.Totals.Waiting == 0 {
		return
	}
	for i, c := range s.eng.CPUs() {
		x := &f.CPUs[i]
		if x.Thread != sched.None || !x.Online {
			continue
		}
		x.IdleBesideWork = true
		f.Totals.IdleBesideWork++
		for _, t := range s.eng.Threads() {
			if t.State == sched.Waiting && t.May(c) {
				x.MayHelp = true
				break
			}
		}
	}
}

func (s *Session) fillStats(f *Frame) {
	w := s.watch
	f.Load = Load{Avg: s.loadNow(), Text: s.loadText()}
	f.Vmstat = w.vmstatFrame(&f.Totals)
	s.fillPast(f)
	f.Printed = f.Printed[:0]
	for _, p := range s.sc.Printed {
		if s.prints(&p) {
			f.Printed = append(f.Printed, s.figure(p, f))
		}
	}
}

// loadNow is the load average in 1/256 threads. Some sample by themselves.
func (s *Session) loadNow() [3]int64 {
	if l, ok := s.watch.load.(interface{ CatchUp(now clock.Time) }); ok {
		l.CatchUp(s.Now())
	}
	return s.watch.load.Avenrun()
}

// loadText is the load average as uptime prints it.
func (s *Session) loadText() (text [3]string) {
	s.loadNow()
	return s.watch.loadText()
}

// loadText is the load average of the samples so far. Some have a text of their own.
func (w *watchers) loadText() (text [3]string) {
	if l, ok := w.load.(interface{ Texts() [3]string }); ok {
		return l.Texts()
	}
	for i, a := range w.load.Avenrun() {
		text[i] = stats.LoadText(a)
	}
	return text
}

// vmstatFrame is what a frame has of vmstat.
func (w *watchers) vmstatFrame(t *Totals) Vmstat {
	sec := w.vmstat.Second
	return Vmstat{
		Runnable: int(sec.R), User: sec.User, System: sec.System, Idle: sec.Idle,
		Switches: int(sec.Switches), Seconds: w.vmstat.Seconds, Table: append([]string(nil), w.report.Lines...),
		BusyPermille:  int(permille(1000*int64(t.Busy), int64(t.Strands))),
		CoresPermille: int(permille(1000*int64(t.BusyCores), int64(t.Cores))),
	}
}
