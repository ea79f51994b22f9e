//go:build js && faulty

// The program with kernels that break: for the test that the page says so. No program
// that is given out is built with this tag.

package main

import (
	"strandscope/sim/clock"
	"strandscope/sim/policy"
	"strandscope/sim/policy/fcfs"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
)

// faulty is first come, first served until breakAt.
type faulty struct {
	*fcfs.Policy
	kernel sched.Kernel
	how    string
	first  *sched.Thread
}

const breakAt = clock.Time(3 * clock.Second)

func init() {
	for _, how := range []string{"pick", "history", "picture"} {
		k, err := policy.Find(scenario.BookKernels + "fcfs")
		if err != nil {
			panic(err)
		}
		makeGood := k.New
		k.ID = "faulty-" + how
		k.New = func(s *scenario.Scenario) (sched.Policy, error) {
			p, err := makeGood(s)
			if err != nil {
				return nil, err
			}
			return &faulty{Policy: p.(*fcfs.Policy), how: how}, nil
		}
		policy.Kernels = append(policy.Kernels, k)
	}
}

// Boot implements sched.Policy.
func (f *faulty) Boot(k sched.Kernel) error {
	f.kernel = k
	return f.Policy.Boot(k)
}

// Enqueue implements sched.Policy.
func (f *faulty) Enqueue(t *sched.Thread, why sched.Cause) {
	if f.first == nil {
		f.first = t
	}
	f.Policy.Enqueue(t, why)
}

// Pick implements sched.Policy.
func (f *faulty) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	t, why := f.Policy.Pick(c)
	if f.kernel.Now() >= breakAt {
		switch f.how {
		case "pick":
			return f.first, why // who sleeps, ran to its end, or runs elsewhere
		case "history":
			f.kernel.Place(f.first, c, why)
		}
	}
	return t, why
}

// Queues implements sched.Inspector.
func (f *faulty) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	if f.how == "picture" && f.kernel.Now() >= breakAt {
		panic("the picture asks for a queue that is gone")
	}
	f.Policy.Queues(visit)
}
