// Package clock holds simulated time: the Time type, the ordered event queue
// and seeded random streams.
//
// It imports nothing of the project and never reads a wall clock. The order of
// events is a value (Key), not an accident of insertion: two events are
// compared by time, then by Order (which kind of thing happens first within
// one instant), then by a tie number that the caller chooses (a thread id, a
// CPU id), then by sequence.
package clock
