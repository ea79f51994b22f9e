package sim_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// listed runs a job list to its end, or for its span.
func listed(t testing.TB, policy, list string, cpus int, settings ...sim.Setting) sim.JobTable {
	t.Helper()
	jobs, err := joblist.Parse(list)
	require.NoError(t, err, list)
	s, err := sim.OpenJobs(scenario.BookKernels+policy, jobs, cpus, settings...)
	require.NoError(t, err, "%s: %s", policy, list)
	w := s.NewJobs()
	require.NoError(t, s.ResetWith(w))
	require.NoError(t, s.Advance(s.Span()), "%s: %s", policy, list)
	require.NoError(t, s.Finish(), "%s: %s", policy, list)
	return s.JobTable(w)
}

func finishes(table sim.JobTable) []int {
	var list []int
	for _, r := range table.Rows {
		list = append(list, int(r.Ended/clock.Second))
	}
	return list
}

const fourJobs = "A 0 5, B 1 3, C 2 8, D 3 6"

// Case A-1: round robin minds the quantum, in both conventions.
func TestRoundRobinsOrderInBothConventions(t *testing.T) {
	a := listed(t, "rr", fourJobs, 1, sim.Setting{Key: "quantum", Value: "1"})
	assert.Equal(t, []string{"ABACBDACBDACDACDCDCDCC"}, a.Order)
	assert.Equal(t, []int{14, 9, 22, 20}, finishes(a))
	b := listed(t, "rr", fourJobs, 1, sim.Setting{Key: "tie", Value: "requeue_first"})
	assert.Equal(t, []string{"AABACBDACBDACDCDCDCDCC"}, b.Order)
	_, err := sim.OpenJobs("textbook-rr", nil, 1, sim.Setting{Key: "tie", Value: "arrival_first"})
	require.EqualError(t, err, `tie: "arrival_first", want arrivals_first or requeue_first (did you mean "arrivals_first"?)`)
}

// FACTS §7: the five-process example.
func TestTheFiveProcessExampleEndsAsInTheBook(t *testing.T) {
	const five = "A 0 3, B 2 6, C 4 4, D 6 5, E 8 2"
	for _, c := range []struct {
		policy, quantum string
		want            []int
	}{
		{"fcfs", "", []int{3, 9, 13, 18, 20}},
		{"rr", "1", []int{4, 18, 17, 20, 15}},
		{"rr", "4", []int{3, 17, 11, 20, 19}},
		{"sjf", "", []int{3, 9, 15, 20, 11}},
		{"srtf", "", []int{3, 15, 8, 20, 10}},
		{"hrrn", "", []int{3, 9, 13, 20, 15}},
	} {
		var set []sim.Setting
		if c.quantum != "" {
			set = append(set, sim.Setting{Key: "quantum", Value: c.quantum})
		}
		assert.Equal(t, c.want, finishes(listed(t, c.policy, five, 1, set...)), "%s %s", c.policy, c.quantum)
	}
}

// Cases: idle time is there, and nobody starts before its arrival.
func TestGapsAreIdleAndNobodyStartsBeforeItsArrival(t *testing.T) {
	a := listed(t, "fcfs", "A 2 3, B 15 4", 1)
	assert.Equal(t, []string{"--AAA----------BBBB"}, a.Order)
	assert.Equal(t, 15*clock.Second, a.Rows[1].Started)
	assert.Equal(t, clock.Time(19*clock.Second), a.Until)
	assert.Equal(t, 19*clock.Second, a.Busy+a.Idle, "the segments add up to the makespan")
	_, err := joblist.Parse("A 0 5, B 1 -4")
	require.ErrorContains(t, err, `job 2 (B): burst: "-4", want more than 0`)
}

// onCPUs is whom each policy is asked for in random cases.
var onCPUs = []string{"fcfs", "sjf", "srtf", "hrrn", "rr", "prio", "prio-p", "prio-rr", "mlfq", "lottery", "stride", "multi", "process-run"}

// randomList is a list of up to ten jobs; half of the lists do I/O.
func randomList(r *rand.Rand) (string, clock.Duration) {
	var b strings.Builder
	var sum clock.Duration
	io := r.IntN(2) == 0
	for i := range 1 + r.IntN(10) {
		length := 1 + r.IntN(12)
		sum += clock.Duration(length) * clock.Second
		fmt.Fprintf(&b, "%s %d %d prio=%d tickets=%d ws=%d", joblist.Letters(i), r.IntN(20), length, r.IntN(4), 1+r.IntN(9), r.IntN(60))
		if io && r.IntN(2) == 0 {
			fmt.Fprintf(&b, " io=%d/%d", 1+r.IntN(5), r.IntN(6))
		}
		b.WriteString("\n")
	}
	return b.String(), sum
}

func randomSettings(r *rand.Rand, policy string) []sim.Setting {
	var set []sim.Setting
	add := func(key string, values ...string) {
		if r.IntN(2) == 0 {
			set = append(set, sim.Setting{Key: key, Value: values[r.IntN(len(values))]})
		}
	}
	switch policy {
	case "rr", "prio-rr":
		add("quantum", "1", "2", "3", "7")
		add("tie", "arrivals_first", "requeue_first")
	case "lottery", "stride":
		add("quantum", "1", "2", "3")
	case "mlfq":
		add("quantum", "1", "2", "1,2,4", "3,2")
		add("boost", "7", "10", "1")
		add("stay", "true")
		add("io_bump", "true")
	case "multi":
		add("quantum", "3", "5")
		add("queues", "per_cpu")
		add("peek_interval", "1", "4")
		add("random_order", "true")
		set = append(set, sim.Setting{Key: "warm_rate", Value: "1"}) // else units and work differ
	case "process-run":
		add("switch", "SWITCH_ON_END")
		add("io_done", "IO_RUN_IMMEDIATE")
	}
	return set
}

// Case A-5, on 10,000 random sets.
func TestNobodyWaitsLessThanNothing(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	r := rand.New(rand.NewPCG(5, 5))
	for range n {
		checkList(t, r)
	}
}

func checkList(t testing.TB, r *rand.Rand) {
	policy := onCPUs[r.IntN(len(onCPUs))]
	list, sum := randomList(r)
	cpus := 1 + r.IntN(3)*r.IntN(2)
	if policy == "process-run" {
		cpus = 1
	}
	settings := randomSettings(r, policy)
	table := listed(t, policy, list, cpus, settings...)
	fail := func(what string, row sim.JobRow) {
		t.Fatalf("%s on %d CPUs %v: %s: %+v\n%s", policy, cpus, settings, what, row, list)
	}
	for _, x := range table.Rows {
		switch {
		case x.Ended < 0:
			fail("has not ended", x)
		case x.Waiting < 0:
			fail("waited less than nothing", x)
		case x.Turnaround < x.Ran:
			fail("was there for less than its burst", x)
		case x.Started < x.Arrived:
			fail("started before it arrived", x)
		}
	}
	if table.Busy != sum || table.Idle < 0 {
		fail(fmt.Sprintf("busy %d, bursts %d, idle %d", table.Busy, sum, table.Idle), sim.JobRow{})
	}
}

func FuzzLists(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { checkList(t, rand.New(rand.NewPCG(a, b))) })
}

// Case A-10: what hangs or breaks OSTEP's programs is refused at once, in words.
func TestHostileOptionsAreRefusedAtOnce(t *testing.T) {
	jobs, err := joblist.Parse("A 0 5 tickets=3, B 1 3")
	require.NoError(t, err)
	for _, c := range []struct{ policy, key, value, want string }{
		{"rr", "quantum", "0", "quantum: 0, want 0.001 to 1000000"},
		{"rr", "quantum", "-3", "quantum: -3, want"},
		{"rr", "quantum", "", "quantum: empty"},
		{"rr", "quantum", "nan", "quantum: a text, want a number"},
		{"rr", "quantum", "1,2", "quantum: 2 of them, want one"},
		{"rr", "boost", "3", "scheduler.boost: textbook-rr has none; it takes unit, quantum, tie"},
		{"fcfs", "quantum", "3", "scheduler.quantum: textbook-fcfs has none"},
		{"mlfq", "quantum", "4,0", "want 0.001"},
		{"mlfq", "allotment", "0", "allotment: 0, want 1"},
		{"mlfq", "allotment", "unlimitd", `allotment: "unlimitd", want a number of quanta or "unlimited"`},
		{"mlfq", "levels", "0", "levels: 0, want 1 to 64"},
		{"mlfq", "boost", "-7", "boost: -7, want 0 to"},
		{"multi", "quantum", "0", "quantum: 0"},
		{"multi", "quantum", "1.5", "quantum: 1.5, want whole units"},
		{"multi", "warm_rate", "0", "warm_rate: 0, want 1 to"},
		{"multi", "cache_size", "-1", "cache_size: -1, want 0 to"},
		{"multi", "warmup", "-3", "warmup: -3, want 0 to"},
		{"stride", "stride1", "0", "stride1: 0, want 1"},
		{"stride", "stride1", "2", "tickets: 3, want 1 to 2, which is stride1"},
		{"lottery", "quantum", "-1", "quantum: -1"},
		{"lottery", "qantum", "1", `did you mean "quantum"?`},
		{"edf", "seed", "1", "period: missing"},
		{"rrr", "seed", "1", `did you mean "textbook-rr"?`},
	} {
		_, err := sim.OpenJobs(scenario.BookKernels+c.policy, jobs, 1, sim.Setting{Key: c.key, Value: c.value})
		require.ErrorContains(t, err, c.want, "%s %s=%s", c.policy, c.key, c.value)
	}
	for _, cpus := range []int{0, -2, 1 << 20} {
		_, err := sim.OpenJobs("textbook-rr", jobs, cpus)
		require.ErrorContains(t, err, "cpus: ")
	}
	_, err = sim.OpenDocument("x", []byte(`{"scheduler": {"quantum": 3}, "jobs": "A 0 5"}`))
	require.EqualError(t, err, "scheduler.quantum: solaris10 has none; it belongs to textbook policies")
	_, err = sim.OpenDocument("x", []byte(`{"scheduler": {"kernel": "textbook-rr", "qantum": 3}, "jobs": "A 0 5"}`))
	require.ErrorContains(t, err, `did you mean "quantum"?`)
	_, err = sim.OpenDocument("x", []byte(`{"scheduler": {"kernel": "textbook-rr"}, "jobs": "A 0 -5"}`))
	require.ErrorContains(t, err, `jobs: job 1 (A): burst: "-5"`)
}

// What is legal but odd has a schedule. FACTS §8.
func TestWhatIsOddButLegalIsAccepted(t *testing.T) {
	empty := listed(t, "rr", "", 1)
	assert.Empty(t, empty.Rows)
	assert.Zero(t, empty.Means.Response.Den, "no mean, rather than a division by nothing")
	late := listed(t, "fcfs", "A 1000000 2", 1)
	assert.Equal(t, 1_000_000*clock.Second, late.Rows[0].Started)
	alone := listed(t, "multi", "A 0 5", 1, sim.Setting{Key: "queues", Value: "per_cpu"}, sim.Setting{Key: "peek_interval", Value: "1"})
	assert.Equal(t, []int{5}, finishes(alone), "nobody to peek at")
	same := listed(t, "rr", fourJobs, 1, sim.Setting{Key: "quantum", Value: "1000000"})
	assert.Equal(t, listed(t, "fcfs", fourJobs, 1).Order, same.Order)
	over := listed(t, "edf", "T1 C=6 T=5, T2 C=4 T=7", 1)
	assert.Positive(t, over.Tasks[0].Missed, "overload is a lesson")
}

// Checks of real-time theory that need no recorded data. FACTS §7.
func TestRateMonotonicMissesWhereEarliestDeadlineDoesNot(t *testing.T) {
	const list = "T1 C=25 T=50, T2 C=35 T=80"
	missed := func(policy, list string) (n int64) {
		for _, x := range listed(t, policy, list, 1).Tasks {
			n += x.Missed
		}
		return n
	}
	assert.Equal(t, int64(1), missed("rm", list))
	assert.Equal(t, int64(0), missed("edf", list))
	assert.Equal(t, int64(0), missed("rm", "T1 C=20 T=50, T2 C=35 T=100"))
	rm := listed(t, "rm", "T1 C=3 T=7, T2 C=3 T=12, T3 C=5 T=20", 1)
	var worst []clock.Duration
	for _, x := range rm.Tasks {
		worst = append(worst, x.Worst/clock.Second)
	}
	assert.Equal(t, []clock.Duration{3, 6, 20}, worst, "the fixed points of R = C + Σ⌈R/T⌉C")
}

// whys collects the reasons for taking a CPU.
type whys struct{ list []sched.Reason }

func (w *whys) Observe(e *trace.Event) {
	if e.Kind == trace.On {
		w.list = append(w.list, e.Why)
	}
}

// Case A-11: who took the CPU, by which rule, and both scores.
func TestEveryDecisionHasASentenceWithItsFigures(t *testing.T) {
	for _, c := range []struct{ policy, list, want string }{
		{"srtf", "A 0 9, B 2 3", "It has 3 left and takes the CPU from a job with 7 left."},
		{"prio-p", "A 0 9 prio=4, B 2 3 prio=1", "Its number 1 is smaller than 4, so it has the higher priority and takes the CPU."},
		{"mlfq", "A 0 30, B 15 3", "It is on level 2 and takes the CPU from a job on level 1."},
		{"edf", "A C=4 T=20, B C=1 T=5 offset=1", "Its deadline of 6 comes before 20, so it takes the CPU."},
		{"hrrn", "A 0 3, B 1 4", "it waited 2 for a burst of 4."},
		{"stride", "A 0 3 tickets=100, B 0 3 tickets=50", "Its pass 100 is the smallest; it grows by its stride of 100."},
		{"lottery", "A 0 3, B 0 3", "which was drawn of 2."},
		{"rr", "A 0 3, B 0 3", "and gets a quantum of 1."},
	} {
		jobs, err := joblist.Parse(c.list)
		require.NoError(t, err)
		s, err := sim.OpenJobs(scenario.BookKernels+c.policy, jobs, 1)
		require.NoError(t, err)
		w := &whys{}
		require.NoError(t, s.ResetWith(w))
		require.NoError(t, s.Advance(40*clock.Second))
		var said []string
		for _, r := range w.list {
			text := s.Explain(r)
			assert.NotEmpty(t, text, c.policy)
			said = append(said, text)
		}
		assert.Contains(t, strings.Join(said, "\n"), c.want, c.policy)
	}
}

// Case A-12: the same scenario a hundred times.
func TestEveryTextbookScenarioHasOneDigest(t *testing.T) {
	for _, id := range scenario.Library {
		if !strings.HasPrefix(id, scenario.BookKernels) {
			continue
		}
		var first uint64
		for n := range 100 {
			s, err := sim.Open(id)
			require.NoError(t, err)
			if n%2 == 0 {
				require.NoError(t, s.Advance(60*clock.Second))
			} else {
				for range 60 {
					require.NoError(t, s.Step())
				}
			}
			if n == 0 {
				first = s.Digest()
			}
			require.Equal(t, first, s.Digest(), id)
		}
	}
}
