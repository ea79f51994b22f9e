package solaris

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/sched"
)

// state is a TS thread at level 29 on a CPU with nothing better waiting.
func state(change func(s *OpState)) OpState {
	s := OpState{State: "O", Pri: 29, CPUPri: 29, UmdPri: 29, TimeLeft: 12, MaxRunPri: -1}
	if change != nil {
		change(&s)
	}
	return s
}

// facts is what an operation left behind, in a few words.
func facts(s OpState) string {
	text := fmt.Sprintf("pri %d level %d left %d wait %d", s.Pri, s.CPUPri, s.TimeLeft, s.DispWait)
	for _, f := range []struct {
		bit  int
		name string
	}{{flagKPRI, "KPRI"}, {flagBACKQ, "BACKQ"}} {
		if s.Flags&f.bit != 0 {
			text += " " + f.name
		}
	}
	if s.Queue != "" {
		text += ", to the " + s.Queue
	}
	if s.Surrender != 0 {
		text += ", surrenders"
	}
	if s.TrapRet != 0 {
		text += ", trap return due"
	}
	return text
}

// FACTS §3.3 to §3.6, a sentence each.
func TestTimeSharingOperationsDoWhatTheFactsSay(t *testing.T) {
	for _, c := range []struct {
		name, class, op string
		in              func(s *OpState)
		want            string
	}{
		{"a tick takes one from the quantum", "TS", "tick", nil, "pri 29 level 29 left 11 wait 0"},
		{
			"the last tick lowers the level and surrenders, even alone", "TS", "tick", func(s *OpState) { s.TimeLeft, s.DispWait = 1, 3 },
			"pri 19 level 19 left 0 wait 0 BACKQ, surrenders",
		},
		{
			"timeleft stays below zero until the preemption is taken", "TS", "tick", func(s *OpState) { s.TimeLeft = 0 },
			"pri 19 level 19 left -1 wait 0 BACKQ, surrenders",
		},
		{
			"something better waits: to the back as well", "TS", "tick", func(s *OpState) { s.MaxRunPri = 30 },
			"pri 29 level 29 left 11 wait 0 BACKQ, surrenders",
		},
		{"something equal waits: nothing happens", "TS", "tick", func(s *OpState) { s.MaxRunPri = 29 }, "pri 29 level 29 left 11 wait 0"},
		{
			"in kernel priority a tick is not charged", "TS", "tick", func(s *OpState) { s.Flags, s.TimeLeft = flagKPRI, 1 },
			"pri 29 level 29 left 1 wait 0 KPRI",
		},
		{
			"level 0 stays at 0", "TS", "tick", func(s *OpState) { s.CPUPri, s.UmdPri, s.Pri, s.TimeLeft = 0, 0, 0, 1 },
			"pri 0 level 0 left 0 wait 0 BACKQ, surrenders",
		},

		{
			"preempted by a better thread: to the front, quantum kept", "TS", "preempt", func(s *OpState) { s.TimeLeft, s.DispWait = 5, 1 },
			"pri 29 level 29 left 5 wait 1, to the front",
		},
		{
			"preempted at the end of the quantum: to the back with a new one", "TS", "preempt",
			func(s *OpState) { s.Flags, s.TimeLeft, s.DispWait = flagBACKQ, 0, 1 }, "pri 29 level 29 left 12 wait 0, to the back",
		},
		{
			"BACKQ in kernel priority: to the back, quantum kept", "TS", "preempt",
			func(s *OpState) { s.Flags, s.TimeLeft = flagBACKQ|flagKPRI, 3 }, "pri 29 level 29 left 3 wait 0 KPRI, to the back",
		},

		{"yielding keeps what is left", "TS", "yield", func(s *OpState) { s.TimeLeft = 5 }, "pri 29 level 29 left 5 wait 0, to the back"},
		{
			"yielding with nothing left counts as expiry first", "TS", "yield", func(s *OpState) { s.TimeLeft = 0 },
			"pri 19 level 19 left 16 wait 0, to the back",
		},

		{
			"trap return lifts who waited longer than maxwait", "TS", "trapret", func(s *OpState) { s.DispWait = 1 },
			"pri 52 level 52 left 4 wait 0",
		},
		{
			"and surrenders if something better waits even then", "TS", "trapret", func(s *OpState) { s.DispWait, s.MaxRunPri = 1, 53 },
			"pri 52 level 52 left 4 wait 0, surrenders",
		},
		{"trap return of one that did not wait does nothing", "TS", "trapret", func(s *OpState) { s.MaxRunPri = 59 }, "pri 29 level 29 left 12 wait 0"},
		{
			"trap return gives up the kernel priority", "TS", "trapret", func(s *OpState) { s.Flags, s.Pri = flagKPRI, 60 },
			"pri 29 level 29 left 12 wait 0",
		},

		{
			"the update lifts a waiter at once and requeues it", "TS", "update", func(s *OpState) { s.State = "R" },
			"pri 52 level 52 left 4 wait 0, to the deq+back",
		},
		{
			"the update lifts a sleeper too, to the back at its next preemption", "TS", "update", func(s *OpState) { s.State = "S" },
			"pri 52 level 52 left 12 wait 0 BACKQ",
		},
		{"a thread on CPU is only asked to pass through trap return", "TS", "update", nil, "pri 29 level 29 left 12 wait 1, trap return due"},
		{
			"umdpri 59 is exempt for 32,000 s", "TS", "update", func(s *OpState) { s.State, s.CPUPri, s.UmdPri, s.Pri = "R", 59, 59, 59 },
			"pri 59 level 59 left 12 wait 1",
		},
		{
			"maxwait is looked up by umdpri, not by the level", "TS", "update",
			func(s *OpState) { s.State, s.Upri, s.UmdPri, s.Pri = "R", 60, 59, 59 }, "pri 59 level 29 left 12 wait 1",
		},
		{
			"in kernel priority the update only counts", "TS", "update", func(s *OpState) { s.State, s.Flags, s.Pri = "R", flagKPRI, 60 },
			"pri 60 level 29 left 12 wait 1 KPRI",
		},

		{"an ordinary sleep changes nothing", "TS", "sleep", func(s *OpState) { s.TimeLeft = 3 }, "pri 29 level 29 left 3 wait 0"},
		{"a sleep after waiting too long lifts", "TS", "sleep", func(s *OpState) { s.DispWait = 1 }, "pri 52 level 52 left 4 wait 0"},
		{
			"a sleep with a kernel lock raises to 60", "TS", "sleep", func(s *OpState) { s.KpriReq = 1 },
			"pri 60 level 29 left 12 wait 0 KPRI, trap return due",
		},

		{"waking goes to the back", "TS", "wakeup", func(s *OpState) { s.State = "S" }, "pri 29 level 29 left 12 wait 0, to the back"},
		{
			"to the front if it left a CPU in this very tick", "TS", "wakeup", func(s *OpState) { s.State, s.RanThisTick = "S", 1 },
			"pri 29 level 29 left 12 wait 0, to the front",
		},
		{
			"waking after a long sleep lifts by slpret", "TS", "wakeup", func(s *OpState) { s.State, s.DispWait, s.CPUPri, s.UmdPri, s.Pri = "S", 1, 0, 0, 0 },
			"pri 50 level 50 left 4 wait 0, to the back",
		},
		{
			"in kernel priority waking goes to the back", "TS", "wakeup", func(s *OpState) { s.State, s.Flags, s.Pri, s.RanThisTick = "S", flagKPRI, 60, 1 },
			"pri 60 level 29 left 12 wait 0 KPRI, to the back",
		},

		{
			"IA in focus wakes to the front", "IA", "wakeup", func(s *OpState) { s.State, s.Flags = "S", flagIA|flagIASET },
			"pri 29 level 29 left 12 wait 0, to the front",
		},
		{
			"IA out of focus wakes to the back, even in the same tick", "IA", "wakeup", func(s *OpState) { s.State, s.Flags, s.RanThisTick = "S", flagIA, 1 },
			"pri 29 level 29 left 12 wait 0, to the back",
		},
		{
			"the boost counts in every new priority", "IA", "tick", func(s *OpState) { s.TimeLeft, s.Boost, s.UmdPri, s.Pri = 1, 10, 39, 39 },
			"pri 29 level 19 left 0 wait 0 BACKQ, surrenders",
		},

		{
			"nice lowers the priority at once and gives a fresh quantum", "TS", "donice", func(s *OpState) { s.Incr, s.TimeLeft, s.DispWait = 5, 3, 2 },
			"pri 14 level 29 left 12 wait 0",
		},
		{
			"or surrenders if something better waits", "TS", "donice", func(s *OpState) { s.Incr, s.TimeLeft, s.MaxRunPri = 5, 3, 20 },
			"pri 14 level 29 left 3 wait 0 BACKQ, surrenders",
		},
		{
			"a waiter is queued anew", "TS", "donice", func(s *OpState) { s.State, s.Incr, s.TimeLeft = "R", 5, 3 },
			"pri 14 level 29 left 12 wait 0, to the deq+back",
		},
		{"asking for the nice value changes nothing", "TS", "donice", func(s *OpState) { s.TimeLeft = 3 }, "pri 29 level 29 left 3 wait 0"},
	} {
		out, err := Replay(c.op, c.class, state(c.in))
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, facts(out), c.name)
	}
}

func TestNiceValuesAreUserPriorities(t *testing.T) {
	for nice, upri := range map[int]int{-20: 60, -1: 3, 0: 0, 1: -3, 10: -30, 19: -57} {
		assert.Equal(t, upri, UserPriority("TS", nice), "nice %d", nice)
	}
	assert.Zero(t, UserPriority("FX", 19), "positive nice has no effect in FX")
	assert.Equal(t, 60, UserPriority("FX", -20))
	for _, c := range []struct{ nice, incr, want int }{{0, 19, 19}, {0, 40, 19}, {0, -40, -20}, {19, -5, 14}, {5, 0, 5}} {
		out, err := Replay("donice", "TS", state(func(s *OpState) { s.Nice, s.Incr = c.nice, c.incr }))
		require.NoError(t, err)
		assert.Equal(t, c.want, out.Ret, "nice %d plus %d", c.nice, c.incr)
	}
}

func TestParametersOutOfRangeAreRefused(t *testing.T) {
	for _, c := range []struct{ upri, limit int }{{61, 60}, {-61, 0}, {0, 61}, {0, -61}} {
		_, err := Replay("parmsset", "TS", state(func(s *OpState) { s.ReqUpri, s.ReqUprilim = c.upri, c.limit }))
		require.ErrorContains(t, err, "want -60 to 60", "%+v", c)
	}
	out, err := Replay("parmsset", "TS", state(func(s *OpState) { s.ReqUpri, s.ReqUprilim = 30, 12 }))
	require.NoError(t, err)
	assert.Equal(t, [2]int{12, 12}, [2]int{out.Upri, out.Uprilim}, "the limit limits")
	_, err = Replay("dance", "TS", state(nil))
	require.Error(t, err)
}

func TestTheTableOfAT2000IsThatOfTheFacts(t *testing.T) {
	tables := DefaultTables()
	require.NoError(t, tables.TS.Check())
	quanta := []int{20, 16, 12, 8, 4, 4}
	for l, r := range tables.TS {
		want := quanta[l/10]
		if l == 59 {
			want = 2
		}
		assert.Equal(t, want, r.Quantum, "quantum of level %d", l)
		assert.Equal(t, r.TqExp, max(0, l-10), "tqexp of level %d", l)
		assert.Equal(t, r.MaxWait, map[bool]int{true: 32000, false: 0}[l == 59], "maxwait of level %d", l)
		assert.GreaterOrEqual(t, r.SlpRet, 50, "whoever sleeps returns at 50 or more")
	}
	assert.Len(t, tables.FX, 61)
	assert.Len(t, tables.RT, 60)
	assert.Equal(t, []int{20, 16, 12, 8, 4, 4, 2}, []int{tables.FX[0], tables.FX[10], tables.FX[20], tables.FX[30], tables.FX[40], tables.FX[58], tables.FX[60]})
	assert.Equal(t, []int{100, 80, 60, 40, 20, 10}, []int{tables.RT[0], tables.RT[10], tables.RT[20], tables.RT[30], tables.RT[40], tables.RT[59]})
	_, err := TSTableNamed("ts_dptbl_server")
	require.NoError(t, err)
	for _, name := range []string{"", "fx_dptbl", "../ts_dptbl", "nothing"} {
		_, err := TSTableNamed(name)
		require.Error(t, err, "%q is no TS table", name)
	}
}

func TestABadTableIsRefused(t *testing.T) {
	for want, change := range map[string]func(t TSTable) TSTable{
		"has 59 levels, want 60":               func(t TSTable) TSTable { return t[:59] },
		"level 3: quantum 0, want more than 0": func(t TSTable) TSTable { t[3].Quantum = 0; return t },
		"level 4: level 60, want 0 to 59":      func(t TSTable) TSTable { t[4].TqExp = 60; return t },
		"level 5: level -1, want 0 to 59":      func(t TSTable) TSTable { t[5].LWait = -1; return t },
		"level 6: level 99, want 0 to 59":      func(t TSTable) TSTable { t[6].SlpRet = 99; return t },
		"level 7: maxwait -1, want 0 or more":  func(t TSTable) TSTable { t[7].MaxWait = -1; return t },
	} {
		require.ErrorContains(t, change(DefaultTables().TS).Check(), want)
	}
}

func TestEveryReasonHasASentence(t *testing.T) {
	p := New(Options{})
	for code := whyOnlyCPU; code <= whyShares; code++ {
		assert.NotEmpty(t, p.Explain(sched.Reason{Code: code, A: 1, B: 2}), "reason %d", code)
	}
	assert.Empty(t, p.Explain(sched.Reason{}))
	assert.Empty(t, p.Explain(sched.Reason{Code: 60_000}))
}
