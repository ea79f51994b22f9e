package stats

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

const ms = clock.Time(clock.Millisecond)

func on(at clock.Time, cpu int16, th sched.ThreadID) *trace.Event {
	return &trace.Event{At: at, Kind: trace.On, CPU: cpu, Thread: th, Other: sched.None, Pri: 40, Why: sched.Reason{Code: 3, A: int32(th)}}
}

func off(at clock.Time, cpu int16, th sched.ThreadID, why sched.Cause) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Off, CPU: cpu, Thread: th, Cause: why}
}

func idles(at clock.Time, cpu int16) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Idle, CPU: cpu, Thread: sched.None}
}

func woke(at clock.Time, th sched.ThreadID) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Woke, Thread: th, Cause: sched.Woken}
}

func changed(at clock.Time, cpu int16, set int64) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Changed, CPU: cpu, Thread: sched.None, A: set}
}

func mode(at clock.Time, cpu int16, m trace.CPUMode) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Mode, CPU: cpu, A: int64(m)}
}

func charged(at clock.Time, cpu int16, d clock.Time) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Charged, CPU: cpu, A: int64(d)}
}

func see(t *Timeline, events ...*trace.Event) {
	for _, e := range events {
		t.Observe(e)
	}
}

func newTimeline(cpus int) *Timeline { return NewTimeline(cpus, 10*clock.Millisecond) }

func window(t *Timeline, from, to, now clock.Time, columns int) *Window {
	var w Window
	t.Window(&w, Query{From: from, To: to, Columns: columns}, now)
	return &w
}

func TestTimelineSaysWhatEachCPUDidHowItCameAndHowItLeft(t *testing.T) {
	x := newTimeline(2)
	see(x,
		mode(0, 0, trace.UserMode), woke(0, 1), on(0, 0, 1),
		woke(5*ms, 2), off(20*ms, 0, 1, sched.Preempted), on(20*ms, 0, 2),
		off(30*ms, 0, 2, sched.Blocked), on(30*ms, 0, 1),
		off(40*ms, 0, 1, sched.Exited), idles(40*ms, 0),
	)
	w := window(x, 0, 50*ms, 50*ms, 5)
	cells := w.Row(0)
	assert.Equal(t, []sched.ThreadID{1, 1, 2, 1, sched.None},
		[]sched.ThreadID{cells[0].Thread, cells[1].Thread, cells[2].Thread, cells[3].Thread, cells[4].Thread})
	assert.Equal(t, Sums{User: clock.Duration(40 * ms), Switches: 3}, w.Sums[0])
	assert.Equal(t, Sums{Beside: clock.Duration(25 * ms)}, w.Sums[1], "2 waited, then 1")
	assert.Equal(t, clock.Duration(5*ms), w.Row(1)[0].Beside)

	s := x.SpanAt(0, 25*ms, 50*ms)
	assert.Equal(t, Span{
		CPU: 0, Thread: 2, From: 20 * ms, To: 30 * ms, Known: true, Why: sched.Reason{Code: 3, A: 2},
		Came: sched.Woken, Left: sched.Blocked, Pri: 40, Next: 1, Sums: Sums{User: clock.Duration(10 * ms), Switches: 1},
	}, s)
	s = x.SpanAt(0, 30*ms, 50*ms)
	assert.Equal(t, sched.Preempted, s.Came)
	assert.Equal(t, sched.Exited, s.Left)
	s = x.SpanAt(0, 45*ms, 50*ms)
	assert.True(t, s.Open)
	assert.Equal(t, sched.None, s.Thread)
}

func TestSystemTimeIsKeptApart(t *testing.T) {
	x := newTimeline(1)
	see(x, charged(0, 0, 2*ms), mode(0, 0, trace.UserMode), on(0, 0, 1), charged(10*ms, 0, ms),
		mode(15*ms, 0, trace.SystemMode), mode(18*ms, 0, trace.UserMode), mode(20*ms, 0, trace.SystemMode), mode(20*ms, 0, trace.UserMode))
	for at, want := range map[clock.Time]clock.Time{1 * ms: ms, 2 * ms: 2 * ms, 9 * ms: 2 * ms, 12 * ms: 3 * ms, 16 * ms: 4 * ms, 30 * ms: 6 * ms} {
		w := window(x, 0, at, 30*ms, 7)
		assert.Equal(t, clock.Duration(want), w.Sums[0].System, "up to %v", at)
		var cells clock.Duration
		for _, c := range w.Cells {
			cells += c.System
		}
		assert.Equal(t, clock.Duration(want), cells, "up to %v", at)
	}
	s := x.SpanAt(0, 16*ms, 30*ms)
	assert.Equal(t, clock.Time(0), s.From, "a stay is one, whatever its time counts as")
	assert.Equal(t, 30*ms, s.To)
	assert.Equal(t, 4, x.cpus[0].marks.n, "what took no time is not kept")
}

func TestWhatTakesNoTimeIsNotKept(t *testing.T) {
	x := newTimeline(1)
	see(x, on(10*ms, 0, 1), off(20*ms, 0, 1, sched.Blocked), idles(20*ms, 0), woke(20*ms, 1), on(20*ms, 0, 1))
	assert.Equal(t, 2, x.cpus[0].marks.n)
	assert.Equal(t, 1, x.waits.n())
	s := x.SpanAt(0, 25*ms, 30*ms)
	assert.Equal(t, 10*ms, s.From)
}

func TestOffLineIsNotIdle(t *testing.T) {
	x := newTimeline(1)
	see(x, on(0, 0, 1), changed(5*ms, 0, -1), off(6*ms, 0, 1, sched.Moved), idles(6*ms, 0), changed(9*ms, 0, 0))
	assert.Equal(t, clock.Duration(3*ms), window(x, 0, 10*ms, 10*ms, 0).Sums[0].Off)
	assert.Equal(t, clock.Duration(2*ms), window(x, 7*ms, 10*ms, 10*ms, 0).Sums[0].Off)
	assert.Equal(t, OffLine, x.SpanAt(0, 7*ms, 10*ms).Thread)
	see(x, changed(12*ms, 0, -1))
	assert.Equal(t, OffLine, x.SpanAt(0, 13*ms, 13*ms).Thread)
}

// flicker lets CPUs switch at random, in random modes, and threads wait.
func flicker(x *Timeline, cpus int, until clock.Time, mean float64, r *rand.Rand) []trace.Event {
	var events []trace.Event
	now := clock.Time(0)
	for second := clock.Time(0); now < until; {
		now += clock.Time(r.ExpFloat64() * mean)
		for ; second <= now; second += clock.Time(clock.Second) {
			x.Observe(&trace.Event{At: second, Kind: trace.Second})
		}
		cpu := int16(r.IntN(cpus))
		e := *idles(now, cpu)
		switch r.IntN(7) {
		case 0, 1, 2:
			e = *on(now, cpu, sched.ThreadID(r.IntN(9)))
		case 3:
			e = *mode(now, cpu, trace.CPUMode(1+r.IntN(2)))
		case 4:
			e = *changed(now, cpu, int64(r.IntN(4)-1))
		case 5:
			e = *woke(now, sched.ThreadID(r.IntN(9)))
			if x.waiting > 3 {
				e = *off(now, cpu, 1, sched.Blocked)
			}
		}
		x.Observe(&e)
		events = append(events, e)
	}
	return events
}

// slow adds up what a CPU did between two times, event by event.
func slow(events []trace.Event, cpu int16, from, to clock.Time) (s Sums) {
	th, m, offline, waiting, at := sched.None, trace.IdleMode, false, 0, clock.Time(0)
	for i := 0; i <= len(events); i++ {
		end := to
		if i < len(events) {
			end = min(to, events[i].At)
		}
		if d := end.Sub(max(at, from)); d > 0 {
			switch {
			case th >= 0 && m == trace.SystemMode:
				s.System += d
			case th >= 0:
				s.User += d
			case offline:
				s.Off += d
			case waiting > 0:
				s.Beside += d
			}
		}
		if i == len(events) {
			break
		}
		e := &events[i]
		at = e.At
		switch e.Kind {
		case trace.Woke:
			waiting++
		case trace.On:
			waiting--
		default:
		}
		if e.CPU != cpu {
			continue
		}
		switch e.Kind {
		case trace.On:
			th = e.Thread
		case trace.Idle:
			th = sched.None
		case trace.Mode:
			m = trace.CPUMode(e.A)
		case trace.Changed:
			offline = e.A < 0
		default:
		}
	}
	return s
}

func TestEveryWindowHasTheExactSums(t *testing.T) {
	const cpus = 3
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 3))
		x := newTimeline(cpus)
		until := clock.Time(r.Int64N(4e9))
		events := flicker(x, cpus, until, 3e6, r)
		for range 25 {
			from := clock.Time(r.Int64N(int64(until))) - 50*ms
			to := from + 1 + clock.Time(r.ExpFloat64()*3e8)
			w := window(x, from, to, until, 1+r.IntN(60))
			for cpu := range int16(cpus) {
				want := slow(events, cpu, max(0, from), min(to, until))
				got := w.Sums[cpu]
				got.Switches = 0
				require.Equal(t, want, got)
				for i, c := range w.Row(int(cpu)) {
					want := slow(events, cpu, max(0, w.Start(i)), min(w.Start(i+1), until))
					got := c.Sums
					got.Switches = 0
					require.Equal(t, want, got, "seed %d column %d of %d", seed, i, w.Columns)
				}
			}
		}
	}
}

func TestBothWaysToFillAWindowAgree(t *testing.T) {
	const cpus = 4
	r := rand.New(rand.NewPCG(5, 3))
	x := newTimeline(cpus)
	until := clock.Time(20 * clock.Second)
	flicker(x, cpus, until, 1e6, r)
	for range 40 {
		from := clock.Time(r.Int64N(int64(until)))
		to := from + 1 + clock.Time(r.ExpFloat64()*1e9)
		w := window(x, from, to, until, 1+r.IntN(300))
		other := make([]Cell, w.Columns)
		for cpu := range cpus {
			for i := range other {
				other[i] = Cell{Thread: sched.None}
			}
			require.Zero(t, w.first)
			x.columns(w, other, cpu, true)
			for i, c := range w.Row(cpu) {
				require.Equal(t, c.Sums, other[i].Sums)
			}
		}
	}
}

func TestWhatWasDroppedStaysAsExactSumsOfBuckets(t *testing.T) {
	const cpus = 2
	r := rand.New(rand.NewPCG(7, 3))
	x := newTimeline(cpus)
	x.most = 20 // blocks
	until := clock.Time(60 * clock.Second)
	events := flicker(x, cpus, until, 2e7, r)
	require.LessOrEqual(t, x.sealed, x.most)
	w := window(x, 0, until, until, 77)
	require.Positive(t, w.Whole)
	require.Less(t, w.Whole, until)
	step := clock.Time(w.Step)
	for range 100 {
		from := clock.Time(r.Int64N(int64(w.Whole/step))) * step
		to := min(from+clock.Time(1+r.IntN(9))*step, w.Whole/step*step)
		for cpu := range int16(cpus) {
			want, got := slow(events, cpu, from, to), window(x, from, to, until, 9).Sums[cpu]
			got.Switches = 0
			require.Equal(t, want, got)
		}
	}
	s := x.SpanAt(0, 5*ms, until)
	assert.False(t, s.Known)
	assert.Equal(t, step, s.To-s.From)
	whole, part := slow(events, 0, 0, until), Sums{}
	for _, c := range w.Row(0) {
		part.Add(c.Sums)
	}
	part.Switches = 0
	assert.Equal(t, whole, part)
}

// A window that moves along with a run is what a new one would be, cell by cell.
func TestAWindowThatIsUsedAgainIsAsIfNew(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 3))
		x, other := newTimeline(2), newTimeline(2)
		if seed == 5 {
			x.most, other.most = 8, 8
		}
		until := clock.Time(3 * clock.Second)
		events := flicker(newTimeline(2), 2, until, 2e6, r)
		var w Window
		q := Query{From: -100 * ms, To: 400 * ms, Columns: 50}
		kept := 0
		for i := range events {
			x.Observe(&events[i])
			other.Observe(&events[i])
			if r.IntN(20) > 0 {
				continue
			}
			now := events[i].At
			switch r.IntN(4) {
			case 0: // along, by whole columns
				by := (now - q.To + 20*ms) / (10 * ms) * (10 * ms)
				q.From, q.To = q.From+max(0, by), q.To+max(0, by)
			case 1:
				if r.IntN(8) == 0 {
					q.From += 3 * ms
				}
			}
			x.Window(&w, q, now)
			fresh := window(other, q.From, q.To, now, q.Columns)
			for c := range w.Columns { // what was dropped meanwhile may be known better
				if w.Start(c) >= w.Whole {
					require.Equal(t, fresh.Row(0)[c], w.Row(0)[c], "seed %d at %v", seed, now)
					require.Equal(t, fresh.Row(1)[c], w.Row(1)[c], "seed %d at %v", seed, now)
				}
			}
			require.Equal(t, fresh.Sums, w.Sums)
			kept += w.first
		}
		require.Positive(t, kept)
	}
}

func TestTheOverviewAddsUpToTheWholeRun(t *testing.T) {
	x := newTimeline(3)
	until := clock.Time(30*clock.Second) + 12345
	events := flicker(x, 3, until, 1e7, rand.New(rand.NewPCG(1, 3)))
	w := window(x, until-5*ms, until, until, 3)
	var want, got Sums
	for cpu := range int16(3) {
		want.Add(slow(events, cpu, 0, until))
	}
	for _, s := range w.Overview {
		got.Add(s)
	}
	got.Switches = 0
	assert.Len(t, w.Overview, OverviewColumns)
	assert.Equal(t, want, got)
}

func TestTheTimelinesMemoryIsBounded(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(mark{}), uintptr(64))
	for _, cpus := range []int{1, 32, 4096} {
		x := newTimeline(cpus)
		for i := range 2 * MaxMarks {
			see(x, on(clock.Time(i)*ms, int16(i%min(cpus, 7)), sched.ThreadID(i%2+i/7%3)))
		}
		assert.LessOrEqual(t, x.sealed, x.most)
		n := 0
		for i := range x.cpus {
			n += x.cpus[i].marks.n
		}
		assert.LessOrEqual(t, n, max(MaxMarks, cpus*markBlock)+cpus*markBlock)
		assert.GreaterOrEqual(t, n, MaxMarks-cpus*markBlock, "and no less than need be")
	}
	var l waitLog
	for i := range 3 * maxWaits {
		l.set(clock.Time(i), i%2 == 0)
	}
	assert.LessOrEqual(t, l.n(), maxWaits+waitBlock)
	assert.Equal(t, clock.Duration(3*maxWaits/2), l.upTo(3*maxWaits))
}

func TestAWarmWindowAllocatesNothing(t *testing.T) {
	x := newTimeline(2)
	until := clock.Time(10 * clock.Second)
	flicker(x, 2, until, 1e6, rand.New(rand.NewPCG(1, 3)))
	var w Window
	take := func() { x.Window(&w, Query{From: 0, To: until, Columns: 300}, until) }
	take()
	assert.Zero(t, testing.AllocsPerRun(10, take))
}
