package sim_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// watched runs a built-in scenario with an observer that sees all of it.
func watched(t *testing.T, id string, d clock.Duration, o func(s *sim.Session) trace.Observer) *sim.Session {
	t.Helper()
	s, err := sim.Open(id)
	require.NoError(t, err)
	require.NoError(t, s.ResetWith(o(s)))
	require.NoError(t, s.Advance(d))
	require.NoError(t, s.Finish())
	return s
}

func TestMpstatOfTheTipShowsTwelveStrandsOf32(t *testing.T) {
	s, err := sim.Open("t2000-unset")
	require.NoError(t, err)
	r := s.Mpstat(3, stats.PerCPU, stats.Listing{})
	sets := s.Mpstat(3, stats.PerSet, stats.Listing{})
	require.NoError(t, s.Advance(12*clock.Second))
	require.Len(t, r.Lines, 5*33, "since boot and four intervals")
	busy := 0
	for _, l := range r.Lines[4*33+1:] {
		if usr := strings.Fields(l)[12]; usr != "0" {
			assert.Contains(t, []string{"100", "99"}, usr, l)
			busy++
		}
	}
	assert.Equal(t, 12, busy)
	assert.Regexp(t, `^  1 .* 100 +0 +0 +0  12$`, sets.Lines[len(sets.Lines)-1])
	assert.Regexp(t, `^  0 .* +0 +0 +0 100  20$`, sets.Lines[len(sets.Lines)-2])
}

func TestMpstatLeavesOfflineStrandsOut(t *testing.T) {
	s, err := sim.Open("strand-offline")
	require.NoError(t, err)
	require.NoError(t, s.Advance(15*clock.Second))
	r := s.Mpstat(1, stats.PerCPU, stats.Listing{})
	assert.Len(t, r.Lines, 13, "12 strands are on-line")
	require.NoError(t, s.Advance(16*clock.Second))
	assert.Equal(t, " 31", r.Lines[len(r.Lines)-1][:3], "they are back")
}

func TestPrstatAgreesWithTheFrame(t *testing.T) {
	var r *stats.PrstatReport
	s := watched(t, "t2000-oltp", 20*clock.Second, func(s *sim.Session) trace.Observer {
		r = s.NewPrstat(0, stats.PrProcesses, stats.Listing{})
		return r
	})
	f := s.Frame()
	for _, x := range f.Threads {
		if x.Kernel {
			continue
		}
		on := r.Micro(x.ID, stats.MicroUser, f.Now) + r.Micro(x.ID, stats.MicroSystem, f.Now)
		assert.Equal(t, x.Ran, on, "%s %d on CPU", x.Name, x.PID)
		assert.Equal(t, x.Waited, r.Micro(x.ID, stats.MicroLatency, f.Now), "%s %d waiting", x.Name, x.PID)
	}
	r.Print(f.Now)
	// The four batch jobs compute all the time: 3.1 % of 32 strands each, less
	// what the average has not yet taken in and what they wait.
	for i, l := range r.Lines[1:5] {
		assert.Regexp(t, `TS|batch/1$`, l)
		assert.Contains(t, l, "  10   0:00:19 1.9% batch/1", "row %d", i)
	}
	assert.Equal(t, "Total: 64 processes, 64 lwps, load averages: "+strings.Join(f.Load.Text[:], ", "), r.Lines[len(r.Lines)-1])
}

func TestZombiesOfAForkingProcessAreItsChildren(t *testing.T) {
	doc := []byte(`{"machine": "up", "tasks": {
		"parent": {"loop": 1, "phases": {"a": {"loop": 3, "run": 1000, "fork": "child"}, "b": {"run": 60000000}}},
		"child": {"instance": 0, "loop": 1, "run": 2000}}}`)
	s, err := sim.OpenDocument("mine.json", doc)
	require.NoError(t, err)
	r := s.NewPrstat(0, stats.PrProcesses, stats.Listing{})
	require.NoError(t, s.ResetWith(r))
	require.NoError(t, s.Advance(2*clock.Second))
	r.Print(s.Now())
	assert.Equal(t, 3, strings.Count(strings.Join(r.Lines, "\n"), "zombie   0    -   0:00:00 0.0% child/1"), r.Lines)
	require.NoError(t, s.Advance(60*clock.Second))
	r.Lines = nil
	r.Print(s.Now())
	assert.Equal(t, "Total: 0 processes", r.Lines[1][:18], "the parent is gone, and init has reaped them all")
}

func TestWaitsOfARunAreWhatItsThreadsWaited(t *testing.T) {
	for _, id := range []string{"t2000-unset", "t2000-oltp", "fss-psets", "strand-offline", "t2000-rt-starves", "ia-focus", "t2000-perl-fork"} {
		var w *stats.Waits
		s := watched(t, id, 40*clock.Second, func(s *sim.Session) trace.Observer {
			w = s.NewWaits()
			return w
		})
		f := s.Frame()
		var names []string
		waited := map[string]clock.Duration{}
		for _, x := range f.Threads {
			name := x.Name
			if x.Kernel {
				name += " (kernel)"
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			waited[name] += x.Waited
		}
		for _, victim := range names {
			var sum clock.Duration
			for _, culprit := range append([]string{stats.Nobody}, names...) {
				sum += w.Wait(victim, culprit, f.Now)
			}
			// A shared queue divides: less than a nanosecond a pair is lost.
			assert.InDelta(t, float64(waited[victim]), float64(sum), 100, "%s: %s", id, victim)
		}
	}
}

func TestARealTimeSpinnerIsNamedAsTheCulprit(t *testing.T) {
	doc := []byte(`{"machine": "up", "tasks": {
		"victim": {"run": 1000000}, "spinner": {"run": 1000000, "policy": "RT", "delay": 1000000}}}`)
	s, err := sim.OpenDocument("mine.json", doc)
	require.NoError(t, err)
	w, x := s.NewWaits(), s.NewSwitches()
	require.NoError(t, s.ResetWith(sim.Observers{w, x}))
	require.NoError(t, s.Advance(11*clock.Second))
	assert.Equal(t, 10*clock.Second, w.Wait("victim", "spinner", s.Now()))
	quantum, better := x.Preemptions("victim", "spinner")
	assert.Equal(t, [2]int64{0, 1}, [2]int64{quantum, better}, "once, before its quantum ended")
	assert.Positive(t, x.AgainQuantum, "RT quanta end, and the spinner is picked again")
}

func TestSwitchesOfARunAddUp(t *testing.T) {
	for _, id := range []string{"t2000-unset", "t2000-oltp", "fss-1-3", "strand-offline", "t2000-perl-fork"} {
		var x *stats.Switches
		var on, preempt int64
		count := watchFunc(func(e *trace.Event) {
			switch e.Kind {
			case trace.On:
				on++
			case trace.Preempt:
				preempt++
			default:
			}
		})
		s := watched(t, id, 30*clock.Second, func(s *sim.Session) trace.Observer {
			x = s.NewSwitches()
			return sim.Observers{x, count}
		})
		left := x.QuantumEnd + x.Better + x.Blocked + x.Yielded + x.GaveWay + x.Exited + x.Moved
		assert.Equal(t, on-int64(s.Frame().Totals.Busy), left, "%s: who came has left, or runs", id)
		assert.Equal(t, preempt, x.QuantumEnd+x.Better+x.AgainQuantum+x.AgainBetter, id)
		assert.LessOrEqual(t, x.FromIdle, on, id)
	}
}

type watchFunc func(e *trace.Event)

func (f watchFunc) Observe(e *trace.Event) { f(e) }

func TestTwoFXHogsOnOneCPUSwitchWhenQuantaEnd(t *testing.T) {
	doc := []byte(`{"machine": "up", "scheduler": {"default_class": "FX"}, "tasks": {"hog": {"instance": 2, "run": 1000000}}}`)
	s, err := sim.OpenDocument("mine.json", doc)
	require.NoError(t, err)
	x := s.NewSwitches()
	require.NoError(t, s.ResetWith(x))
	require.NoError(t, s.Advance(10*clock.Second))
	// FX 0: 20 ticks (FACTS §6). The update thread comes every 100 ticks, just
	// when a quantum ends, so it takes the CPU from nobody who had some left.
	assert.Equal(t, int64(50), x.QuantumEnd)
	assert.Zero(t, x.Better)
	assert.Equal(t, int64(10), x.Blocked)
}

func TestWakeUpLatencyOfARunIsThatOfThePlot(t *testing.T) {
	var l *stats.Latency
	s := watched(t, "t2000-oltp", 10*clock.Second, func(s *sim.Session) trace.Observer {
		l = s.NewLatency()
		return l
	})
	plot := s.Frame().Plots.WakeLatencyMicrosec
	assert.Equal(t, int32(l.All.Max/clock.Microsecond), slices.Max(plot.Max))
	assert.Positive(t, l.Of("httpd").Count)
}

// Issue 3: without sets 16.67, 33.33, 50 %; with them 4.17, 28.33, 67.5 % ± 1.
func TestFSSGivesProjectsWhatTheyAreEntitledTo(t *testing.T) {
	var p *stats.Projects
	s := watched(t, "fss-psets", 60*clock.Second, func(s *sim.Session) trace.Observer {
		p = s.NewProjects()
		return p
	})
	domains := p.Domains(s.Now())
	require.Len(t, domains, 4)
	for i, want := range []float64{4.17, 28.33, 67.5} {
		r := domains[0].Rows[i]
		assert.InDelta(t, want, 100*float64(r.Entitled)/float64(domains[0].Capacity), 0.01)
		assert.InDelta(t, want, 100*float64(r.Received)/float64(domains[0].Capacity), 1)
	}
	for _, d := range domains {
		var entitled, received clock.Duration
		for _, r := range d.Rows {
			entitled += r.Entitled
			received += r.Received
		}
		assert.InDelta(t, float64(d.Capacity), float64(entitled), 1e6, "set %d", d.Set)
		assert.Equal(t, d.Capacity, received, "set %d is busy all the time", d.Set)
	}
}

// S-12: a share is no cap.
func TestASmallShareIsACapForNobody(t *testing.T) {
	doc := []byte(`{"machine": "t2000", "scheduler": {"default_class": "FSS",
		"projects": [{"id": 1, "name": "one", "shares": 1}, {"id": 99, "name": "most", "shares": 99}]},
		"tasks": {"a": {"instance": 32, "run": 1000000, "project": 1},
			"b": {"instance": 64, "run": 1000000, "project": 99, "delay": 20000000}}}`)
	s, err := sim.OpenDocument("mine.json", doc)
	require.NoError(t, err)
	p := s.NewProjects()
	require.NoError(t, s.ResetWith(p))
	require.NoError(t, s.Advance(19*clock.Second))
	d := p.Domains(s.Now())[0]
	assert.Equal(t, d.Capacity, d.Rows[0].Entitled, "alone it is entitled to everything")
	assert.Equal(t, d.Capacity, d.Rows[0].Received)
	require.NoError(t, s.Advance(clock.Second))
	d = p.Domains(s.Now())[0]
	require.NoError(t, s.Advance(60*clock.Second))
	e := p.Domains(s.Now())[0]
	assert.InDelta(t, 1, 100*float64(e.Rows[0].Entitled-d.Rows[0].Entitled)/float64(e.Capacity-d.Capacity), 0.1)
}

// S-6 of the cases, as a run.
func TestSpreadAndPackedDifferInCoresOnly(t *testing.T) {
	var r *stats.CoreReport
	watched(t, "cmt-8-spread-vs-packed", 60*clock.Second, func(s *sim.Session) trace.Observer {
		r = s.NewCores(30, stats.Listing{})
		return r
	})
	require.Len(t, r.Lines, 20)
	assert.Equal(t, []string{"all", "25.0", "100.0", "50.0"}, strings.Fields(r.Lines[9]))
	assert.Equal(t, []string{"all", "25.0", "25.0", "24.6"}, strings.Fields(r.Lines[19]))
}

func TestCoreAccountsUseWhatTheEngineUses(t *testing.T) {
	// A forked thread asks of the pipeline what its parent asks.
	mixed := []byte(`{"machine": "t2000-4", "tasks": {
		"parent": {"cpi": 4, "loop": 1, "phases": {"a": {"loop": 9, "run": 1000, "fork": "child"}, "b": {"run": 60000000}}},
		"child": {"instance": 0, "cpi": 1.25, "run": 5000, "sleep": 1000},
		"b": {"cpi": 1.5, "run": 3000, "sleep": 2000}, "c": {"cpi": 7.2, "instance": 3, "run": 1000000}}}`)
	for _, id := range []string{"mixed", "t2000-oltp", "cmt-8-spread-vs-packed", "t2000-perl-fork", "strand-offline"} {
		open := func() (*sim.Session, error) { return sim.Open(id) }
		if id == "mixed" {
			open = func() (*sim.Session, error) { return sim.OpenDocument(id, mixed) }
		}
		s, err := open()
		require.NoError(t, err)
		c := s.NewCores(1, stats.Listing{})
		require.NoError(t, s.ResetWith(c))
		for range 50 {
			require.NoError(t, s.Advance(37*clock.Millisecond))
			f := s.Frame()
			// Slots per nanosecond now, as the accounts go on from here.
			for core := range f.Machine.Cores {
				grown := c.Core(core, f.Now.Add(clock.Second)).Slots - c.Core(core, f.Now).Slots
				want := clock.Duration(f.IssueSlots[core]) * clock.Millisecond // a T2000: one pipeline a core
				assert.InDelta(t, float64(want), float64(grown), 1, "%s at %v, core %d", id, f.Now, core)
			}
		}
	}
}

func TestTracesOfARunAreWhole(t *testing.T) {
	s, err := sim.Open("t2000-perl-fork")
	require.NoError(t, err)
	var pf, ft bytes.Buffer
	p := trace.NewPerfetto(&pf, s.Teller(), "T2000", 32)
	f := trace.NewFtrace(&ft, s.Teller(), trace.SolarisPrio, 32)
	require.NoError(t, s.ResetWith(sim.Observers{p, f}))
	require.NoError(t, s.Advance(3*clock.Second))
	require.NoError(t, p.Close(s.Now()))
	require.NoError(t, f.Close())

	var doc struct {
		TraceEvents []struct {
			Ph      string
			TID     int
			Ts, Dur float64
		}
	}
	require.NoError(t, json.Unmarshal(pf.Bytes(), &doc))
	var end [32]float64
	var sum float64
	for _, e := range doc.TraceEvents {
		if e.Ph != "X" {
			continue
		}
		assert.GreaterOrEqual(t, e.Ts+0.001, end[e.TID], "spans of a track do not overlap")
		end[e.TID] = e.Ts + e.Dur
		sum += e.Dur
	}
	var ran clock.Duration
	for _, x := range s.Frame().Threads {
		ran += x.Ran
	}
	assert.InDelta(t, float64(ran)/1000, sum, 1)

	// On each CPU the next of a switch is the prev of the following one.
	line := regexp.MustCompile(`\[(\d{3})\].*prev_pid=(\d+).*next_pid=(\d+)`)
	var runs [32]string
	for i := range runs {
		runs[i] = "0"
	}
	switches := 0
	for _, l := range strings.Split(ft.String(), "\n") {
		if m := line.FindStringSubmatch(l); m != nil {
			cpu, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			require.Equal(t, runs[cpu], m[2], l)
			runs[cpu] = m[3]
			switches++
		}
	}
	assert.Greater(t, switches, 32)
}

func TestReportsDoNotDisturbTheRun(t *testing.T) {
	plain := run(t, 5*clock.Second, "t2000-oltp").Digest()
	s := watched(t, "t2000-oltp", 5*clock.Second, func(s *sim.Session) trace.Observer {
		return sim.Observers{
			s.NewPrstat(1, stats.PrMicrostates, stats.Listing{}), s.NewCores(1, stats.Listing{}), s.NewProjects(),
			s.NewLatency(), s.NewSwitches(), s.NewWaits(), s.NewEachSecond(func(stats.SecondRow) {}),
			trace.NewFtrace(&bytes.Buffer{}, s.Teller(), trace.SolarisPrio, 32), trace.NewPerfetto(&bytes.Buffer{}, s.Teller(), "", 32),
		}
	})
	assert.Equal(t, plain, s.Digest())
}

func TestReportsThatBeginLateSeeTheRest(t *testing.T) {
	s, err := sim.Open("t2000-oltp")
	require.NoError(t, err)
	require.NoError(t, s.Advance(3*clock.Second))
	l, x := s.NewLatency(), s.NewSwitches()
	p := s.NewPrstat(1, stats.PrProcesses, stats.Listing{})
	c := s.NewCores(1, stats.Listing{})
	for _, o := range []trace.Observer{l, x, p, c} {
		s.Observe(o)
	}
	require.NotPanics(t, func() { require.NoError(t, s.Advance(3*clock.Second)) })
	assert.Positive(t, l.All.Count)
	assert.Positive(t, x.Blocked)
}

func TestProjectsOfEverySolarisHaveNames(t *testing.T) {
	s, err := sim.Open("t2000-ts")
	require.NoError(t, err)
	p := s.NewPrstat(0, stats.PrProjects, stats.Listing{})
	require.NoError(t, s.ResetWith(p))
	require.NoError(t, s.Advance(clock.Second))
	p.Print(s.Now())
	assert.Regexp(t, `^ +1 +32 .* user\.root$`, p.Lines[len(p.Lines)-2])
}

// A user priority in a scenario counts, as priocntl -p would have it.
func TestAUserPriorityOfATaskCounts(t *testing.T) {
	for _, class := range []string{"TS", "IA"} {
		s, err := sim.OpenDocument("x", []byte(`{"machine": "up", "tasks": {
			"low": {"policy": "`+class+`", "priority": -40, "run": 1000000}, "high": {"policy": "`+class+`", "priority": 0, "run": 1000000}}}`))
		require.NoError(t, err)
		require.NoError(t, s.Advance(60*clock.Second))
		var ran [2]float64
		n := 0
		for _, th := range s.Frame().Threads {
			if !th.Kernel {
				ran[n] = float64(th.Ran)
				n++
			}
		}
		assert.Greater(t, ran[1], 2*ran[0], class)
	}
}
