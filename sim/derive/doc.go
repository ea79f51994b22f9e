// Package derive makes a workload of a recording: what each thread computes, what makes it
// sleep and who wakes it, where it may run and how urgent it is. The workload is a
// scenario document, so that it can be saved, changed, linked and run under any kernel and
// on any machine here.
//
// How far that may be trusted is measured before it is used. Driven asks a model of the
// recorded kernel for each recorded decision; Compare sets the derived run under the same
// kernel beside the recording.
//
// # What is derived, and how
//
// Computing is the time on a CPU between two moments at which a thread blocks, wakes
// another or forks. A thread that leaves its CPU able to go on was interrupted, which is
// the scheduler's doing and not the workload's. A wake-up from thread code is a
// semaphore that the waker posts; one from an interrupt, as the recording's flags or an
// idle CPU tell, comes at its recorded time, or the recorded time after the thread began
// to sleep (Options.Relative). Without flags a wake-up is taken to be a thread's if nearly
// all of a thread's wake-ups come from one that blocks as well. What is left when the
// recording ends is unknown: who could run goes on for ever, who slept does not wake.
//
// Tasks of a recording share nothing else here: no locks, pipes or priorities that are
// lent; a different schedule changes when interrupts come only with Options.Relative.
package derive
