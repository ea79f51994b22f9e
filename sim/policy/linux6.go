//go:build !js || full

package policy

import (
	"strandscope/sim/clock"
	shell "strandscope/sim/console/linux22"
	"strandscope/sim/engine"
	"strandscope/sim/policy/linux6"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

var linux6Classes = []Class{
	{"OTHER", "OTHER — fair shares", "Each gets CPU time in proportion to its weight, which follows from nice."},
	{"BATCH", "BATCH — for long jobs", "As OTHER, but it never preempts as it wakes."},
	{"IDLE", "IDLE — for what is left", "A weight of 3; everyone else who wakes preempts it."},
	{"FIFO", "FIFO — real time", "Above every ordinary task, without a slice."},
	{"RR", "RR — real time", "As FIFO; equal tasks take turns of 100 ms."},
}

// linux6Kernel is Linux 6: CFS in 6.1, EEVDF in 6.12 and 6.18.
func linux6Kernel(id, title, release string, v linux6.Version) Kernel {
	return Kernel{
		ID: id, Title: title, Timing: engine.Hires, HZ: linux6.HZ, Vmstat: stats.LinuxVmstat, Shell: shell.Later(release),
		Slices:  v != linux6.V61,
		Lags:    true,
		Classes: linux6Classes,
		New: func(s *scenario.Scenario) (sched.Policy, error) {
			return linux6.New(linux6.Options{Version: v, DefaultClass: s.Scheduler.DefaultClass}), nil
		},
		NewLoad: func(_ *stats.CPUTime, _ int) stats.LoadAverage {
			return stats.NewLinux6Load(clock.Second/linux6.HZ, linux6.NoteDelayed, linux6.NoteAwake, linux6.NoteDequeued)
		},
		ClassOf: func(t *scenario.Task) string {
			switch {
			case t.Realtime != "":
				return t.Realtime
			case t.Mild != "":
				return t.Mild
			}
			return t.Class
		},
	}
}
