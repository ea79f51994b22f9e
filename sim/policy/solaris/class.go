package solaris

import "strandscope/sim/sched"

// Class is what a scheduling class does for the dispatcher: the entries of the
// kernel's thread_ops_t that are modelled. All act on one thread; only the
// class writes the thread's quantum, levels and flags.
type Class interface {
	Name() string
	// Init prepares the class; d stays valid for the whole run.
	Init(d Disp)
	// Enter takes a thread into the class.
	Enter(t *sched.Thread, p *sched.Params) error
	// Fork takes a child into its parent's class.
	Fork(parent, child *sched.Thread)
	// ForkRet makes the parent pay for a fork and queues it.
	ForkRet(parent *sched.Thread)
	// Set is priocntl on a thread of the class: user priority and limit.
	Set(t *sched.Thread, p *sched.Params) error
	// Requeue makes the thread's present priority count wherever it is: on CPU,
	// in a queue, asleep.
	Requeue(t *sched.Thread)
	// Nice adds to the nice value and returns the new one, −20…19.
	Nice(t *sched.Thread, incr int) int
	SetRun(t *sched.Thread)
	Wakeup(t *sched.Thread)
	Sleep(t *sched.Thread)
	Exit(t *sched.Thread)
	Preempt(t *sched.Thread)
	Yield(t *sched.Thread)
	Tick(t *sched.Thread)
	// Quiet is how many coming ticks of the running t only count; Skip is so many of
	// them at once.
	Quiet(t *sched.Thread) int64
	Skip(t *sched.Thread, n int64)
	TrapRet(t *sched.Thread)
	// Update is the once-a-second work on all threads of the class.
	Update()
	// Show fills in what tables and panels show of a thread.
	Show(t *sched.Thread, s *Shown)
}

// Shown is what a class shows of one thread. Figures that a class does not
// have stay at their zero value.
type Shown struct {
	Level    int // cpupri of TS and IA, user priority of FX and RT
	UserPri  int // umdpri
	Upri     int
	Uprilim  int
	Nice     int
	TimeLeft int // ticks
	Quantum  int // ticks; 0: infinite or none
	DispWait int
	Flags    int
	FSSPri   uint64
	Ticks    uint64
	Usage    uint64 // of the project
	ShUsage  uint64
	Shares   int
}

// Flags shown, with the kernel's values (README.md, "Row formats").
const (
	flagKPRI    = 1
	flagBACKQ   = 2
	flagIA      = 4
	flagIASET   = 8
	flagRESTORE = 32
)

// Disp is what the dispatcher lends a class. Replaying recorded operations
// needs only a fake of it.
type Disp interface {
	// SetBackDQ and SetFrontDQ queue a thread.
	SetBackDQ(t *sched.Thread)
	SetFrontDQ(t *sched.Thread)
	// Pri is the global priority. SetPri stores it without moving the thread.
	Pri(t *sched.Thread) int
	SetPri(t *sched.Thread, pri int)
	// ChangePri stores the priority; a waiting thread is taken out of its queue
	// and put in again, and requeued is true.
	ChangePri(t *sched.Thread, pri int, front bool) (requeued bool)
	// Surrender asks t's CPU to take a preemption.
	Surrender(t *sched.Thread)
	// PostTrapRet makes t pass through TrapRet before it runs user code again.
	PostTrapRet(t *sched.Thread)
	// MaxRunPri is the best priority waiting at t's CPU, −1 if none.
	MaxRunPri(t *sched.Thread) int
	// RanThisTick: t last left a CPU in this very tick.
	RanThisTick(t *sched.Thread) bool
	// KpriRequested: t holds a kernel lock that asks for priority 60.
	KpriRequested(t *sched.Thread) bool
	// CreationIndex numbers threads in order of creation, kernel threads left
	// out: it decides a thread's update list.
	CreationIndex(t *sched.Thread) int
	// Thread returns a thread by id.
	Thread(id sched.ThreadID) *sched.Thread
	// Note reports something worth a line.
	Note(t *sched.Thread, why sched.Reason)
}

// mustSurrender: something better waits at t's CPU.
func mustSurrender(d Disp, t *sched.Thread) bool { return d.Pri(t) < d.MaxRunPri(t) }

// quiet is how many ticks leave something of a quantum, if nothing better waits.
func quiet(d Disp, t *sched.Thread, timeleft int) int64 {
	if mustSurrender(d, t) {
		return 0
	}
	return int64(max(0, timeleft-1))
}

// updateLists are the 16 lists in which a class keeps its threads for the
// once-a-second update: thread k (in order of creation) is in list k mod 16,
// the newest at the head. The walk starts at a marker, which moves on to the
// first other list in which something was changed, so that no list is always
// first (ts.c:ts_update, fss.c:fss_update; README convention 5).
type updateLists struct {
	lists  [16][]sched.ThreadID // oldest first: walked backwards
	marker int
}

func (u *updateLists) add(d Disp, t *sched.Thread) {
	n := d.CreationIndex(t) & 15
	u.lists[n] = append(u.lists[n], t.ID)
}

func (u *updateLists) remove(d Disp, t *sched.Thread) {
	list := &u.lists[d.CreationIndex(t)&15]
	for i, id := range *list {
		if id == t.ID {
			*list = append((*list)[:i], (*list)[i+1:]...)
			return
		}
	}
}

// walk calls visit for every thread; visit reports whether it computed a new
// level for the thread.
func (u *updateLists) walk(d Disp, visit func(t *sched.Thread) bool) {
	first, next := u.marker, -1
	for i := range u.lists {
		n := (first + i) & 15
		changed := false
		list := u.lists[n]
		for j := len(list) - 1; j >= 0; j-- {
			if visit(d.Thread(list[j])) {
				changed = true
			}
		}
		if changed && next < 0 && n != first {
			next = n
		}
	}
	if next >= 0 {
		u.marker = next
	}
}
