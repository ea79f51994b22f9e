// Package stats holds the observers: folds over a run's events that keep the
// figures which vmstat, uptime, plots and tables show, with each kernel's own
// arithmetic. They read events only, so they work on a recorded trace too.
//
// It imports sim/clock, sim/machine, sim/sched and sim/trace.
package stats
