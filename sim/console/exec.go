package console

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// exec is one flow of control: the line in front, a background job, a stage of a
// pipeline, a substitution. Its frames say where it is in its commands.
type exec struct {
	con    *Console
	frames []frame
	vars   *vars
	in     *buffer // nil: nothing can be read
	std    [3]stream
	status int
	wait   Wait // of a blocked one
	attr   Attr // of the processes it starts
	broken bool // nobody reads what it writes
	jump   byte // 'b' break, 'c' continue, 'x' exit: unwinding
	levels int  // of break and continue
	exited bool // by exit
	dead   bool
	killed int // status with which it died
	job    *job
	last   int32 // process id of the last job put into the background
	fg     bool  // in front of the user, who may press keys
	// threads are the processes started here, for Ctrl-C and kill %N.
	threads []sched.ThreadID
}

// frame is one command that is under way.
type frame interface {
	// step goes on. It may push a frame, end with a status or wait.
	step(x *exec) progress
}

type progress uint8

const (
	goesOn  progress = iota // something was done, or a frame was pushed
	ended                   // x.status is the frame's
	blocked                 // x.wait says for what
)

func (x *exec) push(f frame) progress {
	x.frames = append(x.frames, f)
	return goesOn
}

// maxIdle is how many steps a command line may make while no time passes.
const maxIdle = 200_000

// run goes on until x has ended or waits, or steps are used up. It reports
// whether x has ended.
func (x *exec) run(steps *int) bool {
	for len(x.frames) > 0 && !x.dead {
		if *steps--; *steps < 0 {
			x.std[2].write(fmt.Sprintf("bash: more than %d steps in which no time passes; stopped\n", maxIdle))
			x.kill(130)
			return true
		}
		if x.broken {
			x.kill(141) // as SIGPIPE does
			return true
		}
		top := len(x.frames) - 1
		if x.jump != 0 && x.unwind(x.frames[top]) {
			continue
		}
		did := x.frames[top].step(x)
		if x.dead { // a command may kill the job that it belongs to: kill %1 &
			x.frames, x.status = nil, x.killed
			break
		}
		switch did {
		case ended:
			x.frames = x.frames[:len(x.frames)-1]
		case blocked:
			return false
		case goesOn:
		}
	}
	x.wait = Wait{}
	x.flush()
	return true
}

// unwind drops a frame that a jump leaves; it reports whether it did.
func (x *exec) unwind(f frame) bool {
	if l, ok := f.(looping); ok && x.jump != 'x' {
		if x.levels--; x.levels <= 0 {
			if x.jump == 'b' {
				l.leave()
			}
			x.jump = 0
			return false
		}
	}
	x.frames = x.frames[:len(x.frames)-1]
	if len(x.frames) == 0 {
		x.exited, x.jump = x.jump == 'x', 0
	}
	return true
}

// looping is a frame that break and continue end at.
type looping interface{ leave() }

// below visits the flows that run within x: stages of a pipeline, groups,
// substitutions.
func (x *exec) below(visit func(*exec)) {
	for i := len(x.frames) - 1; i >= 0; i-- {
		if f, ok := x.frames[i].(nesting); ok {
			for _, c := range f.flows() {
				visit(c)
			}
		}
	}
}

// nesting is a frame within which other flows run.
type nesting interface{ flows() []*exec }

// kill ends x and what runs within it. The processes that were started are others'
// to end, see all.
func (x *exec) kill(status int) {
	x.below(func(c *exec) { c.kill(status) })
	if n := len(x.frames); n > 0 {
		if f, ok := x.frames[n-1].(*simpleFrame); ok {
			f.interrupt()
		}
	}
	x.frames, x.status, x.killed, x.dead = nil, status, status, true
	x.wait = Wait{}
	x.flush()
}

// all collects the processes that x and what runs within it have started.
func (x *exec) all(threads []sched.ThreadID) []sched.ThreadID {
	threads = append(threads, x.threads...)
	x.below(func(c *exec) { threads = c.all(threads) })
	return threads
}

func (x *exec) flush() {
	for i := 1; i < len(x.std); i++ {
		if l := x.std[i].log; l != nil {
			l.flush()
		}
	}
	if b := x.std[1].buffer; b != nil {
		b.ended = true
	}
	if x.in != nil {
		x.in.ignored = true
	}
}

// like is a flow that begins as x is, without its commands.
func (x *exec) like() *exec {
	return &exec{con: x.con, vars: x.vars, in: x.in, std: x.std, status: x.status, attr: x.attr, job: x.job, fg: x.fg, last: x.last}
}

// child is a new flow below x, with variables of its own.
func (x *exec) child(n node) *exec {
	c := x.like()
	c.vars = x.vars.clone()
	c.frames = []frame{begin(n)}
	return c
}

// begin is the frame of a command.
func begin(n node) frame {
	switch n := n.(type) {
	case *list:
		return &listFrame{l: n}
	case *andOr:
		return &andOrFrame{a: n}
	case *pipeline:
		return &pipeFrame{p: n}
	case *simple:
		return &simpleFrame{s: n}
	case *forLoop:
		return &forFrame{f: n}
	case *whileLoop:
		return &whileFrame{w: n}
	case *ifClause:
		return &ifFrame{c: n}
	case *group:
		return &groupFrame{g: n}
	}
	panic("console: a command of no kind") // the parser makes no other
}

// started notes a process that was started, for job control.
func (x *exec) started(t sched.ThreadID) {
	x.threads = append(x.threads, t)
	if x.job != nil {
		x.job.threads = append(x.job.threads, t)
		if x.job.pid == 0 {
			x.job.pid = x.con.m.Process(t).PID
		}
	}
}

// sooner joins what two flows wait for.
func sooner(a, b Wait) Wait {
	if a.Until == 0 || b.Until != 0 && b.Until < a.Until {
		a.Until = b.Until
	}
	a.Event = a.Event || b.Event
	a.Input = a.Input || b.Input
	return a
}

func clockText(d clock.Duration) string {
	ms := int64(d) / int64(clock.Millisecond)
	return fmt.Sprintf("%dm%d.%03ds", ms/60_000, ms/1000%60, ms%1000)
}
