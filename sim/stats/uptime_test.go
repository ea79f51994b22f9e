package stats_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// FACTS §10.4.
func TestUptimePrintsWhatUptimePrints(t *testing.T) {
	const load = ",  load average: 19.26, 5.36, 1.89"
	avg := [3]int64{4930, 1371, 484}
	day := 24 * clock.Hour
	for _, c := range []struct {
		up    clock.Duration
		boot  int // minutes after midnight
		users int
		want  string
	}{
		{0, 9 * 60, 1, "  9:00am  up  1 user"},
		{29 * clock.Second, 9 * 60, 1, "  9:00am  up  1 user"},
		{30 * clock.Second, 9 * 60, 1, "  9:00am  up 1 min(s),  1 user"},
		{89 * clock.Second, 9 * 60, 2, "  9:01am  up 1 min(s),  2 users"},
		{90 * clock.Second, 9 * 60, 0, "  9:01am  up 2 min(s),  0 users"},
		{clock.Hour, 11 * 60, 1, " 12:00pm  up 1 hr(s),  1 user"},
		{clock.Hour + clock.Minute, 11 * 60, 1, " 12:01pm  up  1:01,  1 user"},
		{11*clock.Hour + 59*clock.Minute, 12 * 60, 1, " 11:59pm  up 11:59,  1 user"},
		{12 * clock.Hour, 12 * 60, 1, " 12:00am  up 12 hr(s),  1 user"},
		{day - 31*clock.Second, 0, 1, " 11:59pm  up 23:59,  1 user"},
		{day - 30*clock.Second, 0, 1, " 11:59pm  up 1 day(s),  1 user"},
		{day + 5*clock.Minute, 0, 1, " 12:05am  up 1 day(s), 5 min(s),  1 user"},
		{3*day + 14*clock.Hour + 7*clock.Minute, 0, 3, "  2:07pm  up 3 day(s), 14:07,  3 users"},
	} {
		got := stats.Uptime(clock.Time(c.up), c.boot, c.users, avg)
		assert.Equal(t, c.want+load, got, "%v", clock.Time(c.up))
	}
}

// served is a stats.Waker.
type served []clock.Duration

func (s *served) Served(d clock.Duration, _ clock.Time) { *s = append(*s, d) }

func TestTheLedgerAddsUpWhatAThreadDid(t *testing.T) {
	l := stats.NewLedger(2)
	var latencies served
	l.Waker = &latencies
	h := &history{obs: []trace.Observer{l}}
	h.event(trace.Created, sched.NoCPU, 0)
	assert.False(t, l.Entry(0).Started())
	assert.Equal(t, sched.NoCPU, l.Entry(0).At)

	h.now = 10
	h.wake(0, 1)
	assert.True(t, l.Entry(0).Started())
	assert.Equal(t, 1, l.Entry(0).At)
	assert.Equal(t, sched.Waiting, l.Entry(0).State)
	assert.Equal(t, clock.Duration(5), l.Entry(0).Waited(15), "the present wait counts")

	h.now = 30
	h.run(0, 0, 0)
	assert.Equal(t, clock.Duration(20), l.Entry(0).Waited(99), "it waits no more")
	assert.Equal(t, clock.Duration(7), l.Entry(0).Ran(37))
	assert.Equal(t, clock.Time(30), l.Since[0])

	h.now = 40
	h.stop(0, 0, sched.Preempted)
	h.now = 45
	h.run(0, 1, 0)
	h.now = 60
	h.stop(0, 1, sched.Blocked)
	h.now = 80
	h.wake(0, 1)
	h.now = 81
	h.run(0, 1, 1)
	h.stop(0, 1, sched.Exited)

	e := l.Entry(0)
	assert.Equal(t, clock.Duration(10+15), e.Ran(500))
	assert.Equal(t, clock.Duration(20+5+1), e.Waited(500))
	assert.Equal(t, int64(3), e.Switches)
	assert.Equal(t, int64(1), e.Moves, "only the second time it came from elsewhere")
	assert.Equal(t, sched.Gone, e.State)
	assert.Equal(t, sched.Exited, e.Cause)
	assert.Equal(t, clock.Time(81), e.Since)
	assert.Equal(t, served{20, 1}, latencies, "waking to running; being preempted is no wake-up")
}

func TestTheLedgerKeepsReasons(t *testing.T) {
	l := stats.NewLedger(1)
	h := &history{obs: []trace.Observer{l}}
	h.create(0)
	placed, chosen, none := sched.Reason{Code: 1, A: 2}, sched.Reason{Code: 3, B: 4}, sched.Reason{Code: 5}
	h.emit(trace.Event{Kind: trace.Queued, CPU: 0, Thread: 0, Why: placed})
	h.emit(trace.Event{Kind: trace.On, CPU: 0, Thread: 0, Why: chosen})
	assert.Equal(t, placed, l.Entry(0).Placed)
	assert.Equal(t, chosen, l.Entry(0).Chosen)
	assert.Equal(t, chosen, l.Chosen[0])
	h.emit(trace.Event{Kind: trace.Idle, CPU: 0, Thread: sched.None, Why: none})
	assert.Equal(t, none, l.Chosen[0])
}
