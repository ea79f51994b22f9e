package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// Why the policy decided as it did. Values are part of the digest: append only.
const (
	// Placement.
	whyOnlyCPU uint16 = iota + 1
	whyBound
	whyStays
	whyIdleFound
	whyLowest
	whyBalanced
	whyShorterQueue
	whyFront
	whyKernelQueue
	// Picking.
	whyBestOwn
	whyStolen
	whyNothing
	whyAllBound
	// Changes of priority.
	whyQuantumUsed
	whyLifted
	whyShares
)

// Explain puts a reason into one sentence that names the kernel's function.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case whyOnlyCPU:
		return "There is only one CPU."
	case whyBound:
		return fmt.Sprintf("It is bound to cpu%d and is queued nowhere else (setbackdq).", r.A)
	case whyStays:
		if r.B > 1000 {
			return fmt.Sprintf("It stays on cpu%d, where it is running (cpu_choose).", r.A)
		}
		return fmt.Sprintf("It stays with cpu%d, which it left %d ticks ago: up to 3 ticks its cache is thought warm (cpu_choose).", r.A, r.B)
	case whyIdleFound:
		return fmt.Sprintf("An idle strand was free: cpu%d had nothing running and nothing queued (disp_lowpri_cpu).", r.A)
	case whyLowest:
		return fmt.Sprintf("No strand was idle; cpu%d ran the lowest priority, %d (disp_lowpri_cpu).", r.A, r.B)
	case whyBalanced:
		return fmt.Sprintf("Its core ran %d strands, the core of cpu%d only %d: it was placed on an idle strand there (cmt_balance).", r.B>>16, r.A, r.B&0xffff)
	case whyShorterQueue:
		return fmt.Sprintf("The queue of cpu%d was longer at its priority than that of the next strand, cpu%d (setbackdq).", r.B, r.A)
	case whyFront:
		return fmt.Sprintf("It was preempted with quantum left and waits first in line at cpu%d (setfrontdq).", r.A)
	case whyKernelQueue:
		return fmt.Sprintf("Real-time priority %d waits in the queue of the whole processor set (setkpdq).", r.A)
	case whyBestOwn:
		if r.B == 1 {
			return fmt.Sprintf("It was alone in this strand's dispatch queue, at priority %d (disp).", r.A)
		}
		return fmt.Sprintf("It was first at the best priority, %d, of %d in this strand's dispatch queue (disp).", r.A, r.B)
	case whyStolen:
		return fmt.Sprintf("The strand had nothing of its own and took the best waiting thread, priority %d, from cpu%d (disp_getwork).", r.B, r.A)
	case whyNothing:
		return "Its dispatch queue is empty and no strand of its processor set has a thread to give (disp_getwork)."
	case whyAllBound:
		return fmt.Sprintf("What waits at cpu%d is bound to it (disp_getbest).", r.A)
	case whyQuantumUsed:
		if r.A == r.B {
			return fmt.Sprintf("It used up its quantum and stays at level %d.", r.A)
		}
		return fmt.Sprintf("It used up its quantum: level %d → %d.", r.A, r.B)
	case whyLifted:
		return fmt.Sprintf("It waited for a second without getting enough: priority %d → %d (ts_update).", r.A, r.B)
	case whyShares:
		return fmt.Sprintf("Usage was weighed by shares: priority %d → %d (fss_update).", r.A, r.B)
	}
	return ""
}

// Source implements sched.Sourcer.
func (p *Policy) Source(r sched.Reason) string {
	switch r.Code {
	case whyOnlyCPU, whyBound, whyShorterQueue:
		return "disp.c: setbackdq"
	case whyStays:
		return "disp.c: cpu_choose"
	case whyIdleFound, whyLowest:
		return "disp.c: disp_lowpri_cpu"
	case whyBalanced:
		return "cmt_policy.c: cmt_balance"
	case whyFront:
		return "disp.c: setfrontdq"
	case whyKernelQueue:
		return "disp.c: setkpdq"
	case whyBestOwn:
		return "disp.c: disp"
	case whyStolen, whyNothing:
		return "disp.c: disp_getwork"
	case whyAllBound:
		return "disp.c: disp_getbest"
	case whyLifted:
		return "ts.c: ts_update"
	case whyShares:
		return "fss.c: fss_update"
	}
	return "" // several classes end quanta, each in its own tick
}
