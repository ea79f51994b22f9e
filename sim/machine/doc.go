// Package machine describes hardware as data: a tree of chips, cores,
// pipelines and strands, and the questions the rest of the program asks of it.
//
// The words: a strand is one hardware thread and one CPU as Solaris and Linux
// number them; a pipeline issues the instructions of the strands below it; a
// core holds one or more pipelines and the first-level caches.
//
// It imports nothing of the project. Sources: shared/reference/solaris/FACTS.md
// §11 (UltraSPARC T1, T2) and the two documents the product brings to life.
package machine
