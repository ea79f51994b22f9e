// Package recorded makes a run of a recording that sim/record has read: the same events,
// observers and Frames as a simulated run has, so that timeline, latencies, waits,
// utilisation and load average are those of what was recorded.
//
// A Run goes over the recording's index, forwards in slices, back by beginning again. It
// decides nothing: where a recording has gaps it is bridged, and Bridged tells how often
// and how. Threads that could run when the recording began count as runnable from its
// beginning on.
//
// It imports sim and what lies below it, but no policy: it is for programs that the page
// fetches for recordings only.
//
// # What a recording does not tell
//
// The load average begins at zero and samples first 1251 ticks after the beginning,
// unless Options say otherwise. A sleeper of Linux 6.12 whose dequeue is delayed still
// counts in the kernel's load average; nothing recorded says which these are.
package recorded
