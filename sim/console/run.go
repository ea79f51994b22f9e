package console

import (
	"fmt"
	"strings"

	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

// simpleFrame runs one simple command.
type simpleFrame struct {
	s     *simple
	exp   expansion // of words
	texp  expansion // of redirections
	aexp  []expansion
	begun bool
	args  []string
	own   *exec // the command's own streams and attributes
	proc  Tool
}

// flows are the substitutions under way, if any.
func (f *simpleFrame) flows() []*exec {
	flows := append(f.exp.flows(), f.texp.flows()...)
	for i := range f.aexp {
		flows = append(flows, f.aexp[i].flows()...)
	}
	return flows
}

// interrupt lets the command say what it has to say when it is ended.
func (f *simpleFrame) interrupt() {
	if p, ok := f.proc.(Interrupted); ok {
		p.Interrupt(f.env())
	}
}

func (f *simpleFrame) env() *Env {
	return &Env{Machine: f.own.con.m, con: f.own.con, x: f.own, name: commandName(f.args)}
}

func commandName(args []string) string {
	if len(args) == 0 {
		return "bash"
	}
	return args[0][strings.LastIndexByte(args[0], '/')+1:]
}

func (f *simpleFrame) step(x *exec) progress {
	if !f.begun {
		p := f.begin(x)
		if p != goesOn {
			return p
		}
		f.begun = true
		e := f.env()
		f.proc, x.status = e.start(f.args)
		f.back(x)
		if f.proc == nil {
			return f.end(x)
		}
	}
	w := f.proc.Step(f.env())
	f.back(x)
	if w.Done {
		x.status = w.Status
		return f.end(x)
	}
	if f.own.broken {
		x.broken = true
		return goesOn
	}
	x.wait = w
	return blocked
}

// back takes over what the command did to the flow it runs in.
func (f *simpleFrame) back(x *exec) {
	x.threads = append(x.threads, f.own.threads...)
	f.own.threads = nil
	if f.own.jump != 0 {
		x.jump, x.levels = f.own.jump, f.own.levels
		f.own.jump = 0
	}
}

func (f *simpleFrame) end(x *exec) progress {
	if x.con.screenOf == f.own {
		x.con.leaveScreen()
	}
	if f.own.broken && len(x.frames) > 0 {
		x.broken = true
	}
	if f.own.in != nil && f.own.in != x.in {
		f.own.in.ignored = true
	}
	for i := 1; i < 3; i++ {
		if l := f.own.std[i].log; l != nil {
			l.flush()
		}
	}
	return ended
}

// begin expands the command. It returns goesOn when there is one to run.
func (f *simpleFrame) begin(x *exec) progress {
	args, p, err := f.exp.words(x, f.s.words)
	if p != ended {
		return p
	}
	if err != nil {
		return x.fail(err)
	}
	f.own = x.like()
	p, err = f.texp.redirect(x, f.own, f.s.redirs)
	if p != ended {
		return p
	}
	if err == nil {
		p, err = f.assign(x)
	}
	if err != nil {
		return x.fail(err)
	}
	if p != ended {
		return p
	}
	if len(args) == 0 {
		if len(f.s.words) == 0 && len(f.exp.done) == 0 && !f.substituted() {
			x.status = 0
		}
		return ended
	}
	f.args = args
	return goesOn
}

func (f *simpleFrame) substituted() bool {
	for _, e := range f.aexp {
		if len(e.done) > 0 {
			return true
		}
	}
	return false
}

func (f *simpleFrame) assign(x *exec) (progress, error) {
	if f.aexp == nil {
		f.aexp = make([]expansion, len(f.s.assigns))
	}
	values := make([]string, len(f.s.assigns))
	for i, a := range f.s.assigns {
		f.aexp[i].next = 0
		v, p, err := f.aexp[i].one(x, a.value)
		if p != ended || err != nil {
			return p, err
		}
		values[i] = v
	}
	for i, a := range f.s.assigns {
		if !x.vars.set(a.name, values[i]) {
			return ended, fmt.Errorf("%s: more than %d variables", a.name, maxVars)
		}
	}
	return ended, nil
}

// paths are where programs may be called by their whole names.
var paths = []string{
	"/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/", "/usr/ucb/", "/usr/local/bin/",
}

// start runs a command by its words: what nice, time and the like do too.
func (e *Env) start(args []string) (Tool, int) {
	name := args[0]
	for _, p := range paths {
		name = strings.TrimPrefix(name, p)
	}
	if prog, ok := strings.CutPrefix(name, "./"); ok {
		return e.program(prog, args)
	}
	c, ok := e.con.sys.find(name)
	if !ok {
		if strings.Contains(args[0], "/") {
			e.Complain(fmt.Sprintf("bash: %s: No such file or directory", Shown(args[0])))
		} else {
			e.Complain(fmt.Sprintf("bash: %s: command not found", Shown(args[0])))
		}
		return nil, 127
	}
	e.name = c.Name
	if c.Start != nil {
		return c.Start(e, args[1:])
	}
	return nil, c.Run(e, args[1:])
}

// Exec runs the command that a wrapper was given, with the attributes that the
// wrapper set.
func (e *Env) Exec(attr Attr, args []string) (Tool, int) {
	e.x.attr = attr
	return e.start(args)
}

// Attr is what the processes that are started now get.
func (e *Env) Attr() Attr { return e.x.attr }

// program starts ./NAME: a task of the scenario, or loop, which spins.
func (e *Env) program(name string, args []string) (Tool, int) {
	prog, ok := e.Machine.Program(name)
	if !ok && name == "loop" {
		prog, ok = workload.Forever, true
	}
	if !ok {
		e.Complain(fmt.Sprintf("bash: %s: No such file or directory", Shown(args[0])))
		return nil, 127
	}
	return e.Spawn(name, prog)
}

// Spawn starts a process and returns what waits for it.
func (e *Env) Spawn(name string, prog *workload.Program) (Tool, int) {
	shell, err := e.Machine.Shell()
	if err != nil {
		return nil, e.forkFailed(err)
	}
	t, err := e.Machine.Spawn(shell, name, prog)
	if err != nil {
		return nil, e.forkFailed(err)
	}
	e.x.started(t)
	if err := e.apply(t); err != nil {
		_ = e.Machine.Kill(t)
		return nil, e.Errorf("%s", err)
	}
	return &running{thread: t}, 0
}

func (e *Env) forkFailed(err error) int {
	e.Complain("bash: fork: " + err.Error())
	return 254
}

// apply gives a new process what the wrappers around it said.
func (e *Env) apply(t sched.ThreadID) error {
	a := e.x.attr
	if a.Project != "" {
		if err := e.Machine.MoveTo(t, a.Project); err != nil {
			return err
		}
	}
	if a.InSet {
		if err := e.Machine.Join(t, a.Set); err != nil {
			return err
		}
	}
	if a.Params != nil {
		if err := e.Machine.Change(t, *a.Params); err != nil {
			return err
		}
	}
	if a.Nice != 0 {
		if _, err := e.Machine.Nice(t, a.Nice); err != nil {
			return err
		}
	}
	return nil
}

// running waits for a process.
type running struct {
	thread sched.ThreadID
}

// Thread is the process that a tool from Spawn waits for.
func Thread(t Tool) (sched.ThreadID, bool) {
	r, ok := t.(*running)
	if !ok {
		return sched.None, false
	}
	return r.thread, true
}

func (r *running) Step(e *Env) Wait {
	p := e.Machine.Process(r.thread)
	if p.State != sched.Gone {
		return Wait{Event: true}
	}
	e.con.reap(p)
	if e.con.wasKilled(r.thread) {
		return Done(137)
	}
	return Done(0)
}

// reap adds the times of a process that was waited for.
func (c *Console) reap(p Process) {
	c.reaped[0] += p.User
	c.reaped[1] += p.System
}
