// Package trace defines what a run leaves behind: a sequence of fixed-size
// events. Everything that is shown or counted is a fold over them (Observer);
// nobody else reads the engine, so the same code can read a recorded trace.
//
// Lines, Perfetto and Ftrace write a run down. The page's program never uses them:
// cmd/strandtool does there.
//
// It imports sim/clock and sim/sched, and sim/jsonc for what is JSON, only.
package trace
