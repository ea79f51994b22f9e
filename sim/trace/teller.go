package trace

import "strandscope/sim/sched"

// Teller is whom an encoder asks for what events do not carry.
type Teller interface {
	// Thread returns a thread; it is only to be read.
	Thread(id sched.ThreadID) *sched.Thread
	// Explain puts a reason into a sentence; "" where it has none.
	Explain(why sched.Reason) string
}

// kernelPID is the process id under which traces show the kernel's own threads,
// which have none: 2, 3, … as on Linux; 0 is the idle loop there.
func kernelPID(id sched.ThreadID) int32 { return 2 + int32(id) }

func pid(t *sched.Thread) int32 {
	if t.PID == 0 {
		return kernelPID(t.ID)
	}
	return t.PID
}
