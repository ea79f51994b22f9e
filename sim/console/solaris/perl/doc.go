// Package perl reads one-liners of Perl and makes of them what the simulated
// machine runs: a workload of forking, spinning, sleeping and exiting. It follows
// a small part of the language, by what a script does and not by how it is
// written, and refuses the rest in a sentence.
//
// A script runs here symbolically, before any time passes: numbers and arguments
// are known, and the one thing that is not, what fork returns, is followed both
// ways: the child's program is what follows with 0, the parent's what follows with
// a process id. A state of the script that comes again closes a loop.
package perl

import "strandscope/sim/clock"

// ForkWork is what a fork costs before it happens, as in the scenario of the tip's
// one-liner. A model.
const ForkWork = 2 * clock.Millisecond

// Bounds of a script.
const (
	maxScript = 10_000    // bytes
	maxNest   = 100       // blocks and brackets in each other
	maxCode   = 50_000    // operations
	maxSteps  = 2_000_000 // operations run, all processes together
	maxChain  = 2_000     // generations of processes
	maxNumber = 1 << 53   // beyond it Perl's numbers are not exact either
)
