package policy

import (
	"strandscope/sim/clock"
	shell "strandscope/sim/console/linux22"
	"strandscope/sim/engine"
	"strandscope/sim/policy/linux22"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// defaultEvaluation is what one goodness evaluation, or one task's
// recalculation, costs where a scenario does not say: what the mail's 0.1 % of
// one CPU comes to (shared/reference/linux22/FACTS.md §15). A model.
const defaultEvaluation = 200 * clock.Nanosecond

// linux22Kernel is Linux 2.2: old is 2.2.7, else 2.2.8-pre5.
func linux22Kernel(id, title string, old bool) Kernel {
	system := shell.System
	if old {
		system = shell.Old
	}
	return Kernel{
		ID: id, Title: title, HZ: linux22.HZ, Vmstat: stats.LinuxVmstat, Shell: system,
		Classes: []Class{
			{"OTHER", "OTHER — goodness", "The task with the most ticks left, plus its priority, plus a bonus for the CPU it ran on last."},
			{"FIFO", "FIFO — real time", "Above every ordinary task, without a slice."},
			{"RR", "RR — real time", "As FIFO; in this kernel equal tasks do not take turns."},
		},
		New: func(s *scenario.Scenario) (sched.Policy, error) {
			cost := s.Scheduler.Costs.Evaluation
			if !s.Scheduler.Costs.Given {
				cost = defaultEvaluation
			}
			return linux22.New(linux22.Options{
				DefaultClass: s.Scheduler.DefaultClass, Old: old, UP: len(s.Machine.CPUs) == 1, EvaluationCost: cost, RecalculationCost: cost,
			}), nil
		},
		NewLoad: func(_ *stats.CPUTime, _ int) stats.LoadAverage {
			return stats.NewLinuxLoad(clock.Second / linux22.HZ)
		},
		Configure: configureLinux22,
		ClassOf:   realtimeClass,
	}
}

// configureLinux22 sets the clock interrupts. A kernel for one CPU charges in the
// timer interrupt; on SMP each CPU has a tick of its own, whose phase comes from
// when it booted. The kernel neither aligns nor staggers them; the model spreads
// them evenly, so that none coincides with the timer chip's.
func configureLinux22(cfg *engine.Config) {
	cfg.NewestFirst = true
	cfg.SleepTicks = jiffies
	n := len(cfg.Machine.CPUs)
	if n == 1 {
		cfg.Timing = engine.Clock
		return
	}
	cfg.Timing = engine.Local
	tick := clock.Second / clock.Duration(cfg.HZ)
	for c := range n {
		cfg.LocalPhase = append(cfg.LocalPhase, tick*clock.Duration(c+1)/clock.Duration(n+1))
	}
}

// jiffies is how many clock ticks a sleep takes.
func jiffies(d clock.Duration) int64 {
	return linux22.NanosleepJiffies(int64(d/clock.Second), int64(d%clock.Second))
}

// realtimeClass is the class that a task asks for on Linux.
func realtimeClass(t *scenario.Task) string {
	if t.Realtime != "" {
		return t.Realtime
	}
	return t.Class
}
