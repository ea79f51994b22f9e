// Package engine is the physics: time passes, bursts of computing end, CPUs
// switch, strands share a pipeline. It knows nothing of queues or priorities;
// it asks a sched.Policy and tells observers what happened.
//
// It owns time, events, bursts, modes, thread states and switches. It imports
// sim/clock, sim/machine, sim/sched, sim/trace and sim/workload, never a
// policy.
//
// # One instant
//
// Every event has a place in the total order of clock.Key. What happens at one
// instant depends on the Timing, which is data:
//
//   - Clock (Solaris): the clock interrupt charges all CPUs by id, bursts that
//     end are noted, due sleepers wake by id, timers run; then all CPUs are
//     served by id until nothing changes.
//   - Local (Linux SMP): timers and wakes on the clock's CPU, then each CPU's
//     own tick; CPUs are served after each, in the order they were kicked. With
//     Config.OwnTimers (2.6) a CPU's sleepers wake after its own tick instead.
//   - Precise: each event alone; CPUs are served after each.
//   - Unison (textbooks): all that happens at one instant happens before any
//     CPU decides: bursts and slices end, timers run, threads start by id, sleepers
//     wake; then CPUs are served. A slice that ends with its burst is not told.
//   - Hires (Linux with high-resolution timers): bursts end, each settled; then, as one
//     interrupt, threads start, sleepers wake in the order in which they went to sleep,
//     each on the CPU where it did, and all CPUs have their ticks by id; then CPUs are
//     served. The conventions are those of shared/reference/linux6/README.md.
//
// Serving a CPU takes no time: it leaves its idle loop, finishes a kernel exit,
// blocks, or takes the trap that was asked for, until it has nothing more to
// do. The conventions for Clock are those of shared/reference/solaris/README.md
// ("Conventions of the driver" 2, 3, 7, 10, 11).
package engine
