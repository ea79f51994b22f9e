package linux22

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/stats"
	"strandscope/sim/workload"
)

var top = console.Command{
	Name:     "top",
	Synopsis: "top [-b] [-i] [-n COUNT] [-d SECONDS] [-p PID[,PID…]]",
	Help:     "shows the processes that use most CPU time, again and again",
	Man: `top reads all of /proc, waits a second, and from then on shows what was used
since it last read, every 5 seconds or SECONDS. In front of you it fills the
screen; -b, or a pipe, has it print frame after frame. -n ends it after so many,
-i leaves idle processes out, -p shows some only.

%CPU is of one CPU and cut to tenths; TIME is minutes and seconds of the clock
ticks charged. PRI is 20 less half the ticks that a task has left: it tells who
has just used its slice up (20), not who matters. "idle" is what is left of one
CPU: with one CPU's worth of work it says 0.0 on any box. A task with nice above 0
counts under "user" and under "nice".

top is a process of the simulated machine. Each look costs it 40 ms of a CPU (what
the mail's share of system time leaves room for), and it runs while it looks, so
that it counts itself. On a busy box a look takes longer than that.

Keys: q quits, space looks at once (that look is free), P sorts by %CPU, T by
TIME, N by PID, i hides the idle, h helps. Memory figures are decoration. System
time is 0.0: the model charges whole ticks to who runs. -q, which never rests, and
the keys that kill and renice are not modelled.`,
	Options:  []string{"-b", "-i", "-n COUNT", "-d SECONDS", "-p PID"},
	Complete: console.CompletePIDs,
	Start:    startTop,
}

// topLook is what top's look at all of /proc costs; see the scenario
// linux22-250-hogs.
const topLook = 40 * clock.Millisecond

// screenLines is the height of the screen.
const screenLines = 24

// topTool is top under way.
type topTool struct {
	*service
	sums  stats.Top
	frame *stats.TopFrame // read, and to be shown when the look is over
	shown *stats.TopFrame

	batch, busy bool
	pids        []int32
	order       stats.TopOrder
	message     string
	help        bool

	looks, rests int // of the service, as last seen
}

// topOptions are what the command line says.
type topOptions struct {
	batch, busy bool
	count       int64 // 0: no end
	delay       clock.Duration
	pids        []int32
}

func startTop(e *console.Env, args []string) (console.Tool, int) {
	o := topOptions{delay: 5 * clock.Second}
	if err := o.read(args); err != "" {
		e.Complain("top: " + err)
		e.Complain("usage: top [-b] [-i] [-n count] [-d delay] [-p pid]")
		return nil, 1
	}
	prog, err := o.program()
	if err != nil {
		return nil, e.Errorf("%s", err)
	}
	s, status := serve(e, "top", prog)
	if s == nil {
		return nil, status
	}
	t := &topTool{service: s, batch: o.batch || !e.Foreground(), busy: o.busy, pids: o.pids}
	if !t.batch {
		e.Screen([]string{})
	}
	return t, 0
}

// read takes the options, with or without dashes, as top does. It returns what is
// wrong with them.
func (o *topOptions) read(args []string) string {
	for len(args) > 0 {
		word := strings.TrimPrefix(args[0], "-")
		args = args[1:]
		for word != "" {
			c := word[0]
			word = word[1:]
			switch c {
			case 'b':
				o.batch = true
			case 'i':
				o.busy = true
			case 'c', 'C', 's', 'S': // nothing here looks different for them
			case 'q':
				return "-q never rests between two looks, which is not modelled; -d 0.1 comes close"
			case 'n', 'd', 'p':
				if word == "" {
					if len(args) == 0 {
						return fmt.Sprintf("-%c requires an argument", c)
					}
					word, args = args[0], args[1:]
				}
				if err := o.value(c, word); err != "" {
					return err
				}
				word = ""
			default:
				return fmt.Sprintf("Unknown argument `%c'", c)
			}
		}
	}
	return ""
}

func (o *topOptions) value(c byte, word string) string {
	switch c {
	case 'n':
		n, err := strconv.ParseUint(word, 10, 31)
		if err != nil || n == 0 {
			return fmt.Sprintf("Bad number of iterations `%s'", console.Shorten(word))
		}
		o.count = int64(n)
	case 'd':
		d, ok := delay(word)
		if !ok {
			return fmt.Sprintf("Bad delay time `%s'", console.Shorten(word))
		}
		o.delay = d
	default:
		pids, err := ids(word)
		if err != nil {
			return fmt.Sprintf("Bad pid `%s'", err)
		}
		o.pids = append(o.pids, pids...)
	}
	return ""
}

// delay reads seconds, with a fraction down to a clock tick.
func delay(word string) (clock.Duration, bool) {
	whole, part, _ := strings.Cut(word, ".")
	s, err := strconv.ParseUint("0"+whole, 10, 31)
	f, err2 := strconv.ParseUint((part + "000")[:3], 10, 31)
	d := clock.Duration(s)*clock.Second + clock.Duration(f)*clock.Millisecond
	return d, err == nil && err2 == nil && s <= maxDelay && len(part) <= 3 && d >= clock.Second/hz
}

// program is what top does to the machine: it looks, waits a second, and looks
// after each delay.
func (o *topOptions) program() (*workload.Program, error) {
	b := &workload.Builder{}
	look := func(rest clock.Duration) {
		b.Do(workload.Instr{Op: workload.Run, D: topLook})
		if rest > 0 {
			b.Do(workload.Instr{Op: workload.Sleep, D: rest})
		}
	}
	look(clock.Second)
	if o.count == 0 {
		b.Repeat(-1, func() { look(o.delay) })
	} else {
		b.Repeat(o.count-1, func() { look(o.delay) })
		look(0)
	}
	return b.Program()
}

// Step implements console.Tool.
func (t *topTool) Step(e *console.Env) console.Wait {
	w := t.proc.Step(e)
	for k := e.Key(); k != 0 && !t.batch; k = e.Key() {
		if k == 'q' {
			t.leave(e)
			return console.Done(0)
		}
		t.key(e, k)
	}
	if t.served > t.looks {
		t.looks = t.served
		t.frame = t.look(e)
		if t.looks == 1 {
			t.frame = nil // there is nothing to compare with yet
		}
	}
	over := w.Done && w.Status == 0
	if t.slept > t.rests || over {
		t.rests = t.slept
		if t.frame != nil {
			t.show(e, t.frame)
			t.frame = nil
		}
	}
	if w.Done {
		t.leave(e)
	}
	return w
}

func (t *topTool) look(e *console.Env) *stats.TopFrame {
	f := t.sums.Look(e.Machine.Now(), header(e), tasks(e, t.thread))
	f.Keep(t.pids, t.busy)
	return f
}

func (t *topTool) show(e *console.Env, f *stats.TopFrame) {
	t.shown = f
	f.Sort(t.order)
	if !t.batch {
		t.draw(e)
		return
	}
	for _, l := range f.Lines(math.MaxInt, console.Decorate) {
		e.Println(l)
	}
	e.Println("")
}

// messageLine is the blank line of top's head, where it also talks to its user.
const messageLine = 5

func (t *topTool) draw(e *console.Env) {
	if t.help {
		e.Screen(strings.Split(topHelp, "\n"))
		return
	}
	if t.shown == nil {
		return
	}
	lines := t.shown.Lines(screenLines, console.Decorate)
	lines[messageLine], t.message = t.message, ""
	e.Screen(lines)
}

const topHelp = `Proc-Top, on a simulated machine

Interactive commands are:

space   Look now
h or ?  Print this list
i       Toggle the display of idle processes, from the next look on
N       Sort by pid
P       Sort by CPU usage
T       Sort by time
q       Quit

Press any key to continue`

// key is a command of the user's, other than q.
func (t *topTool) key(e *console.Env, k rune) {
	if t.help {
		t.help = false
		t.draw(e)
		return
	}
	orders := map[rune]stats.TopOrder{'P': stats.TopByCPU, 'T': stats.TopByTime, 'N': stats.TopByPID}
	by, sorts := orders[k]
	switch {
	case sorts:
		t.order = by
	case k == 'h' || k == '?':
		t.help = true
	case k == 'i':
		t.busy = !t.busy
		t.message = "Idle processes are shown from the next look on"
		if t.busy {
			t.message = "Idle processes are hidden from the next look on"
		}
	case k == ' ' && t.looks > 0:
		t.show(e, t.look(e))
		return
	case k == ' ', k == '\n', k == '\r':
	default:
		t.message = fmt.Sprintf("Unknown command `%c' -- hit `h' for help", k)
	}
	if t.shown != nil {
		t.shown.Sort(t.order)
	}
	t.draw(e)
}

// leave ends the process and, where the screen was filled, leaves what was last
// on it behind, as a terminal does.
func (t *topTool) leave(e *console.Env) {
	t.end()
	if t.batch {
		return
	}
	e.Screen(nil)
	if t.shown != nil {
		for _, l := range t.shown.Lines(screenLines, console.Decorate) {
			e.Println(l)
		}
	}
}

// Interrupt implements console.Interrupted.
func (t *topTool) Interrupt(e *console.Env) { t.leave(e) }
