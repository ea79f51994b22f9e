// Package trace defines what a run leaves behind: a sequence of fixed-size
// events. Everything that is shown or counted is a fold over them (Observer);
// nobody else reads the engine, so the same code can read a recorded trace.
//
// It imports sim/clock and sim/sched only.
package trace
