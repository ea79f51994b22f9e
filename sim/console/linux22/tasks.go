package linux22

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// hz is the clock rate of the kernel, in which /proc counts time.
const hz = 100

// jiffies are the clock ticks in a span.
func jiffies(d clock.Duration) int64 { return int64(d) * hz / int64(clock.Second) }

// tasks are the processes as /proc lists them. Whoever looks runs.
func tasks(e *console.Env, looker sched.ThreadID) []stats.TopTask {
	var list []stats.TopTask
	for _, p := range e.Machine.Processes() {
		t := stats.TopTask{ID: p.ID, PID: p.PID, Name: p.Name, State: letter(&p), Priority: p.Priority, Nice: p.Nice, Ticks: p.Ticks}
		if p.ID == looker {
			t.State = 'R'
		}
		list = append(list, t)
	}
	return list
}

// letter is the state as the kernel writes it.
func letter(p *console.Process) byte {
	switch {
	case p.Zombie:
		return 'Z'
	case p.State == sched.Sleeping:
		return 'S'
	}
	return 'R'
}

// header is what uptime prints.
func header(e *console.Env) string {
	b := e.Machine.Boot()
	return stats.LinuxUptime(e.Machine.Now(), b.Clock, b.Up, b.Users, e.Machine.LoadText())
}

// session is the processes that belong to the shell's terminal: the shell and
// all that came from it.
type session struct{ pids []int32 }

func newSession(e *console.Env, list []console.Process) session {
	var s session
	if id, err := e.Machine.Shell(); err == nil {
		s.pids = append(s.pids, e.Machine.Process(id).PID)
	}
	// Children have greater ids than their parents: one pass finds all.
	for _, p := range list {
		if s.has(p.PPID) {
			s.pids = append(s.pids, p.PID)
		}
	}
	return s
}

func (s session) has(pid int32) bool { return slices.Contains(s.pids, pid) }

// ids reads process ids separated by commas.
func ids(word string) ([]int32, error) {
	var list []int32
	for _, part := range strings.Split(word, ",") {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || n == 0 {
			return nil, errors.New(console.Shorten(part))
		}
		list = append(list, int32(n))
	}
	return list, nil
}
