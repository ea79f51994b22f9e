package textbook

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strconv"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// compare compares every row.
func compare(f *recorded, r *run) (int, error) {
	n, err := compareRows("slice", f.slices, r.rows())
	if err != nil {
		return n, err
	}
	var draws [][]any
	draws = append(append(draws, r.peeks...), r.orders...)
	sort.SliceStable(draws, func(i, j int) bool { return draws[i][1].(float64) < draws[j][1].(float64) })
	events := [][]any{}
	if f.Policy == "MLFQ" {
		for _, e := range r.events {
			events = append(events, []any{"e", inUnits(e.at), e.what, int(e.id)})
		}
	}
	for _, x := range []struct {
		what  string
		a, b  [][]any
		after int
	}{{"event", f.events, events, 0}, {"draw", f.draws, draws, 0}} {
		m, err := compareRows(x.what, x.a, x.b)
		if n += m; err != nil {
			return n, err
		}
	}
	model := append(r.jobRows(), r.total())
	if len(f.objects) != len(model) {
		return n, fmt.Errorf("%d statistics are recorded, the model has %d", len(f.objects), len(model))
	}
	for i, o := range f.objects {
		if err := compareObject(o, model[i]); err != nil {
			return n, fmt.Errorf("%v %d: %w", o["type"], i, err)
		}
		n++
	}
	return n, nil
}

// plain is a value as JSON reads it.
func plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		return err.Error()
	}
	return out
}

func compareRows(what string, have, model [][]any) (int, error) {
	for i, row := range have {
		if i >= len(model) {
			return i, fmt.Errorf("%s %d: recorded %v, the model has no more", what, i+1, row)
		}
		if m := plain(model[i]); !reflect.DeepEqual(any(row), m) {
			return i, fmt.Errorf("%s %d: recorded %v, model %v", what, i+1, row, m)
		}
	}
	if len(model) > len(have) {
		return len(have), fmt.Errorf("%s %d: the recording ends, the model goes on with %v", what, len(have)+1, plain(model[len(have)]))
	}
	return len(have), nil
}

func compareObject(have, model map[string]any) error {
	names := make([]string, 0, len(have))
	for k := range have {
		names = append(names, k)
	}
	sort.Strings(names)
	for _, k := range names {
		m, ok := model[k]
		if !ok {
			return fmt.Errorf("%s: the model has no such figure", k)
		}
		if p := plain(m); !reflect.DeepEqual(have[k], p) {
			return fmt.Errorf("%s: recorded %v, model %v", k, have[k], p)
		}
	}
	return nil
}

// rows are the slices in the header's columns.
func (r *run) rows() [][]any {
	var rows [][]any
	if r.f.Policy == "PROCESS-RUN" {
		for _, x := range r.ticks {
			rows = append(rows, []any{x.n, x.states, x.cpu, x.flying, x.done})
		}
		return rows
	}
	for i := range r.slices {
		s := &r.slices[i]
		row := make([]any, 0, len(r.f.Columns))
		for _, c := range r.f.Columns {
			row = append(row, r.field(s, c))
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *run) field(s *slice, column string) any {
	switch column {
	case "start":
		return inUnits(s.start)
	case "end":
		return inUnits(s.end)
	case "cpu":
		return s.cpu
	case "job", "task":
		return int(s.id)
	case "why":
		return s.why
	case "level":
		return s.at.level
	case "ticks_left":
		return number(s.at.left - s.end.Sub(s.start))
	case "allot_left":
		return s.at.allot
	case "time_left":
		return number(s.timeLeft)
	case "draw":
		return s.at.draw.Drawn
	case "ticket":
		return s.at.draw.Ticket
	case "total":
		return s.at.draw.Total
	case "waited":
		return number(s.at.waited)
	case "length":
		return number(s.at.span)
	case "pass_before":
		return s.at.pass - s.at.stride
	case "pass_after":
		return s.at.pass
	case "k":
		return s.at.k
	case "warm_ticks":
		return s.warm
	}
	return "the model has no column " + column
}

// jobRows are the statistics of each job.
func (r *run) jobRows() []map[string]any {
	switch {
	case r.f.Policy == "PROCESS-RUN":
		return nil
	case r.f.Params.Horizon > 0:
		return r.periodicRows()
	}
	var rows []map[string]any
	for i := range r.list {
		row := map[string]any{"type": "job", "job": i}
		w := r.wait(i)
		j := r.jobs.At(sched.ThreadID(i), r.e.Now())
		row["finish"] = inUnits(j.Finished)
		row["response"] = number(j.Started.Sub(j.Arrived))
		row["turnaround"] = number(j.Finished.Sub(j.Arrived))
		row["wait"] = number(w)
		row["ios"] = r.ios[i]
		if ran, warm := r.unitsRun(i); ran > 0 {
			row["cold_ticks"], row["warm_ticks"], row["migrations"] = ran-warm, warm, j.Migrations
		}
		rows = append(rows, row)
	}
	return rows
}

// wait is a job's time ready and not on a CPU. In the lottery what a finished job
// wastes of its quantum counts too.
func (r *run) wait(i int) clock.Duration {
	j := r.jobs.At(sched.ThreadID(i), r.e.Now())
	if r.f.Policy == "LOTTERY" {
		return j.Finished.Sub(j.Arrived) - r.f.Jobs[i].Length.duration()
	}
	return j.Waited
}

func fraction(x stats.Fraction) any {
	if x.Den == 0 {
		return nil
	}
	return []int64{x.Num, x.Den}
}

// decimals is C's %.2f of a double.
func decimals(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// total is the last line.
func (r *run) total() map[string]any {
	switch {
	case r.f.Policy == "PROCESS-RUN":
		return r.processTotal()
	case r.f.Params.Horizon > 0:
		return r.periodicTotal()
	}
	now := r.e.Now()
	n := len(r.list)
	var busy, response, turnaround, wait clock.Duration
	var last clock.Time
	finish := []any{}
	for i := range r.slices {
		s := &r.slices[i]
		busy += s.end.Sub(s.start)
	}
	for i := range n {
		j := r.jobs.At(sched.ThreadID(i), now)
		response += j.Started.Sub(j.Arrived)
		turnaround += j.Finished.Sub(j.Arrived)
		wait += r.wait(i)
		finish = append(finish, inUnits(j.Finished))
		last = max(last, j.Finished)
	}
	mean := func(d clock.Duration) any { return fraction(stats.Mean(d, n, unit)) }
	text := func(d clock.Duration) string { return decimals(float64(d) / float64(unit) / float64(n)) }
	out := map[string]any{
		"type": "total", "makespan": inUnits(last), "busy": number(busy),
		"idle":    number(clock.Duration(last)*clock.Duration(r.f.CPUs) - busy),
		"average": map[string]any{"response": mean(response), "turnaround": mean(turnaround), "wait": mean(wait)},
	}
	switch r.f.Policy {
	case "LOTTERY":
		out["printed"] = map[string]any{"finish": finish}
	case "MULTI":
		out["printed"] = map[string]any{"finished": inUnits(last)}
		out["cpu"] = r.cpuTotals(last)
	case "MLFQ":
		out["printed"] = map[string]any{"response": text(response), "turnaround": text(turnaround)}
	default:
		out["printed"] = map[string]any{"response": text(response), "turnaround": text(turnaround), "wait": text(wait)}
	}
	return out
}
