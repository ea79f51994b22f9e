package linux26

import (
	"strandscope/sim/golden"
	"strandscope/sim/policy/linux26"
	"strandscope/sim/policy/linuxcfs"
)

var cfsRule = linuxcfs.Rule

// cfsFiles are the files of single functions of 2.6.24.
func cfsFiles() golden.ByHead[row] {
	return golden.ByHead[row]{
		{"policy,nice,weight,inv_weight,prio", weightRow},
		{"cpus,factor,sched_latency_ns,", granularityRow},
		{"delta_exec,weight,lw_weight,lw_inv_weight,", deltaRow},
		{"sched_latency_ns,nr_running,cfs_load,se_weight,period", cfsSliceRow},
		{"sched_latency_ns,min_vruntime,se_vruntime,", placeRow},
		{"wakeup_granularity_ns,curr_weight,", preemptRow},
		{"prev_raw,clock,tick_timestamp,", clockRow},
		{"load,l0,l1,l2,l3,l4,", func(f *golden.Fields) { smoothRow(f, "load", 5) }},
		{"this_cpu,idle_type,c0_nr,c0_load,", func(f *golden.Fields) { balanceRow(f, "load", cfsRule) }},
		{"this_cpu,task_cpu,p_weight,p_exec_start_age_ns,", cfsWakeupRow},
	}
}

// weightRow: of real-time policies the column nice holds the priority.
func weightRow(f *golden.Fields) {
	policy, nice, rt := uint8(f.Int("policy")), int32(f.Int("nice")), int32(0)
	if policy != linuxcfs.Normal {
		nice, rt = 0, nice
	}
	t := linuxcfs.NewWeight(policy, nice, rt)
	f.Same("weight", t.Weight)
	f.Same("inv_weight", t.Inverse)
	f.Same("prio", t.Prio)
}

func granularityRow(f *golden.Fields) {
	n := int(f.Int("cpus"))
	t := linuxcfs.Scaled(n)
	f.Same("factor", linuxcfs.Factor(n))
	f.Same("sched_latency_ns", t.Latency)
	f.Same("min_granularity_ns", linuxcfs.MinGranularity(n))
	f.Same("wakeup_granularity_ns", t.WakeGran)
	f.Same("batch_wakeup_granularity_ns", t.WakeGran)
}

func deltaRow(f *golden.Fields) {
	inverse := f.Uint("lw_inv_weight")
	if inverse == 0 {
		inverse = linuxcfs.Invert(f.Uint("lw_weight"))
	}
	f.Same("result", linuxcfs.CalcDelta(f.Uint("delta_exec"), f.Uint("weight"), inverse))
	f.Same("lw_inv_weight_after", inverse)
}

func cfsSliceRow(f *golden.Fields) {
	t := linuxcfs.Tunables{Latency: f.Int("sched_latency_ns"), NrLatency: 5}
	nr, weight, load := int(f.Int("nr_running")), f.Uint("se_weight"), f.Uint("cfs_load")
	f.Same("period", t.Period(nr))
	f.Same("slice", t.SliceOf(nr, weight, load))
	f.Same("vslice_add", t.Debit(nr, weight, load))
}

func placeRow(f *golden.Fields) {
	t := linuxcfs.Tunables{Latency: f.Int("sched_latency_ns"), NrLatency: 5}
	minV := f.Int("min_vruntime")
	if f.Int("initial") != 0 {
		f.Same("vruntime_after", minV+t.Debit(int(f.Int("nr_running")), f.Uint("se_weight"), f.Uint("cfs_load")))
		return
	}
	f.Same("vruntime_after", t.Placed(minV, f.Int("se_vruntime")))
}

func preemptRow(f *golden.Fields) {
	t := linuxcfs.Tunables{WakeGran: f.Int("wakeup_granularity_ns")}
	cur := linuxcfs.Task{Weight: f.Uint("curr_weight"), Inverse: f.Uint("curr_inv_weight"), Vruntime: f.Int("curr_vruntime")}
	f.Same("resched", bit(t.Ahead(f.Int("woken_vruntime"), &cur)))
}

func clockRow(f *golden.Fields) {
	raw, clock, at, now := f.Int("prev_raw"), f.Int("clock"), f.Int("tick_timestamp"), f.Int("now_raw")
	after, _ := linuxcfs.Clock(raw, clock, at, now, false)
	f.Same("clock_after_update", after)
	after, at = linuxcfs.Clock(raw, clock, at, now, true)
	f.Same("clock_after_tick", after)
	f.Same("tick_timestamp_after_tick", at)
}

// cfsWakeupRow is the choice of a CPU at a wake-up.
func cfsWakeupRow(f *golden.Fields) {
	this, task := int(f.Int("this_cpu")), int(f.Int("task_cpu"))
	a, b := cpuOf(f, "this_", "load", 1), cpuOf(f, "task_", "load", 1)
	sync, waker := f.Int("sync") != 0, uint64(0)
	if sync {
		waker = f.Uint("curr_weight")
	}
	cold := f.Int("p_exec_start_age_ns") >= linuxcfs.Scaled(1).Migration
	if this != task && (sync && cold || linux26.Affine(&a, &b, f.Uint("p_weight"), waker, cfsRule.Scale)) {
		task = this
	}
	f.Same("chosen_cpu", task)
}
