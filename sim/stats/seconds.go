package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// SecondRow is a second of a run in figures.
type SecondRow struct {
	At clock.Time // when it ended
	VmstatRow
	Load [3]int64 // 1/256 threads
	// Core is of that second and of all cores together.
	Core CoreSum
}

// BusyStrands and BusyCores are the means of that second, with three decimals.
func (r *SecondRow) BusyStrands() string { return Seconds(r.Core.Strands, 3) }

// BusyCores counts the cores with at least one busy strand.
func (r *SecondRow) BusyCores() string { return Seconds(r.Core.Busy, 3) }

// EachSecond calls back once a second. It must observe each event after what
// gives it the second's vmstat row and the load average.
type EachSecond struct {
	*CoreTime
	latest func() (VmstatRow, [3]int64)
	last   CoreSum
	do     func(SecondRow)
}

// NewEachSecond returns an observer over core accounts of its own.
func NewEachSecond(
	latest func() (VmstatRow, [3]int64), m *machine.Machine, cpi func(sched.ThreadID) machine.CPI, do func(SecondRow),
) *EachSecond {
	return &EachSecond{CoreTime: NewCoreTime(m, cpi), latest: latest, do: do}
}

// Observe implements trace.Observer.
func (s *EachSecond) Observe(e *trace.Event) {
	s.CoreTime.Observe(e)
	if e.Kind != trace.Second {
		return
	}
	var all CoreSum
	for core := range s.m.Cores {
		all = all.plus(s.Core(core, e.At), 1)
	}
	row, load := s.latest()
	s.do(SecondRow{At: e.At, VmstatRow: row, Load: load, Core: all.plus(s.last, -1)})
	s.last = all
}
