package solaris

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/golden"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

func sortStrings(s []string) { sort.Strings(s) }

func sortedIDs(ids []int) []int {
	s := append([]int(nil), ids...)
	sort.Ints(s)
	return s
}

// ticksCharged counts clock ticks spent on CPU, by thread.
type ticksCharged struct {
	on    []clock.Time // −1: off CPU
	ran   []clock.Duration
	taken []int64
}

func (c *ticksCharged) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Created:
		for int(e.Thread) >= len(c.on) {
			c.on = append(c.on, -1)
			c.ran = append(c.ran, 0)
			c.taken = append(c.taken, 0)
		}
	case trace.On:
		c.on[e.Thread] = e.At
	case trace.Off:
		c.ran[e.Thread] += e.At.Sub(c.on[e.Thread])
		c.on[e.Thread] = -1
	default:
	}
}

// take returns the ticks charged since it was last asked.
func (c *ticksCharged) take(id sched.ThreadID, now clock.Time, tick clock.Duration) int64 {
	ran := c.ran[id]
	if c.on[id] >= 0 {
		ran += now.Sub(c.on[id])
	}
	total := int64(ran / tick)
	n := total - c.taken[id]
	c.taken[id] = total
	return n
}

// mpRun collects what the rows of kind mp show.
type mpRun struct {
	*machineRun
	time    *stats.CPUTime
	load    *stats.SolarisLoad
	ran     ticksCharged
	waiting int
	sample  int
	csw     int64
	icsw    int64
	migr    int64
	events  []mpEvent
	last    [3]clock.Duration
}

type mpEvent struct {
	T   int64  `json:"t"`
	Ev  string `json:"ev"`
	Th  int    `json:"th"`
	CPU int    `json:"cpu"`
	Pri int    `json:"pri"`
}

// Observe implements trace.Observer.
func (m *mpRun) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Second:
		m.sample = m.waiting
	case trace.Woke:
		m.waiting++
		if e.Cause == sched.Woken {
			m.note("wake", e, -1)
		}
	case trace.Off:
		switch e.Cause {
		case sched.Blocked:
			m.note("sleep", e, int(e.CPU))
		case sched.Exited:
		default:
			m.waiting++
		}
	case trace.On:
		m.waiting--
		m.csw++
		if int64(e.CPU) != e.A {
			m.migr++
		}
		m.note("on", e, int(e.CPU))
	case trace.Idle:
		m.csw++
	case trace.Preempt:
		m.icsw++
	default:
	}
}

func (m *mpRun) note(ev string, e *trace.Event, cpu int) {
	m.events = append(m.events, mpEvent{T: int64(e.At) / int64(10*clock.Millisecond), Ev: ev, Th: int(e.Thread), CPU: cpu, Pri: int(e.Pri)})
}

func verifyMP(h *header, rows *rowReader) error {
	m := &mpRun{time: stats.NewCPUTime(h.NCPU)}
	m.load = stats.NewSolarisLoad(m.time, h.NCPU)
	if h.LoadAvg != nil {
		if err := golden.Within("idle_seconds_before", int64(h.LoadAvg.Idle), 0, golden.MaxTicks); err != nil {
			return err
		}
		m.load.Booted(h.LoadAvg.Idle)
	}
	r, err := build(h, m.time, m.load, &m.ran, m)
	if err != nil {
		return err
	}
	m.machineRun = r
	kept := 0
	flush := func() error {
		for _, ev := range m.events {
			if ev.Ev != "fork" {
				// The thread of the once-a-second updates is not recorded.
				id, user := r.threads[sched.ThreadID(ev.Th)]
				if !user || kept >= h.Rows.MaxEvents {
					continue
				}
				kept++
				ev.Th = id
			}
			if err := rows.expect(ev); err != nil {
				return err
			}
		}
		m.events = m.events[:0]
		return nil
	}
	if err := flush(); err != nil {
		return err
	}
	for tick := 1; tick <= h.Ticks; tick++ {
		if err := r.e.AdvanceTo(clock.Time(tick) * clock.Time(r.e.Tick())); err != nil {
			return err
		}
		if child, fork := r.forkDue(tick); fork {
			parent := r.byID[h.Forks.Parent]
			m.events = append(m.events, mpEvent{int64(tick), "fork", child, parent.CPU, r.p.Priority(parent)})
			if err := r.fork(); err != nil {
				return err
			}
		}
		if err := flush(); err != nil {
			return err
		}
		if h.rowDue(tick) {
			if err := rows.expect(m.second(tick / h.HZ)); err != nil {
				return err
			}
		}
	}
	return nil
}

// second is the row of one second, with its keys as recorded.
func (m *mpRun) second(s int) map[string]any {
	now, tick := m.e.Now(), m.e.Tick()
	var used [3]int64
	for mode := range used {
		var total clock.Duration
		for c := range m.h.NCPU {
			total += m.time.Time(c, trace.CPUMode(mode), now)
		}
		used[mode] = int64((total - m.last[mode]) / tick)
		m.last[mode] = total
	}
	all := used[0] + used[1] + used[2]
	percent := func(n int64) json.Number { return json.Number(fmt.Sprintf("%.4f", 100*float64(n)/float64(all))) }
	av := m.load.Avenrun()
	text := make([]string, 3)
	for i, a := range av {
		text[i] = stats.LoadText(a)
	}
	row := map[string]any{
		"s": s, "runque_sample": m.sample,
		"user_ticks": used[trace.UserMode], "sys_ticks": used[trace.SystemMode], "idle_ticks": used[trace.IdleMode],
		"us": percent(used[trace.UserMode]), "id": percent(used[trace.IdleMode]),
		"hp_avenrun": m.load.HP(), "avenrun": av, "uptime": strings.Join(text, ", "),
		"csw": m.csw, "icsw": m.icsw, "migr": m.migr,
	}
	m.csw, m.icsw, m.migr = 0, 0, 0
	if m.h.Rows.Detail == "full" {
		m.fill(row, now, tick)
	}
	return row
}

func (m *mpRun) fill(row map[string]any, now clock.Time, tick clock.Duration) {
	var ticks []int64
	var pri []int
	for _, id := range sortedIDs(m.ids) {
		t := m.byID[id]
		ticks = append(ticks, m.ran.take(t.ID, now, tick))
		pri = append(pri, m.p.Priority(t))
	}
	var cores []int
	for _, ids := range m.e.Machine().Cores {
		n := 0
		for _, c := range ids {
			if m.e.CPUs()[c].Thread != nil {
				n++
			}
		}
		cores = append(cores, n)
	}
	row["ticks"], row["pri"], row["run"], row["core_nrun"] = ticks, pri, m.running(), cores
}
