// Package sched is the contract between the engine, which owns time, and a
// scheduling policy, which decides who runs where. It holds types and no logic.
//
// Custody: from Enqueue to Pick the policy has the thread, then the CPU has it.
// Only running threads block or exit. A policy writes no field of Thread or
// CPU; its private data lives in a Table indexed by thread id.
//
// It imports sim/clock and sim/machine only.
package sched
