package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/sched"
)

// maxJobs bounds the jobs in the background.
const maxJobs = 2000

// background starts a command with & behind it.
func (c *Console) background(x *exec, it *item) {
	if len(c.jobs) >= maxJobs {
		x.fail(fmt.Errorf("fork: Resource temporarily unavailable: %d jobs run already", maxJobs))
		return
	}
	id := 1
	if n := len(c.jobs); n > 0 {
		id = c.jobs[n-1].id + 1
	}
	j := &job{id: id, text: strings.TrimSpace(it.text)}
	j.x = x.child(it.cmd)
	j.x.in, j.x.job, j.x.fg = nil, j, false
	if b := x.std[1].buffer; b != nil {
		// Whoever reads the rest does not wait for this one.
		j.x.std[1] = stream{log: &logWriter{con: c, kind: Output}}
	}
	c.jobs = append(c.jobs, j)
	j.x.run(&c.steps)
	x.last, c.lastBackground = j.pid, j.pid
	if c.Notices {
		c.say(Output, fmt.Sprintf("[%d] %s", j.id, j.pidText()))
	}
	x.status = 0
}

func (j *job) pidText() string {
	if j.pid == 0 {
		return "-" // a command that the model runs without a process of its own
	}
	return strconv.Itoa(int(j.pid))
}

func (j *job) running() bool { return len(j.x.frames) > 0 }

func (j *job) state() string {
	switch {
	case j.running():
		return "Running"
	case j.x.status == 137 || j.x.status == 130:
		return "Killed"
	case j.x.status != 0:
		return fmt.Sprintf("Exit %d", j.x.status)
	}
	return "Done"
}

func (j *job) line(current bool) string {
	mark := " "
	if current {
		mark = "+"
	}
	amp := ""
	if j.running() {
		amp = " &"
	}
	return fmt.Sprintf("[%d]%s  %-24s%s%s", j.id, mark, j.state(), j.text, amp)
}

// notices tells of jobs that have ended and forgets them.
func (c *Console) notices() {
	n := len(c.jobs)
	for i, j := range c.jobs {
		if !j.running() && c.Notices && !j.told {
			c.say(Output, j.line(i == n-1))
		}
	}
	c.jobs = slices.DeleteFunc(c.jobs, func(j *job) bool { return !j.running() })
}

// jobOf finds a job by %N, %%, %+ or % and a name.
func (c *Console) jobOf(spec string) (*job, error) {
	name := strings.TrimPrefix(spec, "%")
	n, err := strconv.Atoi(name)
	for i := len(c.jobs) - 1; i >= 0; i-- {
		j := c.jobs[i]
		switch {
		case name == "" || name == "%" || name == "+",
			err == nil && j.id == n,
			err != nil && strings.HasPrefix(j.text, name):
			return j, nil
		}
	}
	return nil, fmt.Errorf("%s: no such job", Shorten(spec))
}

// Targets are the processes that a word of kill or wait names: a process id, or
// a job with all that it has started.
func (e *Env) Targets(word string) ([]sched.ThreadID, error) {
	if !strings.HasPrefix(word, "%") {
		found, err := e.Machine.Find("pid", []string{word})
		if err != nil {
			if _, bad := strconv.Atoi(word); bad != nil {
				return nil, fmt.Errorf("%s: arguments must be process or job IDs", Shown(word))
			}
			return nil, fmt.Errorf("(%s) - No such process", Shorten(word))
		}
		return found, nil
	}
	j, err := e.con.jobOf(word)
	if err != nil {
		return nil, err
	}
	all := e.con.family(j.threads...)
	if len(all) == 0 {
		j.x.kill(143)
	}
	return all, nil
}
