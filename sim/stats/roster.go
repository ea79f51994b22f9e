package stats

import "strandscope/sim/sched"

// Roster is whom an observer asks for what events do not carry: names, and what
// a policy keeps of a thread at the moment. Threads are asked about only after
// they were made runnable for the first time.
type Roster interface {
	// Thread returns a thread; it is only to be read.
	Thread(id sched.ThreadID) *sched.Thread
	// Standing is how the policy sees a thread now.
	Standing(id sched.ThreadID) Standing
	// SetOf is the processor set of a CPU, −1 while it is off-line.
	SetOf(cpu int) int
	// ProjectName names a project or control group.
	ProjectName(g sched.GroupID) string
}

// Standing is how a policy sees a thread.
type Standing struct {
	Class    string
	Priority int // global; −1 without one
	Nice     int
	// QuantumUp: it has a quantum, and that has run out.
	QuantumUp bool
	// Shares of its project and of that project's zone, where the thread's
	// class divides CPUs by shares (Fair).
	Fair               bool
	Shares, ZoneShares int
	Zone               int
}

// naming numbers the names of threads in the order in which they are met. A
// name of the kernel's own is told apart.
type naming struct {
	roster Roster
	of     []int32 // by thread; −1: not asked yet
	list   []string
	kernel []bool
	index  map[string]int32 // looked up only, never walked
}

func newNaming(r Roster) naming { return naming{roster: r, index: map[string]int32{}} }

// name returns the number of a thread's name.
func (n *naming) name(id sched.ThreadID) int {
	n.of = grown(n.of, id, -1)
	if n.of[id] < 0 {
		t := n.roster.Thread(id)
		text := t.Name
		if t.Kernel {
			text += " (kernel)"
		}
		i, known := n.index[text]
		if !known {
			i = int32(len(n.list))
			n.index[text] = i
			n.list = append(n.list, text)
			n.kernel = append(n.kernel, t.Kernel)
		}
		n.of[id] = i
	}
	return int(n.of[id])
}

// grown returns a table by thread that has a row for id; new rows are zero.
func grown[T any](rows []T, id sched.ThreadID, zero T) []T {
	for int(id) >= len(rows) {
		rows = append(rows, zero)
	}
	return rows
}
