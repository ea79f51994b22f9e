// Package console is the shell of the simulated machine: the command lines that
// an administrator types to look at it and to change it. The page's console,
// strandsim sh, a scenario's commands and the page's selectors all come through
// here, so that there is one place that says what may be asked and how.
//
// A Console reads lines (syntax.go, words.go), expands and runs them (expand.go,
// frames.go, exec.go) and keeps what they print (log.go). Commands act on the
// machine only through Machine. Time passes on the simulated clock while one
// waits: Poll lets everything go on that is due now, Next says when that will be
// again. Nothing here waits by itself, and all state is plain data, so that a run
// can be copied with its console in it.
//
// The commands of each kernel are in a package of its own below this one; those
// that every kernel has are here. A new command is one file and one line in its
// package's list.
package console
