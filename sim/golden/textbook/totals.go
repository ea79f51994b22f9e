package textbook

import (
	"math/big"

	"strandscope/sim/clock"
	"strandscope/sim/policy/multi"
)

// unitsRun is how many units a job ran under MULTI, and how many of these warm.
func (r *run) unitsRun(i int) (ran, warm int64) {
	if p, ok := r.pol.(*multi.Policy); ok {
		return p.UnitsRun(r.list[i])
	}
	return 0, 0
}

// cpuTotals are MULTI's figures of each CPU. With a rate of 1 the simulator counts
// warm units as cold here.
func (r *run) cpuTotals(end clock.Time) []any {
	ran, warm := make([]clock.Duration, r.f.CPUs), make([]int64, r.f.CPUs)
	for i := range r.slices {
		s := &r.slices[i]
		ran[s.cpu] += s.end.Sub(s.start)
		if r.f.Params.WarmRate > 1 {
			warm[s.cpu] += s.warm
		}
	}
	share := func(n float64) string { return decimals(100 * n / (float64(end) / float64(unit))) }
	var list []any
	for c := range r.f.CPUs {
		units := float64(ran[c]) / float64(unit)
		list = append(list, map[string]any{
			"cpu": c, "ran": units, "warm": warm[c],
			"printed": map[string]any{"utilization": share(units), "warm": share(float64(warm[c]))},
		})
	}
	return list
}

func (r *run) processTotal() map[string]any {
	var cpu, io int64
	for _, x := range r.ticks {
		cpu += x.cpu
		io += min(1, x.flying)
	}
	n := int64(len(r.ticks))
	share := func(x int64) string { return decimals(100 * float64(x) / float64(n)) }
	return map[string]any{
		"type": "total", "ticks": n, "cpu_busy": cpu, "io_busy": io,
		"printed": map[string]any{"cpu": share(cpu), "io": share(io)},
	}
}

// release is one job of a periodic task.
type release struct {
	task, k               int
	at, deadline          clock.Time
	started, finished     clock.Time // −1: not within the horizon
	response              clock.Duration
	missed, decided, done bool
}

// releases are all jobs released before the horizon, by task, then number.
func (r *run) releases() []release {
	horizon := clock.Time(r.f.Params.Horizon) * clock.Time(unit)
	var list []release
	for i, j := range r.f.Jobs {
		first := len(list)
		for at := clock.Time(j.Offset); at < horizon; at += clock.Time(j.Period) {
			list = append(list, release{
				task: i, k: len(list) - first, at: at, deadline: at + clock.Time(j.Deadline), started: -1, finished: -1,
			})
		}
		for s := range r.slices {
			s := &r.slices[s]
			if int(s.id) != i {
				continue
			}
			x := &list[first+s.at.k]
			if x.started < 0 {
				x.started = s.start
			}
			if s.why == "F" {
				x.finished, x.response, x.done = s.end, s.end.Sub(x.at), true
			}
		}
		for k := first; k < len(list); k++ {
			x := &list[k]
			x.missed = x.done && x.finished > x.deadline || !x.done && x.deadline <= horizon
			x.decided = x.done || x.missed
		}
	}
	return list
}

func (r *run) periodicRows() []map[string]any {
	var rows []map[string]any
	orNull := func(ok bool, v any) any {
		if ok {
			return v
		}
		return nil
	}
	for _, x := range r.releases() {
		rows = append(rows, map[string]any{
			"type": "job", "task": x.task, "k": x.k, "release": inUnits(x.at), "deadline": inUnits(x.deadline),
			"start": orNull(x.started >= 0, inUnits(x.started)), "finish": orNull(x.done, inUnits(x.finished)),
			"response": orNull(x.done, number(x.response)), "missed": orNull(x.decided, x.missed),
		})
	}
	return rows
}

func (r *run) periodicTotal() map[string]any {
	type task struct {
		jobs, finished, misses int
		worst                  clock.Duration
	}
	tasks := make([]task, len(r.f.Jobs))
	misses, preemptions := 0, 0
	for _, x := range r.releases() {
		t := &tasks[x.task]
		t.jobs++
		if x.done {
			t.finished++
			t.worst = max(t.worst, x.response)
		}
		if x.missed {
			t.misses++
			misses++
		}
	}
	var busy clock.Duration
	for i := range r.slices {
		busy += r.slices[i].end.Sub(r.slices[i].start)
		if r.slices[i].why == "P" {
			preemptions++
		}
	}
	load := new(big.Rat)
	var list []any
	for i, t := range tasks {
		var worst any
		if t.finished > 0 {
			worst = number(t.worst)
		}
		list = append(list, map[string]any{
			"task": i, "jobs": t.jobs, "finished": t.finished, "worst_response": worst, "misses": t.misses,
		})
		load.Add(load, big.NewRat(int64(r.f.Jobs[i].WCET), int64(r.f.Jobs[i].Period)))
	}
	horizon := clock.Duration(r.f.Params.Horizon) * unit
	return map[string]any{
		"type": "total", "horizon": r.f.Params.Horizon, "busy": number(busy), "idle": number(horizon*clock.Duration(r.f.CPUs) - busy),
		"misses": misses, "preemptions": preemptions, "per_task": list,
		"utilization": []int64{load.Num().Int64(), load.Denom().Int64()},
	}
}
