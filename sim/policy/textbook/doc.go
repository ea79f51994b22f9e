// Package textbook is what the textbook policies have in common: one queue in the
// order of keys, served by any number of CPUs, and the words for their decisions.
// The policies themselves are folders beside it, each by the rules of
// shared/reference/textbook/FACTS.md; their data are replayed row by row by
// package sim/golden/textbook.
//
// They run in the engine's Unison timing: what happens at one instant happens
// before anybody decides, as in books, where a job that arrives at t is known to
// a decision at t.
//
// It imports sim/clock, sim/machine and sim/sched only.
package textbook
