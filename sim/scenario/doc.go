// Package scenario reads one JSON document that says everything about a run:
// machine, scheduler, workload, commands, seed, source. It is an rt-app
// workload file with a few more objects (comments, trailing commas and repeated
// members are accepted, members keep their order), so existing files open
// unchanged. Unknown keys are errors that name the path of the key and the
// nearest one that exists.
//
// It holds data only: it imports sim/clock, sim/machine, sim/sched and
// sim/workload, never a policy or the engine. The built-in scenarios are
// library/*.json in the order of library.go.
package scenario
