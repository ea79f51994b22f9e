package trace_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

func digest(events ...trace.Event) uint64 {
	var d trace.Digest
	for i := range events {
		d.Observe(&events[i])
	}
	return d.Sum()
}

func TestEveryFieldOfEveryEventCountsInTheDigest(t *testing.T) {
	base := trace.Event{
		At: 5, Kind: trace.On, Cause: sched.Woken, CPU: 3, Pri: 59, Thread: 7, Other: 8, Why: sched.Reason{Code: 1, A: 2, B: 3}, A: 4,
	}
	seen := map[uint64]string{digest(base): "nothing"}
	for name, change := range map[string]func(e *trace.Event){
		"At":        func(e *trace.Event) { e.At++ },
		"Kind":      func(e *trace.Event) { e.Kind++ },
		"Cause":     func(e *trace.Event) { e.Cause++ },
		"CPU":       func(e *trace.Event) { e.CPU++ },
		"no CPU":    func(e *trace.Event) { e.CPU = -1 },
		"Pri":       func(e *trace.Event) { e.Pri++ },
		"no Pri":    func(e *trace.Event) { e.Pri = -1 },
		"Thread":    func(e *trace.Event) { e.Thread++ },
		"no Thread": func(e *trace.Event) { e.Thread = sched.None },
		"Other":     func(e *trace.Event) { e.Other++ },
		"Code":      func(e *trace.Event) { e.Why.Code++ },
		"Why.A":     func(e *trace.Event) { e.Why.A = -2 },
		"Why.B":     func(e *trace.Event) { e.Why.B = -3 },
		"A":         func(e *trace.Event) { e.A = -4 },
		"swapped":   func(e *trace.Event) { e.Thread, e.Other = e.Other, e.Thread },
	} {
		e := base
		change(&e)
		sum := digest(e)
		assert.NotContains(t, seen, sum, "%s changes nothing", name)
		seen[sum] = name
	}
}

func TestTheOrderAndNumberOfEventsCountInTheDigest(t *testing.T) {
	a, b := trace.Event{At: 1, Kind: trace.Woke}, trace.Event{At: 1, Kind: trace.On}
	assert.NotEqual(t, digest(a, b), digest(b, a))
	assert.NotEqual(t, digest(a), digest(a, a))
	again := digest(a, b)
	assert.Equal(t, digest(a, b), again)
	var d trace.Digest
	d.Observe(&a)
	half := d.Sum()
	assert.Equal(t, half, d.Sum(), "asking does not change it")
	d.Observe(&b)
	assert.Equal(t, digest(a, b), d.Sum())
}

// Shared links and recorded digests depend on this value.
func TestTheDigestIsPinned(t *testing.T) {
	assert.Equal(t, uint64(0x605778342789b300), digest(
		trace.Event{At: 10, Kind: trace.Created, CPU: -1, Pri: -1, Thread: 0, Other: -1},
		trace.Event{At: 20, Kind: trace.On, Cause: sched.Woken, CPU: 31, Pri: 159, Thread: 0, Other: -1, Why: sched.Reason{Code: 3, A: -1, B: 1 << 30}, A: -1},
	))
}

func TestKindsAndModesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for k := trace.Created; k <= trace.Changed; k++ {
		assert.NotEmpty(t, k.String())
		assert.False(t, seen[k.String()], k.String())
		seen[k.String()] = true
	}
	assert.Equal(t, "unknown", trace.Kind(200).String())
	assert.Equal(t, []string{"idle", "user", "system"}, []string{trace.IdleMode.String(), trace.UserMode.String(), trace.SystemMode.String()})
}
