package compare

import "strandscope/sim/clock"

// kinds are the rows of every table, in its order.
var kinds = []kind{
	{"busy", "strands busy now", "", "Strands that run a thread at this moment.", 0, func(f *Figures) Value { return Value{f.Busy, true} }},
	{"r", "waiting now (r)", "", "Threads that could run at this moment and have no strand: what vmstat counts as r.", 0, func(f *Figures) Value { return Value{f.Waiting, true} }},
	{"strands", "strand utilisation", "%", "Part of all strands' time that they were busy, since boot: what vmstat sees.", 1, func(f *Figures) Value { return ratio(f.BusyTime, f.OnlineTime, 1000) }},
	{"us", "user time (us)", "%", "Part of all strands' time spent in programs, since boot.", 1, func(f *Figures) Value { return ratio(f.UserTime, f.OnlineTime, 1000) }},
	{"sy", "system time (sy)", "%", "Part of all strands' time spent in the kernel, since boot.", 1, func(f *Figures) Value { return ratio(f.SystemTime, f.OnlineTime, 1000) }},
	{"cores", "core utilisation", "%", "Part of all cores' time in which at least one strand of the core was busy, since boot.", 1, func(f *Figures) Value { return ratio(f.BusyCoreTime, f.CoreTime, 1000) }},
	{"slots", "issue slots used now (model)", "%", "Part of the pipelines' issue slots that are used at this moment, by the model of how strands share a pipeline.", 1, func(f *Figures) Value { return Value{f.Slots, true} }},
	{"queue", "run queue, mean", "threads", "Threads that waited for a strand, averaged over time since boot.", 2, func(f *Figures) Value { return ratio(f.Waited, clock.Duration(f.Now), 100) }},
	{"load1", "load average, 1 min", "", "As uptime prints it.", 2, func(f *Figures) Value { return Value{f.Load[0], true} }},
	{"load5", "load average, 5 min", "", "As uptime prints it.", 2, func(f *Figures) Value { return Value{f.Load[1], true} }},
	{"load15", "load average, 15 min", "", "As uptime prints it.", 2, func(f *Figures) Value { return Value{f.Load[2], true} }},
	{"wakes", "wake-ups served", "", "Times that a thread was made runnable, by a wake-up or a fork, and then got a strand.", 0, func(f *Figures) Value { return Value{f.Wakes, true} }},
	{"p50", "wake-up latency, p50", "ms", "Half of the wake-ups got a strand within this time.", 3, func(f *Figures) Value { return f.latency(f.P50) }},
	{"p99", "wake-up latency, p99", "ms", "99 of 100 wake-ups got a strand within this time.", 3, func(f *Figures) Value { return f.latency(f.P99) }},
	{"switches", "context switches", "", "Times that a thread came onto a strand, since boot.", 0, func(f *Figures) Value { return Value{f.Switches, true} }},
	{"involuntary", "involuntary switches", "", "Times that a thread was taken off its strand though it wanted to go on.", 0, func(f *Figures) Value { return Value{f.Involuntary, true} }},
	{"moves", "migrations", "", "Times that a thread came onto another strand than its last one.", 0, func(f *Figures) Value { return Value{f.Moves, true} }},
	{"waited", "time waited, all threads", "s", "Time in which threads could run and had no strand, added up.", 3, func(f *Figures) Value { return in(f.Waited, clock.Millisecond) }},
	{"idle", "idle while work waits", "strand s", "Time in which strands idled while some thread waited, added up over strands.", 3, func(f *Figures) Value { return in(f.IdleBeside, clock.Millisecond) }},
	{"work", "work done (model)", "CPU s", "Progress of all threads, in seconds of a thread that has its pipeline to itself.", 3, func(f *Figures) Value { return in(f.Work, clock.Millisecond) }},
	{"rate", "work done per second (model)", "CPU s", "Work done divided by the time since boot.", 2, func(f *Figures) Value { return ratio(f.Work, clock.Duration(f.Now), 100) }},
}

func (f *Figures) latency(d clock.Duration) Value {
	v := in(d, clock.Microsecond)
	v.Known = f.Wakes > 0
	return v
}
