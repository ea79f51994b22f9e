package trace

import (
	"bufio"
	"fmt"
	"io"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Ftrace writes a run as the text of Linux's trace file with the events
// sched_switch, sched_wakeup and sched_wakeup_new, as tools for such traces
// read it (shared/reference/real/README.md §6; the files of real/traces).
//
// What "prio" means depends on the simulated kernel; the heading says it. The
// flags column says what is always so at a switch or a wake-up.
type Ftrace struct {
	w    *bufio.Writer
	tell Teller
	prio Prio
	cpus []ftraceCPU
	woke []ftraceWake // by thread
	err  error
}

type ftraceCPU struct {
	runs sched.ThreadID
	prev sched.ThreadID // left, and nobody was switched to since
	pri  int16          // of prev, when it left
	left sched.Cause
}

// ftraceWake is a wake-up that has not been placed yet.
type ftraceWake struct {
	due, forked bool
	cpu         int16
}

// Prio turns the priorities of a simulated kernel into numbers as Linux's traces
// have them, where the lower one is the better one: Base + Sign·priority.
type Prio struct {
	Help       string
	Base, Sign int
	Idle       int // of the idle loop
}

// SolarisPrio turns the scale round, LinuxPrio takes PRI as top shows it.
var (
	SolarisPrio = Prio{"169 - the global priority, 170 for the idle loop", 169, -1, 170}
	LinuxPrio   = Prio{"100 + PRI of top, 120 for the idle loop", 100, 1, 120}
)

func (p Prio) of(pri int16) int { return p.Base + p.Sign*int(pri) }

// ftraceHeading is the heading of the kernel's file; a line on prio is added.
const ftraceHeading = `# tracer: nop
#
# entries-in-buffer/entries-written: 0/0   #P:%d
#
# simulated; prio is %s
#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
`

// NewFtrace begins a trace of so many CPUs.
func NewFtrace(w io.Writer, tell Teller, prio Prio, cpus int) *Ftrace {
	f := &Ftrace{w: bufio.NewWriter(w), tell: tell, prio: prio, cpus: make([]ftraceCPU, cpus)}
	for i := range f.cpus {
		f.cpus[i].runs, f.cpus[i].prev = sched.None, sched.None
	}
	f.printf(ftraceHeading, cpus, prio.Help)
	return f
}

// Observe implements Observer.
func (f *Ftrace) Observe(e *Event) {
	switch e.Kind {
	case Woke:
		f.wake(e.Thread).due = true
		f.wake(e.Thread).forked = e.Cause == sched.Forked
		f.wake(e.Thread).cpu = e.CPU
	case Queued:
		f.queued(e)
	case Off:
		c := &f.cpus[e.CPU]
		c.prev, c.pri, c.left = e.Thread, e.Pri, e.Cause
	case On:
		c := &f.cpus[e.CPU]
		t := f.tell.Thread(e.Thread)
		f.switched(e, fmt.Sprintf("next_comm=%s next_pid=%d next_prio=%d", comm(t), pid(t), f.prio.of(e.Pri)))
		c.runs = e.Thread
	case Idle:
		f.switched(e, fmt.Sprintf("next_comm=swapper/%d next_pid=0 next_prio=%d", e.CPU, f.prio.Idle))
		f.cpus[e.CPU].runs = sched.None
	default:
	}
}

func (f *Ftrace) wake(id sched.ThreadID) *ftraceWake {
	for int(id) >= len(f.woke) {
		f.woke = append(f.woke, ftraceWake{})
	}
	return &f.woke[id]
}

// queued writes the wake-up now that its target is known.
func (f *Ftrace) queued(e *Event) {
	w := f.wake(e.Thread)
	if !w.due {
		return
	}
	w.due = false
	t := f.tell.Thread(e.Thread)
	target := int(e.CPU)
	if target == sched.NoCPU {
		target = t.CPU // where it ran last: the queue is shared
	}
	name := "sched_wakeup"
	if w.forked {
		name = "sched_wakeup_new"
	}
	f.line(int(w.cpu), f.cpus[w.cpu].runs, "dNh3.", e.At, fmt.Sprintf("%s: comm=%s pid=%d prio=%d target_cpu=%03d",
		name, comm(t), pid(t), f.prio.of(e.Pri), target))
}

// switched writes a switch from what left the CPU, or from its idle loop.
func (f *Ftrace) switched(e *Event, next string) {
	c := &f.cpus[e.CPU]
	prev := fmt.Sprintf("prev_comm=swapper/%d prev_pid=0 prev_prio=%d prev_state=R", e.CPU, f.prio.Idle)
	if c.prev != sched.None {
		t := f.tell.Thread(c.prev)
		state := "R"
		switch c.left {
		case sched.Blocked:
			state = "S"
		case sched.Exited:
			state = "Z"
		default:
		}
		prev = fmt.Sprintf("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s", comm(t), pid(t), f.prio.of(c.pri), state)
	}
	f.line(int(e.CPU), c.prev, "d..2.", e.At, "sched_switch: "+prev+" ==> "+next)
	c.prev = sched.None
}

func (f *Ftrace) line(cpu int, runs sched.ThreadID, flags string, at clock.Time, text string) {
	task, id := "<idle>", int32(0)
	if runs != sched.None {
		t := f.tell.Thread(runs)
		task, id = comm(t), pid(t)
	}
	// Nine decimals, as `trace-cmd report -t` has them, so that no event loses its time.
	f.printf("%16s-%-7d [%03d] %s %5d.%09d: %s\n", task, id, cpu, flags, at/1_000_000_000, at%1_000_000_000, text)
}

// Close writes what is left.
func (f *Ftrace) Close() error {
	if f.err == nil {
		f.err = f.w.Flush()
	}
	return f.err
}

func (f *Ftrace) printf(format string, args ...any) {
	if f.err == nil {
		_, f.err = fmt.Fprintf(f.w, format, args...)
	}
}

// comm is a thread's name as the kernel keeps it: 15 octets.
func comm(t *sched.Thread) string {
	if len(t.Name) > 15 {
		return t.Name[:15]
	}
	return t.Name
}
