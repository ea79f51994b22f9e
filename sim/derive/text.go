package derive

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// Text says what was derived, in lines; those of Notes come after them.
func (w *Workload) Text() []string {
	threads, steps, wakes, byThreads, forked, rt := 0, 0, 0, 0, 0, 0
	for i := range w.Threads {
		t := &w.Threads[i]
		if len(t.Steps) == 0 {
			continue
		}
		threads++
		steps += len(t.Steps)
		wakes += t.Wakes
		byThreads += t.ByThreads
		if t.Forked {
			forked++
		}
		if t.Realtime > 0 {
			rt++
		}
	}
	lines := []string{
		fmt.Sprintf("%d threads, %d of them forked within it and %d of a real-time class, %d steps in %s s",
			threads, forked, rt, steps, stats.Seconds(clock.Duration(w.Duration), 3)),
		fmt.Sprintf("%d wake-ups, %d of them by a thread, the others by interrupts", wakes, byThreads),
	}
	for _, n := range w.Notes {
		lines = append(lines, "note: "+n)
	}
	return lines
}

// Text says how far the driven model agrees, in lines; those after the first say more
// about it.
func (d *Driven) Text() []string {
	lines := []string{fmt.Sprintf("driven by the recorded wake-ups, blocks and times: %d of %d choices at switches agree (%s %%)",
		d.Agree, d.Choices, percent(int64(d.Agree), int64(d.Choices)))}
	if d.Kept > 0 {
		lines = append(lines, fmt.Sprintf("of %d calls of the scheduler that kept the task %d agree, of %d ticks %d whether to call it",
			d.Kept, d.KeptAgree, d.Ticks, d.TicksAgree))
	}
	if d.Fitted {
		lines = append(lines, fmt.Sprintf("what threads were owed at the beginning is not recorded and was fitted; without it %d agree", d.Unfitted))
	}
	if d.First >= 0 {
		lines = append(lines, fmt.Sprintf("the first that differs is at %v", d.First))
	}
	if !d.Exact {
		lines = append(lines, "times are those of switches: without sched_stat_runtime what was charged is known to the microsecond only")
	}
	return lines
}

// Text says how far the derived run under a kernel is like the recording, in lines as
// those of Driven.
func (f *Fidelity) Text(kernel string) []string {
	return []string{
		fmt.Sprintf("run by itself under %s: %s %% of the CPU time went to the same threads as recorded", kernel, percent(f.Same, f.Busy)),
		fmt.Sprintf("%d of %d threads that came onto a CPU did so in the recorded order (%s %%); the derived run has %d",
			f.InOrder, min(f.Switches, f.Compared), percent(int64(f.InOrder), int64(min(f.Switches, f.Compared))), f.Derived),
	}
}

func percent(a, b int64) string {
	if b == 0 {
		return "-"
	}
	return stats.Ratio(100*a, b, 1)
}
