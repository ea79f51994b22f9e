package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// OpState is a thread's state before or after a single recorded class
// operation, with the field names of shared/reference/solaris/README.md.
type OpState struct {
	State       string `json:"state"` // O on CPU, R in a run queue, S asleep, T stopped
	Pri         int    `json:"pri"`
	CPUPri      int    `json:"cpupri"`
	Upri        int    `json:"upri"`
	Uprilim     int    `json:"uprilim"`
	Boost       int    `json:"boost"`
	UmdPri      int    `json:"umdpri"`
	TimeLeft    int    `json:"timeleft"`
	DispWait    int    `json:"dispwait"`
	Flags       int    `json:"flags"`
	Nice        int    `json:"nice"`
	KpriReq     int    `json:"kpri_req"`
	RanThisTick int    `json:"ran_this_tick"`
	MaxRunPri   int    `json:"maxrunpri"`
	Incr        int    `json:"incr"`
	ReqUprilim  int    `json:"req_uprilim"`
	ReqUpri     int    `json:"req_upri"`
	TrapRet     int    `json:"trapret"`
	Queue       string `json:"queue"`
	Surrender   int    `json:"surrender"`
	Ret         int    `json:"ret"`
}

// Replay runs one operation of the TS or IA class on a thread without a
// dispatcher and returns the state after it.
func Replay(op, class string, in OpState) (OpState, error) {
	c := newTS(DefaultTables().TS, tsStart)
	c.interactive = class == "IA"
	if !c.interactive && class != "TS" {
		return OpState{}, fmt.Errorf("class %q", class)
	}
	t := &sched.Thread{ID: 0, Bound: sched.NoCPU}
	switch in.State {
	case "O":
		t.State = sched.Running
	case "R":
		t.State = sched.Waiting
	case "S":
		t.State = sched.Sleeping
	case "T":
		t.State = sched.Embryo
	default:
		return OpState{}, fmt.Errorf("state %q", in.State)
	}
	f := &fakeDisp{t: t, pri: in.Pri, in: in}
	c.Init(f)
	x := c.th.At(0)
	*x = tsThread{
		cpupri: in.CPUPri, umdpri: in.UmdPri, upri: in.Upri, uprilim: in.Uprilim, nice: in.Nice,
		boost: in.Boost, timeleft: in.TimeLeft, dispwait: in.DispWait, flags: in.Flags,
	}
	ret, err := f.run(c, op, in)
	if err != nil {
		return OpState{}, err
	}
	return OpState{
		Pri: f.pri, CPUPri: x.cpupri, Upri: x.upri, Uprilim: x.uprilim, UmdPri: x.umdpri, TimeLeft: x.timeleft,
		DispWait: x.dispwait, Flags: x.flags, Nice: x.nice, TrapRet: f.trapret, Queue: f.queue,
		Surrender: f.surrender, Ret: ret,
	}, nil
}

// fakeDisp records what a class asks of the dispatcher.
type fakeDisp struct {
	t         *sched.Thread
	pri       int
	in        OpState
	queue     string
	surrender int
	trapret   int
}

func (f *fakeDisp) run(c *timeShare, op string, in OpState) (ret int, err error) {
	switch op {
	case "tick":
		c.Tick(f.t)
	case "sleep":
		c.Sleep(f.t)
	case "wakeup":
		c.Wakeup(f.t)
	case "setrun":
		c.SetRun(f.t)
	case "preempt":
		c.Preempt(f.t)
	case "yield":
		c.Yield(f.t)
	case "trapret":
		c.TrapRet(f.t)
	case "update":
		c.updateThread(f.t)
	case "donice":
		ret = c.Nice(f.t, in.Incr)
	case "parmsset":
		err = c.Set(f.t, &sched.Params{Priority: in.ReqUpri, Limit: in.ReqUprilim})
	default:
		err = fmt.Errorf("unknown operation %q", op)
	}
	return ret, err
}

func (f *fakeDisp) SetBackDQ(*sched.Thread)             { f.queue += "back" }
func (f *fakeDisp) SetFrontDQ(*sched.Thread)            { f.queue += "front" }
func (f *fakeDisp) Pri(*sched.Thread) int               { return f.pri }
func (f *fakeDisp) SetPri(_ *sched.Thread, pri int)     { f.pri = pri }
func (f *fakeDisp) Surrender(*sched.Thread)             { f.surrender = 1 }
func (f *fakeDisp) PostTrapRet(*sched.Thread)           { f.trapret = 1 }
func (f *fakeDisp) MaxRunPri(*sched.Thread) int         { return f.in.MaxRunPri }
func (f *fakeDisp) RanThisTick(*sched.Thread) bool      { return f.in.RanThisTick != 0 }
func (f *fakeDisp) KpriRequested(*sched.Thread) bool    { return f.in.KpriReq != 0 }
func (f *fakeDisp) CreationIndex(*sched.Thread) int     { return 0 }
func (f *fakeDisp) Thread(sched.ThreadID) *sched.Thread { return f.t }
func (f *fakeDisp) Note(*sched.Thread, sched.Reason)    {}

func (f *fakeDisp) ChangePri(t *sched.Thread, pri int, front bool) bool {
	f.pri = pri
	if t.State != sched.Waiting {
		return false
	}
	f.queue += "deq+"
	if front {
		f.SetFrontDQ(t)
	} else {
		f.SetBackDQ(t)
	}
	return true
}

// FSSInput is what newpri reads.
type FSSInput struct {
	FSSPri, ShUsage, Runnable, Ticks, MaxFSSPri uint64
	Shares                                      int64
}

// NewPriority is the arithmetic of fss_newpri on its own.
func NewPriority(in FSSInput) (fsspri uint64, umdpri int, maxfsspri uint64) {
	if in.Shares == 0 {
		return in.FSSPri, 0, in.MaxFSSPri
	}
	return newPriority(in.FSSPri, in.ShUsage, in.Runnable, in.Ticks, in.MaxFSSPri)
}

// DecayInput is what the once-a-second decay reads for one project.
type DecayInput struct {
	Usage, Ticks, Project, ZoneInternal, ZoneExternal, Set, MaxFSSPri uint64
}

// DecayUsage is the arithmetic of fss_decay_usage for one project.
func DecayUsage(in DecayInput) (usage, shusage, maxfsspri uint64) {
	usage = decayedUsage(in.Usage, in.Ticks)
	return usage, weighedUsage(usage, in.Set, in.ZoneInternal, in.Project, in.ZoneExternal), decayedMax(in.MaxFSSPri)
}

// FSSNice gives the tick cost and what is left of fsspri after a second (of
// 128) for a nice value.
func FSSNice(nice int) (cost, decay uint64) { return tickCost(nice), fssDecay(nice) }

// UserPriority is what a nice value means in a class.
func UserPriority(class string, nice int) int {
	if class == "FX" && nice > 0 {
		return 0 // positive nice has no effect
	}
	return niceToUpri(nice)
}
