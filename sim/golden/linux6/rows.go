package linux6

import (
	"fmt"
	"strings"

	"strandscope/sim/policy/linuxeevdf"
)

// outputs are the files that the model writes, to be compared line by line.
type outputs map[string]*strings.Builder

var kinds = []string{"decisions.csv", "events.csv", "wakes.csv", "tasks.csv"}

// line joins values with commas.
func (o outputs) line(kind string, values ...any) {
	b := o[kind]
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(b, v)
	}
	b.WriteByte('\n')
}

// heads writes the names of columns.
func (r *run) heads() {
	r.out = outputs{}
	for _, k := range kinds {
		r.out[k] = &strings.Builder{}
	}
	r.out.line("wakes.csv", "wake_ns,pid,run_ns,latency_ns")
	if r.cfs != nil {
		r.out.line("decisions.csv", "time_ns,why,prev,next,nr_running,prev_queued,prev_vruntime,next_vruntime,min_vruntime,load,buddy_next,buddy_last,buddy_skip")
		r.out.line("events.csv", "time_ns,event,pid,info,curr,resched,vruntime,curr_vruntime,min_vruntime")
		r.out.line("tasks.csv", "pid,nice_end,slice,state,weight,inv_weight,cpu_ns,vruntime,dispatches,voluntary,involuntary,created_ns")
		return
	}
	protect := ""
	if r.v == linuxeevdf.V618 {
		protect = "next_vprot,"
	}
	r.out.line("decisions.csv", "time_ns,why,prev,next,nr_queued,nr_delayed,prev_queued,prev_vruntime,prev_deadline,prev_vlag,next_vruntime,next_deadline,"+protect+"V,zero_vruntime,sum_key_weight,sum_weight")
	r.out.line("events.csv", "time_ns,event,pid,info,curr,resched,vruntime,deadline,curr_vruntime,curr_deadline,V")
	r.out.line("tasks.csv", "pid,nice_end,slice,state,weight,inv_weight,cpu_ns,vruntime,deadline,vlag,dispatches,voluntary,involuntary,created_ns")
}

// figures of a task; zeros of the idle one.
func figures(t *task) (pid, v, d int64) {
	if t == nil {
		return 0, 0, 0
	}
	return t.pid, t.e.V, t.e.D
}

func (r *run) decision(why string, prev, next *task) {
	pp, pv, pd := figures(prev)
	np, nv, nd := figures(next)
	fmt.Fprintf(r.decided, "%d,%d,%d\n", r.now, pp, np)
	queued := 0
	switch {
	case prev == nil || !prev.e.OnRQ:
	case prev.e.Delayed:
		queued = 2
	default:
		queued = 1
	}
	if q := r.cfs; q != nil {
		mark := [3]int32{}
		if q.Next != nil {
			mark[0] = q.Next.ID
		}
		if q.Last != nil {
			mark[1] = q.Last.ID
		}
		if q.Skip != nil {
			mark[2] = q.Skip.ID
		}
		r.out.line("decisions.csv", r.now, why, pp, np, r.s.N, queued, pv, nv, q.Min, q.Load, mark[0], mark[1], mark[2])
		return
	}
	lag := ""
	if prev != nil && queued == 0 {
		lag = fmt.Sprint(prev.e.Lag)
	}
	row := []any{r.now, why, pp, np, r.s.N, r.s.Delayed, queued, pv, pd, lag, nv, nd}
	if r.v == linuxeevdf.V618 {
		protect := int64(0)
		if next != nil {
			protect = next.e.Protect
		}
		row = append(row, protect)
	}
	q := r.eevdf
	r.out.line("decisions.csv", append(row, q.Mean(), q.Zero, q.SumKey, q.SumW)...)
}

func (r *run) event(name string, t *task, info string) {
	_, v, d := figures(t)
	cp, cv, cd := figures(r.curr)
	need := 0
	if r.need {
		need = 1
	}
	if r.cfs != nil {
		r.out.line("events.csv", r.now, name, t.pid, info, cp, need, v, cv, r.cfs.Min)
		return
	}
	r.out.line("events.csv", r.now, name, t.pid, info, cp, need, v, d, cv, cd, r.eevdf.Mean())
}

func (r *run) wakeRow(t *task, late int64) {
	r.out.line("wakes.csv", t.wokeAt, t.pid, r.now, late)
}

func (r *run) taskRows() {
	for _, t := range r.tasks {
		e := t.e
		name := "queued"
		switch {
		case t == r.curr:
			name = "running"
		case e.Delayed:
			name = "delayed"
		case t.state == asleep:
			name = "sleeping"
		case t.state == dead:
			name = "dead"
		case t.state == unborn:
			name = "unborn"
		}
		row := []any{t.pid, e.Nice, e.Slice, name, e.Weight, e.Inverse, e.Sum, e.V}
		if r.cfs == nil {
			lag := ""
			if !e.OnRQ {
				lag = fmt.Sprint(e.Lag)
			}
			row = append(row, e.D, lag)
		}
		r.out.line("tasks.csv", append(row, t.dispatches, t.voluntary, t.involuntary, t.created)...)
	}
}
