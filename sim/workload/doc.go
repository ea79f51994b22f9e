// Package workload says, as data, what threads do: run for a while, sleep,
// fork, exit, over and over. The engine interprets it; nothing here knows
// about scheduling.
//
// It imports sim/clock only. The steps follow rt-app's events
// (shared/reference/real/RTAPP.md).
package workload
