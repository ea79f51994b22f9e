package fake

import (
	"fmt"
	"math"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// View looks at a whole run.
func View(theme string, width, height, scalePermille int) *act.View {
	return &act.View{Theme: theme, Visible: true, Width: width, Height: height, ScalePermille: scalePermille}
}

// T2000 has 32 hogs on 32 strands of which only the first busy take any, as in
// the tech tip: 12 with no default class, 32 with one.
func T2000(busy int) *sim.Frame {
	m, ok := machine.Find("t2000")
	if !ok {
		panic("fake: no machine t2000")
	}
	return Frame(m, "perl", 1204, 32, busy)
}

// Hogs250 has 250 hogs on 4 CPUs with one shared queue, as in the mail of 1999.
func Hogs250() *sim.Frame {
	f := Frame(Machine(1, 4, 1), "loop", 650, 250, 4)
	var waiting []sched.ThreadID
	for i := range f.Queues {
		waiting = append(waiting, f.Queues[i].Waiting...)
	}
	f.Queues = []sim.Queue{{CPU: -1, Priority: -1, Waiting: waiting}}
	f.Fields = []sched.Field{{Name: "counter"}}
	for i := range f.Threads {
		f.Threads[i].Priority, f.Threads[i].Class = -1, "OTHER"
	}
	probes(f)
	return f
}

// probes gives a frame a ping with two late wakes and a typist, and a curve of
// seven points.
func probes(f *sim.Frame) {
	f.Tick = 10 * clock.Millisecond
	ping := sim.Probe{Name: "ping"}
	ping.Wakes = sim.Wakes{Count: 151, InTick: 149, Max: 202 * clock.Millisecond, Bins: [sim.WakeBins]int64{148, 1, 0, 1, 1, 0}}
	ping.Alone = sim.Wakes{Count: 151, InTick: 151, Bins: [sim.WakeBins]int64{151}}
	for i := range 120 {
		w := sim.Wake{At: clock.Time(clock.Duration(31+i) * clock.Second)}
		switch i {
		case 40:
			w.Wait = 202 * clock.Millisecond
		case 90:
			w.Wait = 21 * clock.Millisecond
		case 100:
			w.Wait = 300 * clock.Microsecond
		}
		ping.Recent = append(ping.Recent, w)
	}
	f.Probes = []sim.Probe{ping, {Name: "bash"}}
	f.Curve = &scenario.Curve{Title: "What scheduling costs", Task: "loop", Instances: []int{10, 20, 50, 100, 200, 500, 1000}, Seconds: 300}
	for _, n := range f.Curve.Instances {
		f.CurvePoints = append(f.CurvePoints, sim.CurvePoint{Instances: n, Seconds: 300, Work: sim.SchedulerWork{
			Decisions: 5700, Evaluations: int64(5700 * n), Recalculated: 5730, Cost: clock.Duration(n) * 1140 * clock.Microsecond,
		}})
	}
}

// Machine builds chips × cores × strands.
func Machine(chips, cores, strands int) *machine.Machine {
	m, err := machine.Build("", fmt.Sprintf("%d × %d × %d", chips, cores, strands), machine.Node{
		Kind: machine.Chip, Count: chips, Of: &machine.Node{Kind: machine.Core, Count: cores, Of: &machine.Node{
			Kind: machine.Pipeline, Count: 1, Issue: strands <= 4, Of: &machine.Node{Kind: machine.Strand, Count: strands},
		}},
	})
	if err != nil {
		panic(err)
	}
	return m
}

// Frame has hogs threads, of which the first busy run on the first strands and
// the others wait.
func Frame(m *machine.Machine, name string, pid int32, hogs, busy int) *sim.Frame {
	f := &sim.Frame{Now: clock.Time(151*clock.Second + 400*clock.Millisecond), Machine: m}
	f.CPUs = make([]sim.CPU, len(m.CPUs))
	waiting := hogs - busy
	for i := range f.CPUs {
		f.CPUs[i] = sim.CPU{Thread: sched.None, Online: true, IdleBesideWork: waiting > 0}
	}
	f.Queues = make([]sim.Queue, 0, 3*busy)
	for i := range hogs {
		t := sim.Thread{
			ID: sched.ThreadID(i), PID: pid + int32(i), Name: name, Class: "TS", State: sched.Running, CPU: i,
			Priority: 59 - i%3*10, Left: i * 37 % 20, Full: 20,
		}
		if i < busy {
			f.CPUs[i] = sim.CPU{Thread: t.ID, Mode: trace.UserMode, Online: true}
		} else {
			t.State, t.CPU = sched.Waiting, i%max(1, busy)
			f.Queues = append(f.Queues, sim.Queue{CPU: t.CPU, Priority: t.Priority, Waiting: []sched.ThreadID{t.ID}})
		}
		f.Threads = append(f.Threads, t)
	}
	totals(f, hogs, busy)
	plots(f, hogs, busy)
	Look(f, sim.Look{})
	return f
}

func totals(f *sim.Frame, hogs, busy int) {
	m := f.Machine
	t := &f.Totals
	*t = sim.Totals{Strands: len(m.CPUs), Busy: busy, Cores: len(m.Cores), Running: busy, Waiting: hogs - busy}
	for _, core := range m.Cores {
		if f.CPUs[core[0]].Thread != sched.None {
			t.BusyCores++
		}
	}
	if t.Waiting > 0 {
		t.IdleBesideWork = t.Strands - busy
	}
	for p, ids := range m.Pipelines {
		var cpis []machine.CPI
		for _, id := range ids {
			if f.CPUs[id].Thread != sched.None {
				cpis = append(cpis, machine.DefaultCPI)
			}
		}
		slots := m.Speeds(p, cpis, make([]machine.Permille, len(cpis)))
		f.IssueSlots = append(f.IssueSlots, slots)
		t.IssueSlots += slots
	}
	t.IssueSlots /= machine.Permille(len(m.Pipelines))
	user := 100 * busy / t.Strands
	f.Vmstat = sim.Vmstat{Runnable: t.Waiting, User: user, Idle: 100 - user, Seconds: 151}
}

// Look lets a frame of this package hold another part of its past.
func Look(f *sim.Frame, l sim.Look) {
	q := l.Timeline
	if q.To == 0 {
		q.From, q.To = f.Now.Add(-sim.TimelineSpan), f.Now
	}
	t := past(f)
	t.Window(&f.Timeline, q, f.Now)
	f.Pointed = nil
	if c := l.Cursor; c.On {
		f.Pointed = &sim.Pointed{Span: t.SpanAt(c.CPU, c.At, f.Now), At: c.At, Pick: "It was the best in the queue."}
	}
}

// pasts are the timelines of frames that were looked at, since the large ones take
// long to make.
var pasts = map[*sim.Frame]struct {
	key      [3]int64
	timeline *stats.Timeline
}{}

func past(f *sim.Frame) *stats.Timeline {
	key := [3]int64{int64(f.Now), int64(len(f.Threads)), int64(f.Totals.Busy)}
	p := pasts[f]
	if p.key != key {
		p.key, p.timeline = key, timeline(f, len(f.Threads), f.Totals.Busy)
		pasts[f] = p
	}
	return p.timeline
}

// timeline has the hogs take turns: those that run now came on at different
// moments of the last seconds, after others.
func timeline(f *sim.Frame, hogs, busy int) *stats.Timeline {
	t := stats.NewTimeline(len(f.CPUs), 10*clock.Millisecond)
	see := func(at clock.Time, kind trace.Kind, cpu, th int) {
		e := trace.Event{At: at, Kind: kind, CPU: int16(cpu), Thread: sched.ThreadID(th), Cause: sched.Preempted}
		t.Observe(&e)
	}
	const start = clock.Time(20 * clock.Second)
	for i := range len(f.CPUs) {
		t.Observe(&trace.Event{Kind: trace.Mode, CPU: int16(i), A: int64(trace.UserMode)})
	}
	second := func(from, to int) {
		for s := from; s < to; s++ {
			t.Observe(&trace.Event{At: clock.Time(s) * clock.Time(clock.Second), Kind: trace.Second})
		}
	}
	second(1, int(start/clock.Time(clock.Second))+1)
	for i := range hogs {
		see(start, trace.Woke, 0, i)
	}
	for i := range busy {
		see(start, trace.On, i, (i+1)%hogs)
	}
	second(int(start/clock.Time(clock.Second))+1, int(f.Now/clock.Time(clock.Second))-9)
	for turn := range 4 {
		for i := range busy {
			at := f.Now.Add(-clock.Duration(9-2*turn)*clock.Second + clock.Duration(i%32)*37*clock.Millisecond)
			th := (i + turn*busy) % hogs
			if turn == 3 {
				th = i
			}
			see(at, trace.Off, i, th)
			see(at, trace.On, i, th)
		}
	}
	return t
}

// plots has nothing running for 20 s and then everything.
func plots(f *sim.Frame, hogs, busy int) {
	const start = 20
	p := &f.Plots
	history := func(name, unit string, scale int32) *stats.History {
		h := stats.NewHistory(name, unit, scale, clock.Second)
		return &h
	}
	var load, ideal [3]*stats.History
	for i, name := range []string{"1 min", "5 min", "15 min"} {
		load[i], ideal[i] = history(name, "", 256), history(name, "", 256)
	}
	runnable, queue := history("runnable", "", 1), history("r", "", 1)
	user, system := history("us", "%", 100), history("sy", "%", 100)
	for s := range int(f.Now/clock.Time(clock.Second)) + 1 {
		at := clock.Time(s) * clock.Time(clock.Second)
		n, us, sy := 0, 0, 0
		if s >= start {
			n, us, sy = hogs, 10000*busy/len(f.CPUs), 40+s%7*30
			us = min(us, 10000-sy)
		}
		for i, minutes := range []float64{1, 5, 15} {
			exact := float64(n) * (1 - math.Exp(-float64(s-start)/60/minutes))
			load[i].Add(at, int32(256*exact))
			ideal[i].Add(at, int32(256*exact)+5)
			f.Load.Avg[i] = int64(256 * exact)
			f.Load.Text[i] = fmt.Sprintf("%.2f", exact)
		}
		runnable.Add(at, int32(n))
		queue.Add(at, int32(max(0, n-busy)))
		user.Add(at, int32(us))
		system.Add(at, int32(sy))
	}
	for i := range load {
		load[i].Window(&p.Load[i], 0, f.Now, stats.SeriesBuckets)
		ideal[i].Window(&p.Ideal[i], 0, f.Now, stats.SeriesBuckets)
	}
	runnable.Window(&p.Runnable, 0, f.Now, stats.SeriesBuckets)
	queue.Window(&p.RunQueue, 0, f.Now, stats.SeriesBuckets)
	user.Window(&p.User, 0, f.Now, stats.SeriesBuckets)
	system.Window(&p.System, 0, f.Now, stats.SeriesBuckets)
}
