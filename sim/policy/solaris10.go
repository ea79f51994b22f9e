package policy

import (
	"fmt"

	shell "strandscope/sim/console/solaris"
	"strandscope/sim/engine"
	"strandscope/sim/policy/solaris"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// bootedSeconds is how long a machine has idled before a scenario begins, for
// the load average: its ring of ten seconds is full of zeros.
const bootedSeconds = 20

var solaris10 = Kernel{
	ID: "solaris10", Title: "Solaris 10", Timing: engine.Clock, HZ: solaris.HZ, SleepOnTicks: true, Vmstat: stats.SolarisVmstat,
	Shell: shell.System, Microstates: true,
	Classes: []Class{
		{scenario.Unset, "not set", "dispadmin -d says that no default class is set. The kernel then uses TS; what the tip saw needs an explanation."},
		{"TS", "TS — time sharing", "Priority falls with CPU use and rises again after waiting or sleeping."},
		{"FSS", "FSS — fair share", "Projects own the machine by their shares; what a project used weighs against it."},
		{"FX", "FX — fixed priority", "Priorities stay where they were put; equal ones take turns."},
		{"IA", "IA — interactive", "TS with a boost of 10 for the window in focus."},
		{"RT", "RT — real time", "Above everything else on the machine, kernel threads included."},
	},
	New: func(s *scenario.Scenario) (sched.Policy, error) {
		d := &s.Scheduler
		o := solaris.Options{
			DefaultClass: d.DefaultClass,
			ClockCost:    d.Costs.ClockTick,
			DeviceCost:   d.Costs.Devices,
		}
		for _, t := range d.Tables {
			parsed, err := solaris.ParseDispadmin(t.Text)
			if err == nil {
				err = parsed.Apply(t.Class, &o)
			}
			if err != nil {
				return nil, fmt.Errorf("scheduler.dispatch_tables.%s: %w", t.Class, err)
			}
		}
		for _, z := range d.Zones {
			o.Zones = append(o.Zones, solaris.Zone{ID: z.ID, Shares: z.Shares})
		}
		for _, p := range d.Projects {
			o.Projects = append(o.Projects, solaris.Project{
				ID: sched.GroupID(p.ID), Name: p.Name, Shares: p.Shares, Zone: p.Zone,
			})
		}
		return solaris.New(o), nil
	},
	NewLoad: func(time *stats.CPUTime, cpus int) stats.LoadAverage {
		l := stats.NewSolarisLoad(time, cpus)
		l.Booted(bootedSeconds)
		return l
	},
}
