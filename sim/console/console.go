package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// MaxLine is the longest command line that is accepted, in bytes.
const MaxLine = 1 << 16

// maxQueue is how many lines may be typed ahead of a command that is busy.
const maxQueue = 1000

// Console is a shell on one machine. It is not safe for concurrent use.
type Console struct {
	sys *System
	m   Machine
	log Log

	// Notices lets the shell tell of jobs, as it does for somebody at a terminal.
	Notices bool

	front    *exec    // what the user waits for; nil: the prompt is shown
	queue    []string // lines typed ahead
	begun    string   // of a command that goes on in the next line
	keys     []rune
	screen   []string // what a program shows in place of the log
	screenOf *exec

	vars           *vars
	jobs           []*job
	quiet          []*exec // scenario commands that take time
	history        []string
	files          files
	status         int
	exited         bool
	lastBackground int32
	killed         []sched.ThreadID
	reaped         [2]clock.Duration // user and system time of processes waited for
	steps          int
	due            bool // something that a command watches has happened
	rebooting      *string
}

// job is a command in the background.
type job struct {
	id      int
	text    string
	x       *exec
	pid     int32
	threads []sched.ThreadID
	told    bool
}

// New returns a console on a machine.
func New(sys *System, m Machine) *Console {
	c := &Console{sys: sys, m: m, vars: &vars{}}
	c.vars.set("HOME", "/")
	c.vars.set("PATH", "/usr/sbin:/usr/bin")
	if sys.Installed != nil {
		for _, f := range sys.Installed(m) {
			_ = c.files.write(f[0], f[1]) // there is room for a few
		}
	}
	return c
}

// Prompt is what the shell shows before a line is typed.
func (c *Console) Prompt() string {
	if c.begun != "" {
		return "> "
	}
	return "# "
}

// Busy reports whether a command is in front.
func (c *Console) Busy() bool { return c.front != nil || len(c.queue) > 0 }

// Screen is what a program shows in place of the log; nil where none does.
func (c *Console) Screen() []string { return c.screen }

// Commands lists all commands of this machine by name.
func (c *Console) Commands() []Command { return c.sys.all() }

// Log is what was shown.
func (c *Console) Log() *Log { return &c.log }

// History is the lines typed so far.
func (c *Console) History() []string { return c.history }

// Status is the exit status of the last command in front.
func (c *Console) Status() int { return c.status }

// Exited reports whether exit was typed at the prompt.
func (c *Console) Exited() bool { return c.exited }

// Wake tells the console that something a command waits for may have happened.
func (c *Console) Wake() { c.due = true }

func (c *Console) say(kind LineKind, text string) {
	c.log.add(Line{At: c.m.Now(), Kind: kind, Text: text})
}

// Remark puts a sentence of ours into the log.
func (c *Console) Remark(text string) { c.say(Remark, text) }

// Enter types a line. It runs at once, or after the command that is in front. To
// a program that fills the screen it is keys.
func (c *Console) Enter(line string) {
	line = strings.TrimSuffix(line, "\n")
	switch {
	case c.screen != nil:
		for _, k := range line {
			c.Key(k)
		}
	case len(line) > MaxLine:
		c.say(Input, c.Prompt()+Shorten(line))
		c.say(Failure, fmt.Sprintf("bash: a line of %d bytes; at most %d are accepted", len(line), MaxLine))
		c.status = 2
	case len(c.queue) >= maxQueue:
		c.say(Failure, fmt.Sprintf("bash: more than %d lines wait for the command in front; this one is dropped", maxQueue))
	default:
		c.queue = append(c.queue, line)
	}
	c.Poll()
}

// leaveScreen gives the log back where the program itself has not. As on the
// terminals of the time, what it showed last stays there.
func (c *Console) leaveScreen() {
	for _, l := range c.screen {
		c.say(Output, l)
	}
	c.screen, c.screenOf = nil, nil
}

// End says that no more lines will come: a command that goes on in the next line is
// cut off.
func (c *Console) End() {
	if c.begun != "" {
		c.begun = ""
		c.say(Failure, "bash: syntax error: unexpected end of file")
		c.status = 2
	}
}

// Key presses a key for the program that fills the screen.
func (c *Console) Key(k rune) {
	if c.screen != nil && len(c.keys) < maxQueue {
		c.keys = append(c.keys, k)
		c.due = true
	}
}

// Interrupt is Ctrl-C: it ends the command in front and forgets lines typed
// ahead.
func (c *Console) Interrupt() {
	c.queue, c.begun = nil, ""
	x := c.front
	if x == nil {
		c.say(Input, c.Prompt()+"^C")
		c.status = 130
		return
	}
	c.say(Output, "^C")
	c.front = nil
	threads := x.all(nil)
	x.kill(130)
	c.leaveScreen()
	for _, t := range threads {
		c.kill(t)
	}
	c.status = 130
	c.Poll()
}

// kill ends a process and all that it forked.
func (c *Console) kill(t sched.ThreadID) {
	for _, p := range c.family(t) {
		c.killed = append(c.killed, p)
		_ = c.m.Kill(p)
	}
}

// family lists some processes and all that descend from them, as far as they
// live.
func (c *Console) family(of ...sched.ThreadID) []sched.ThreadID {
	in := map[int32]bool{} // only asked, never walked
	for _, t := range of {
		in[c.m.Process(t).PID] = true
	}
	var list []sched.ThreadID
	// Children come after their parents: their process ids are higher.
	for _, p := range c.m.Processes() {
		if in[p.PID] || in[p.PPID] {
			in[p.PID] = true
			if p.State != sched.Gone {
				list = append(list, p.ID)
			}
		}
	}
	return list
}

// Killed notes a process that a command ends, for the status of who waits.
func (e *Env) Killed(t sched.ThreadID) { e.con.killed = append(e.con.killed, t) }

func (c *Console) wasKilled(t sched.ThreadID) bool { return slices.Contains(c.killed, t) }

// Poll lets everything go on that is due.
func (c *Console) Poll() {
	c.due = false
	c.steps = maxIdle
	for c.pollOnce() {
	}
	if c.rebooting != nil {
		c.reboot()
		c.Poll() // what was typed ahead
	}
}

// pollOnce reports whether a command has ended, so that another may go on.
func (c *Console) pollOnce() bool {
	again := false
	for _, j := range c.jobs {
		if len(j.x.frames) > 0 && j.x.run(&c.steps) {
			again = true
		}
	}
	c.quiet = slices.DeleteFunc(c.quiet, func(x *exec) bool { return x.run(&c.steps) })
	if c.front != nil && c.front.run(&c.steps) {
		c.status = c.front.status
		c.exited = c.exited || c.front.exited
		c.leaveScreen()
		c.front = nil
		again = true
	}
	if c.front != nil || c.rebooting != nil {
		return again
	}
	c.notices()
	if len(c.queue) == 0 {
		return again
	}
	line := c.queue[0]
	c.queue = c.queue[1:]
	c.start(line)
	return true
}

// start runs a line in front.
func (c *Console) start(line string) {
	c.say(Input, c.Prompt()+line)
	src := line
	if c.begun != "" {
		src = c.begun + "\n" + line
	}
	l, err := parse(src)
	switch {
	case errors.Is(err, errIncomplete) && len(src) <= MaxLine:
		c.begun = src
		return
	case err != nil:
		c.begun = ""
		c.remember(src)
		c.say(Failure, "bash: "+err.Error())
		c.status = 2
		return
	}
	c.begun = ""
	c.remember(src)
	if len(l.items) > 0 {
		c.front = c.flow(l)
		c.front.fg = true
		c.keys = nil
	}
}

// flow is a new flow of control whose output goes to the log.
func (c *Console) flow(n node) *exec {
	x := &exec{con: c, vars: c.vars, status: c.status, last: c.lastBackground}
	x.std[1] = stream{log: &logWriter{con: c, kind: Output}}
	x.std[2] = stream{log: &logWriter{con: c, kind: Failure}}
	x.frames = []frame{begin(n)}
	return x
}

// keepHistory is how many lines are remembered.
const keepHistory = 1000

func (c *Console) remember(line string) {
	line = strings.TrimSpace(line)
	if line == "" || len(c.history) > 0 && c.history[len(c.history)-1] == line {
		return
	}
	if len(c.history) >= keepHistory {
		c.history = slices.Delete(c.history, 0, 1)
	}
	c.history = append(c.history, line)
}

// Next is when Poll is to be called again; ok is false while nothing waits for
// time.
func (c *Console) Next() (at clock.Time, ok bool) {
	var w Wait
	if c.front != nil {
		w = c.front.wait
	}
	for _, j := range c.jobs {
		if len(j.x.frames) > 0 {
			w = sooner(w, j.x.wait)
		}
	}
	for _, x := range c.quiet {
		w = sooner(w, x.wait)
	}
	if c.due {
		return c.m.Now(), true
	}
	return w.Until, w.Until != 0
}

// Listens reports whether a command waits for a process or for what it watches:
// Wake is to be called when a process exits.
func (c *Console) Listens() bool {
	if c.front != nil && c.front.wait.Event {
		return true
	}
	for _, j := range c.jobs {
		if len(j.x.frames) > 0 && j.x.wait.Event {
			return true
		}
	}
	return slices.ContainsFunc(c.quiet, func(x *exec) bool { return x.wait.Event })
}

// Do runs a line apart from what is typed and returns what it printed. What takes
// time goes on by itself; an error tells of a failure before that.
func (c *Console) Do(line string) (string, error) {
	l, err := c.sys.read(line)
	if err != nil {
		return "", err
	}
	x := c.flow(l)
	x.vars = c.vars.clone()
	out, failed := &buffer{}, &buffer{}
	x.std[1], x.std[2] = stream{buffer: out}, stream{buffer: failed}
	c.steps = maxIdle
	if !x.run(&c.steps) {
		x.std[1] = stream{log: &logWriter{con: c, kind: Output}}
		c.quiet = append(c.quiet, x)
	}
	if text := strings.TrimSpace(failed.text); text != "" || x.status != 0 && len(x.frames) == 0 {
		if text == "" {
			text = fmt.Sprintf("%s: exit status %d", Shorten(line), x.status)
		}
		first, _, _ := strings.Cut(text, "\n")
		return Plain(out.text), errors.New(strings.TrimPrefix(first, "bash: "))
	}
	if c.rebooting != nil {
		c.reboot()
	}
	return Plain(out.text), nil
}

// reboot starts the machine anew. What was typed and shown stays, and so do
// files; everything that ran is gone.
func (c *Console) reboot() {
	class := *c.rebooting
	c.rebooting = nil
	c.front, c.jobs, c.quiet, c.killed = nil, nil, nil, nil
	c.screen, c.screenOf = nil, nil
	c.lastBackground = 0
	c.files.reboot()
	if err := c.m.Reboot(class); err != nil {
		c.say(Failure, "reboot: "+err.Error())
		return
	}
	c.say(Remark, "The machine has booted: its clock begins at zero, and nothing that was started runs any more.")
}
