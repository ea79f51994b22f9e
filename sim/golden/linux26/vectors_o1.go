package linux26

import (
	"strandscope/sim/golden"
	"strandscope/sim/policy/linux26"
	"strandscope/sim/policy/linuxo1"
	"strandscope/sim/sched"
)

const hz = 1000 // of files that do not say

var o1Rule = linuxo1.Rule

func prioRow(f *golden.Fields, cpus int) {
	c, t := linuxo1.Lone(cpus, hz, int32(f.Int("nice")), f.Int("sleep_avg"))
	f.Same("current_bonus", c.Bonus(t))
	f.Same("prio", t.Prio)
	f.Same("interactive", bit(linuxo1.Interactive(t)))
	f.Same("granularity_ticks", c.Granularity(t))
}

func sliceRow(f *golden.Fields) {
	c, t := linuxo1.Lone(1, f.Int("hz"), int32(f.Int("nice")), 0)
	f.Same("static_prio", t.Static)
	f.Same("timeslice_ticks", t.Slice)
	f.Same("load_weight", t.Weight)
	f.Same("delta", linuxo1.Delta(t.Static))
	f.Same("interactive_sleep_ns", c.Ceiling(t.Static))
}

func rtRow(f *golden.Fields) {
	c, t := linuxo1.Lone(1, hz, int32(f.Int("nice")), 0)
	c.SetPolicy(0, uint8(f.Int("policy")), int32(f.Int("rt_priority")), 0)
	f.Same("prio", t.Prio)
	f.Same("load_weight", t.Weight)
	f.Same("rr_slice", linuxo1.SliceOf(t.Static, hz))
}

func creditRow(f *golden.Fields) {
	c, t := linuxo1.Lone(1, hz, int32(f.Int("nice")), f.Int("sleep_avg"))
	t.Sleep, t.Kernel = uint8(f.Int("sleep_type")), f.Int("user_mm") == 0
	c.CreditSleep(t, f.Int("sleep_ns"))
	f.Same("sleep_avg_after", t.SleepAvg)
	f.Same("sleep_type_after", t.Sleep)
	f.Same("prio_after", t.Prio)
}

func starvingRow(f *golden.Fields) {
	c, _ := linuxo1.Lone(1, hz, int32(f.Int("curr_static_prio"))-120, 0)
	f.Same("starving", bit(c.Starving(0, int32(f.Int("best_expired_prio")), f.Int("expired_timestamp"), f.Int("jiffies"), int(f.Int("nr_running")))))
}

func forkRow(f *golden.Fields) {
	const parent, child = sched.ThreadID(0), sched.ThreadID(1)
	c, p := linuxo1.Lone(1, hz, int32(f.Int("nice")), f.Int("parent_sleep_avg"))
	p.Slice, p.Prio = int32(f.Int("parent_slice")), int32(f.Int("parent_prio"))
	c.At(child) // now, since it may move the table
	c.Occupy(parent)
	c.Fork(child, parent)
	p = c.At(parent)
	need := p.Need
	array := bit(c.Expired(parent))
	c.WakeNew(child, 0)
	t := c.At(child)
	f.Same("parent_slice_after", p.Slice)
	f.Same("child_slice", t.Slice)
	f.Same("child_first_time_slice", bit(t.FirstSlice))
	f.Same("parent_sleep_avg_after", p.SleepAvg)
	f.Same("child_sleep_avg", t.SleepAvg)
	f.Same("child_prio", t.Prio)
	f.Same("parent_resched_after_split", bit(need))
	f.Same("parent_array_after", array)
}

func exitRow(f *golden.Fields) {
	const parent, child = sched.ThreadID(0), sched.ThreadID(1)
	c, _ := linuxo1.Lone(2, hz, 0, f.Int("parent_sleep_avg"))
	c.Begin(child, int32(f.Int("child_nice")), linuxo1.Normal, 0, f.Int("child_sleep_avg"), 1-int(f.Int("same_cpu")))
	p, t := c.At(parent), c.At(child)
	p.Slice, t.Slice = int32(f.Int("parent_slice")), int32(f.Int("child_slice"))
	t.FirstSlice, t.Parent = f.Int("child_first_time_slice") != 0, parent
	c.Exit(child)
	f.Same("parent_slice_after", p.Slice)
	f.Same("parent_sleep_avg_after", p.SleepAvg)
}

func runRow(f *golden.Fields) {
	c, t := linuxo1.Lone(1, hz, 0, f.Int("sleep_avg"))
	f.Same("sleep_avg_after", c.RunCharge(t, f.Int("run_ns")))
}

// o1WakeupRow is the choice of a CPU at a wake-up.
func o1WakeupRow(f *golden.Fields) {
	this, task := int(f.Int("this_cpu")), int(f.Int("task_cpu"))
	a, b := cpuOf(f, "this_", "raw", 1), cpuOf(f, "task_", "raw", 1)
	waker := uint64(0)
	if f.Int("sync") != 0 {
		waker = f.Uint("curr_weight")
	}
	if this != task && linux26.Affine(&a, &b, f.Uint("p_weight"), waker, o1Rule.Scale) {
		task = this
	}
	f.Same("chosen_cpu", task)
}
