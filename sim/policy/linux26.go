//go:build !js || full

package policy

import (
	"strandscope/sim/clock"
	shell "strandscope/sim/console/linux22"
	"strandscope/sim/engine"
	"strandscope/sim/policy/linux26"
	"strandscope/sim/policy/linuxcfs"
	"strandscope/sim/policy/linuxo1"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// The shells of these kernels are 2.2's, with names of their own.
var (
	shell2624 = shell.Box("2.6.24", "2.6.24 #1 SMP x86_64", "Linux version 2.6.24 #1 SMP x86_64\n")
	shell2622 = shell.Box("2.6.22", "2.6.22.6 #1 SMP x86_64", "Linux version 2.6.22.6 #1 SMP x86_64\n")
)

// linux2622 is the last kernel with the O(1) scheduler.
var linux2622 = Kernel{
	ID: "linux-2.6.22", Title: "Linux 2.6.22 · O(1)", HZ: linux26.HZ, Vmstat: stats.LinuxVmstat, Shell: shell2622,
	Classes: []Class{
		{"OTHER", "OTHER — two arrays", "The best of 40 priorities, which move by five with how much a task sleeps; when its slice is up it waits for all others."},
		{"FIFO", "FIFO — real time", "Above every ordinary task, without a slice."},
		{"RR", "RR — real time", "As FIFO, but equal tasks take turns; slices go by nice value."},
	},
	New: func(s *scenario.Scenario) (sched.Policy, error) {
		return linuxo1.New(s.Scheduler.DefaultClass), nil
	},
	NewLoad: func(_ *stats.CPUTime, _ int) stats.LoadAverage {
		return stats.NewLinux26Load(clock.Second/linux26.HZ, 5*linux26.HZ)
	},
	Configure: configureLinux26,
	ClassOf:   realtimeClass,
}

// configureLinux26 sets the clock interrupts. Every CPU has its tick and its timers,
// all in one instant, by id: the order of the recorded data.
func configureLinux26(cfg *engine.Config) {
	cfg.Timing, cfg.OwnTimers = engine.Local, true
	cfg.SleepTicks = sleepTicks1000
}

// sleepTicks1000 is how many ticks of 1 ms a sleep takes: rounded up, and one more
// (msleep, poll).
func sleepTicks1000(d clock.Duration) int64 {
	return int64((d+clock.Millisecond-1)/clock.Millisecond) + 1
}

// linux2624 is the first kernel whose CFS was measured.
var linux2624 = Kernel{
	ID: "linux-2.6.24", Title: "Linux 2.6.24 · CFS", HZ: linux26.HZ, Vmstat: stats.LinuxVmstat, Shell: shell2624,
	Classes: []Class{
		{"OTHER", "OTHER — completely fair", "Who has received the least virtual time runs next; it passes faster the higher the nice value is."},
		{"FIFO", "FIFO — real time", "Above every ordinary task, without a slice."},
		{"RR", "RR — real time", "As FIFO, but equal tasks take turns of 100 ms."},
	},
	New: func(s *scenario.Scenario) (sched.Policy, error) {
		return linuxcfs.New(s.Scheduler.DefaultClass), nil
	},
	NewLoad: func(_ *stats.CPUTime, _ int) stats.LoadAverage {
		return stats.NewLinux26Load(clock.Second/linux26.HZ, 5*linux26.HZ+1)
	},
	Configure: configureLinux26,
	ClassOf:   realtimeClass,
}
