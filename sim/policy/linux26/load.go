package linux26

// CPU is the load of a CPU and what its domain remembers.
type CPU struct {
	NR     int       // runnable tasks, the running one included
	Raw    uint64    // their weights
	Smooth [5]uint64 // cpu_load: slower from one to the next
	// Uninterruptible is nr_uninterruptible; only the sum over CPUs means anything.
	Uninterruptible int64
	Domain
}

// Domain is the balancing state of a CPU.
type Domain struct {
	Interval int64 // ms, balance_interval
	Last     int64 // jiffy of the last balancing
	Next     int64 // jiffy from which the next may come
	Failed   int   // in a row
	Stats
}

// Stats count balancing, by kind of CPU.
type Stats struct {
	Calls, Balanced, Failures, Gained [3]int64
	Imbalance                         [3]uint64
	WakeRemote, WakeAffine            int64
}

// Smoothed updates the first n smoothed loads at a tick (update_load).
func (c *CPU) Smoothed(n int) {
	for i := range n {
		was, load := c.Smooth[i], c.Raw
		if load > was {
			load += 1<<i - 1
		}
		c.Smooth[i] = (was*(1<<i-1) + load) >> i
	}
}

// source is a low guess of the load, of a CPU that tasks would leave.
func (c *CPU) source(k int) uint64 {
	if k == 0 {
		return c.Raw
	}
	return min(c.Smooth[k-1], c.Raw)
}

// target is a high guess, of one that they would join.
func (c *CPU) target(k int) uint64 {
	if k == 0 {
		return c.Raw
	}
	return max(c.Smooth[k-1], c.Raw)
}

// per is the mean weight of the tasks; without any, that of one of nice 0.
func (c *CPU) per(scale uint64) uint64 {
	if c.NR == 0 {
		return scale
	}
	return c.Raw / uint64(c.NR)
}

// Affine reports whether a wake-up on CPU this draws a task of weight w there from
// the CPU task where it ran last (try_to_wake_up). waker is the weight of the task
// that wakes it synchronously, 0 otherwise.
func Affine(this, task *CPU, w, waker, scale uint64) bool {
	load, tl := task.source(1), this.target(1)-waker
	return tl <= load && tl+task.target(1) <= this.per(scale) || 100*(tl+w) <= 112*load
}

// ExecTarget is the CPU on which a program begins that CPU this loads
// (sched_balance_exec): the least loaded other one unless that gains too little.
func ExecTarget(cpus []CPU, this int) int {
	best, least := -1, uint64(0)
	for i := 1; i < len(cpus); i++ {
		c := (this + i) % len(cpus)
		if load := cpus[c].target(1); best < 0 || load < least {
			best, least = c, load
		}
	}
	if best < 0 || 100*cpus[this].source(1) < 112*least {
		return this
	}
	return best
}
