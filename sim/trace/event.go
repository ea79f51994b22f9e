package trace

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Kind is what happened. Values are part of the digest: append only.
type Kind uint8

// The kinds of events. CPU, Thread and Other are as stated; where a field is
// not mentioned it is NoCPU or None.
const (
	// Created: Thread exists now; Other is its parent if it was forked.
	Created Kind = iota + 1
	// Woke: Thread became runnable; CPU is where the waking code ran.
	Woke
	// Queued: Thread waits at CPU (NoCPU: at a shared queue); Cause says why.
	Queued
	// On: Thread was switched onto CPU; Other was there before (None: idle).
	On
	// Off: Thread left CPU; Cause says why.
	Off
	// Idle: CPU was switched to its idle loop; Other was there before.
	Idle
	// Preempt: Thread was made to give CPU up. The same thread may be picked
	// again: then neither Off nor On follows.
	Preempt
	// Mode: CPU changed what its time is counted as; A is the new CPUMode.
	Mode
	// Second: a whole second begins, before anything else of its tick.
	Second
	// Charged: A ns of kernel work were charged to CPU.
	Charged
	// Note: the policy reports something about Thread; Why says what.
	Note
	// Changed: CPU moved to processor set A; −1: it went off-line.
	Changed

	// NumKinds is one more than the last kind.
	NumKinds = iota + 1
)

var kindNames = [...]string{
	"", "created", "woke", "queued", "on", "off", "idle", "preempt", "mode", "second", "charged", "note", "changed",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// CPUMode is what a CPU's time is counted as.
type CPUMode uint8

// The modes of a CPU.
const (
	IdleMode CPUMode = iota
	UserMode
	SystemMode
)

func (m CPUMode) String() string { return [...]string{"idle", "user", "system"}[m] }

// Event is one thing that happened. It holds no pointers, so that millions can
// be kept and compared. A run is its events.
type Event struct {
	At     clock.Time
	Kind   Kind
	Cause  sched.Cause
	CPU    int16
	Pri    int16 // Thread's global priority after the event; -1 without one
	Thread sched.ThreadID
	Other  sched.ThreadID
	Why    sched.Reason
	A      int64 // see Kind
}

// Observer folds events. It cannot touch the engine.
type Observer interface{ Observe(e *Event) }

// Kinds is a set of kinds.
type Kinds uint32

// Of is the set of some kinds.
func Of(kinds ...Kind) Kinds {
	var s Kinds
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Has reports whether a kind is in the set.
func (s Kinds) Has(k Kind) bool { return s&(1<<k) != 0 }

// Chooser is an Observer that need not be told of events of other kinds: to it they are
// nothing. Who has another observer within must not inherit its choice.
type Chooser interface{ Kinds() Kinds }

// Digest is a running 64-bit hash over every field of every event, equal on
// all processors and in the browser. It is FNV-1a over 64-bit words instead of
// octets, with a final shift-multiply so that late events reach all bits.
type Digest struct{ h uint64 }

// Observe adds an event.
func (d *Digest) Observe(e *Event) {
	const prime = 0x100000001b3
	h := d.h
	if h == 0 {
		h = 0xcbf29ce484222325
	}
	h = (h ^ uint64(e.At)) * prime
	h = (h ^ (uint64(e.Kind) | uint64(e.Cause)<<8 | uint64(uint16(e.CPU))<<16 | uint64(uint16(e.Pri))<<32)) * prime
	h = (h ^ (uint64(uint32(e.Thread)) | uint64(uint32(e.Other))<<32)) * prime
	h = (h ^ (uint64(e.Why.Code) | uint64(uint32(e.Why.A))<<16)) * prime
	h = (h ^ uint64(uint32(e.Why.B))) * prime
	h = (h ^ uint64(e.A)) * prime
	d.h = h ^ h>>29
}

// Sum returns the digest so far.
func (d *Digest) Sum() uint64 {
	h := d.h
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return h ^ h>>32
}
