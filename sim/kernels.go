//go:build !js || full

package sim

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/compare"
)

// KernelSpan is how long each kernel runs where they are compared in a page.
const KernelSpan = clock.Minute

// KernelRow is what a kernel makes of a scenario: the figures by which runs are
// compared, and how the first probing task was served.
type KernelRow struct {
	Kernel, Title string
	Figures       compare.Figures
	// Probe is the probing task's name, "" where there is none; Usual and Worst are the
	// median of its last wake-ups, up to 120, and the longest of all.
	Probe        string
	Usual, Worst clock.Duration
	Tasks        []TaskTime // those that are no probes, in the scenario's order, at most 12
}

// TaskTime is what the threads of a task had of the CPUs.
type TaskTime struct {
	Name        string
	Threads     int
	Least, Most clock.Duration // by that which got least, and most
}

// mostTasks is how many tasks of a scenario have rows of their own.
const mostTasks = 12

// KernelTable sets the rows side by side, a column each: what is particular to such a
// scenario first, then the figures by which all runs are compared. There must be a row.
func KernelTable(rows []KernelRow) []compare.Wide {
	figures := make([]*compare.Figures, len(rows))
	for i := range rows {
		figures[i] = &rows[i].Figures
	}
	own := func(id, name, unit, help string, of func(r *KernelRow) clock.Duration, scale clock.Duration) compare.Wide {
		w := compare.Wide{ID: id, Name: name, Unit: unit, Help: help, Places: 2}
		for i := range rows {
			w.Values = append(w.Values, compare.Value{N: int64((100*of(&rows[i]) + scale/2) / scale), Known: true})
		}
		return w
	}
	var table []compare.Wide
	if rows[0].Probe != "" {
		table = append(table,
			own("probe", rows[0].Probe+": usual wait", "ms", "Half of its last wake-ups, up to 120, got a CPU within this time.",
				func(r *KernelRow) clock.Duration { return r.Usual }, clock.Millisecond),
			own("probe-worst", rows[0].Probe+": longest wait", "ms", "The longest time from a wake-up to a CPU.",
				func(r *KernelRow) clock.Duration { return r.Worst }, clock.Millisecond))
	}
	for k := range rows[0].Tasks {
		t := &rows[0].Tasks[k]
		if t.Threads == 1 {
			table = append(table, own("task-"+t.Name, t.Name+": CPU time", "s", "CPU time of the thread, since boot.",
				func(r *KernelRow) clock.Duration { return r.Tasks[k].Least }, clock.Second))
			continue
		}
		table = append(table,
			own("least-"+t.Name, t.Name+": least CPU time", "s", "Of the task's threads the one that got least, since boot.",
				func(r *KernelRow) clock.Duration { return r.Tasks[k].Least }, clock.Second),
			own("most-"+t.Name, t.Name+": most CPU time", "s", "Of the task's threads the one that got most, since boot.",
				func(r *KernelRow) clock.Duration { return r.Tasks[k].Most }, clock.Second))
	}
	return append(table, compare.Many(figures)...)
}

// ages are the rows that were run of those that somebody asked for.
type ages struct {
	span clock.Duration
	rows []KernelRow
}

// CompareKernels asks for a run of the scenario on each kernel that it offers, apart
// from this session and with its other settings. Plotting and PlotNext run them, one
// after the other; Kernels are those done.
func (s *Session) CompareKernels(span clock.Duration) error {
	if len(s.sc.Scheduler.Kernels) == 0 {
		return fmt.Errorf("this scenario offers no kernels to compare")
	}
	s.ages = &ages{span: span}
	return nil
}

// Kernels are the rows that were run so far, in the scenario's order, and how many are
// still to come.
func (s *Session) Kernels() (rows []KernelRow, left int) {
	if s.ages == nil {
		return nil, 0
	}
	return s.ages.rows, len(s.sc.Scheduler.Kernels) - len(s.ages.rows)
}

// aging reports whether kernels are still to be run for the table.
func (s *Session) aging() bool {
	_, left := s.Kernels()
	return left > 0
}

// NextKernel runs the next of those that CompareKernels asked for, if any is left.
func (s *Session) NextKernel() error {
	if !s.aging() {
		return nil
	}
	a := s.ages
	r, err := s.onKernel(s.sc.Scheduler.Kernels[len(a.rows)], a.span)
	if err != nil {
		s.ages = nil
		return err
	}
	a.rows = append(a.rows[:len(a.rows):len(a.rows)], r)
	return nil
}

// onKernel runs the scenario on a kernel, from boot on and without what was typed here.
func (s *Session) onKernel(id string, span clock.Duration) (KernelRow, error) {
	r := KernelRow{Kernel: id, Title: kernelTitle(id)}
	sc := s.original()
	if err := sc.Apply("kernel", id); err != nil {
		return r, err
	}
	run := Session{compares: true}
	if err := run.start(sc); err != nil {
		return r, fmt.Errorf("%s: %w", id, err)
	}
	if err := run.Advance(span); err != nil {
		return r, fmt.Errorf("%s: %w", id, err)
	}
	r.Figures = run.Compared()
	if p := run.probes; p != nil {
		w := &p.wakes[0]
		r.Probe, r.Worst, r.Usual = p.names[0], w.Max, w.Quantile(50)
	}
	r.Tasks = run.taskTimes()
	return r, nil
}

func (s *Session) taskTimes() (list []TaskTime) {
	for i := range s.sc.Tasks {
		if t := &s.sc.Tasks[i]; !t.Probe && t.Instance > 0 && len(list) < mostTasks {
			list = append(list, TaskTime{Name: t.Name, Threads: t.Instance, Least: -1})
		}
	}
	for _, t := range s.eng.Threads() {
		for i := range list {
			if x := &list[i]; x.Name == t.Name && !t.Kernel {
				ran := s.watch.ledger.Entry(t.ID).Ran(s.Now())
				if x.Most = max(x.Most, ran); x.Least < 0 || ran < x.Least {
					x.Least = ran
				}
			}
		}
	}
	return list
}
