package stats

import (
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// PrstatPick says which processes a report of prstat shows, and in which order.
// The zero value is all of them, those first that used most CPU time of late.
type PrstatPick struct {
	PIDs     []int32
	Projects []sched.GroupID
	CPUs     []int
	Sets     []int
	Rows     int // at most; 0: all
	Sums     int // rows of the projects' table; 0: all
	// Sort is cpu, time, pri, size or rss; "" is cpu.
	Sort      string
	Ascending bool
}

// wants reports whether a thread is shown. An empty list excludes nobody.
func (p *PrstatPick) wants(t *sched.Thread) bool {
	return (len(p.PIDs) == 0 || slices.Contains(p.PIDs, t.PID)) &&
		(len(p.Projects) == 0 || slices.Contains(p.Projects, t.Group)) &&
		(len(p.CPUs) == 0 || slices.Contains(p.CPUs, t.CPU)) &&
		(len(p.Sets) == 0 || slices.Contains(p.Sets, t.Set))
}

// key is what rows are sorted by, the largest first.
func (r *PrstatReport) key(x prRow, now clock.Time) int64 {
	k := x.recent
	switch r.Pick.Sort {
	case "time":
		k = int64(r.onCPU(x.t.ID, now))
	case "pri":
		k = int64(r.roster.Standing(x.t.ID).Priority)
	case "size", "rss":
		k = 0 // all have the same
	}
	if r.Pick.Ascending {
		return -k
	}
	return k
}
