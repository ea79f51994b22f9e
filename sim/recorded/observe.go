package recorded

import (
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// Observe adds an observer from now on. It is not told again what came before, nor kept
// when time goes back.
func (r *Run) Observe(o trace.Observer) { r.obs = append(r.obs, o) }

// Vmstat starts a vmstat report of the given interval in seconds.
func (r *Run) Vmstat(seconds int) *stats.VmstatReport {
	v := stats.NewVmstatReportIn(r.k.Vmstat, r.fold.Vmstat(), seconds)
	r.Observe(v)
	return v
}

// Mpstat starts an mpstat report of the given interval in seconds.
func (r *Run) Mpstat(seconds int, l stats.Listing) *stats.MpstatReport {
	m := stats.NewMpstatReport(r.fold.Vmstat(), seconds, stats.PerCPU, make([]int, len(r.cpus)), l)
	r.Observe(m)
	return m
}

// LoadRaw are the load averages in 1/2048, as the kernel holds them, with all samples that
// are due by now.
func (r *Run) LoadRaw() [3]uint64 {
	l := r.fold.Load().(*stats.Linux6Load)
	l.CatchUp(r.now)
	return l.Raw()
}
