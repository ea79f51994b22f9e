package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

func at(t *testing.T, id string, d clock.Duration) *Session {
	t.Helper()
	s, err := Open(id)
	require.NoError(t, err)
	require.NoError(t, s.Advance(d))
	return s
}

func TestWhyOfAStrandNamesRuleCandidatesAndWinner(t *testing.T) {
	s := at(t, "linux22-250-hogs", 20*clock.Second)
	a := s.WhyStrand(1)
	assert.Contains(t, a.Source, "kernel/sched.c: ")
	require.Greater(t, len(a.Candidates), 2)
	assert.True(t, a.Candidates[0].Winner)
	assert.Equal(t, s.Frame().CPUs[1].Thread, a.Candidates[0].Thread)
	last := 1 << 30
	for _, c := range a.Candidates[1:] {
		assert.False(t, c.Winner)
		value, sum, ok := strings.Cut(c.Figure, " = ")
		require.True(t, ok, c.Figure)
		n := number(t, value)
		assert.LessOrEqual(t, n, last, "the best first")
		last = n
		total := 0
		for _, word := range strings.Fields(sum) {
			if word[0] >= '0' && word[0] <= '9' {
				total += number(t, word)
			}
		}
		assert.Equal(t, n, total, sum)
	}
	queued := 0
	for _, q := range s.Frame().Queues {
		queued += len(q.Waiting)
	}
	assert.Equal(t, queued-mostCandidates, a.Left)
	assert.Contains(t, a.Compared, "goodness, as it stands now; the decision was made ")
}

func number(t *testing.T, text string) (n int) {
	t.Helper()
	for _, digit := range text {
		require.True(t, digit >= '0' && digit <= '9', text)
		n = 10*n + int(digit-'0')
	}
	return n
}

func TestAskingWhyChangesNothing(t *testing.T) {
	for _, id := range []string{"linux227-250-hogs", "t2000-ts", "textbook-mlfq"} {
		asked, quiet := at(t, id, 0), at(t, id, 0)
		for range 50 {
			require.NoError(t, asked.Advance(40*clock.Millisecond))
			f := asked.Frame()
			for cpu := range f.CPUs {
				asked.WhyStrand(cpu)
				asked.WhyAt(cpu, f.Now/2)
			}
			for id := range f.Threads {
				asked.WhyThread(id)
			}
		}
		require.NoError(t, quiet.Advance(2*clock.Second))
		assert.Equal(t, quiet.Digest(), asked.Digest(), id)
	}
}

func TestWhoRanInsteadAddsUpToTheWait(t *testing.T) {
	s := at(t, "t2000-unset", 12500*clock.Millisecond)
	seen := 0
	f := s.Frame()
	for id := range f.Threads {
		w := s.WhyThread(id).Waited
		if w == nil || f.Threads[id].Kernel {
			continue
		}
		seen++
		sum := w.RestTime
		for _, r := range w.Ran {
			assert.NotEqual(t, sched.ThreadID(id), r.Thread)
			sum += r.For
		}
		assert.Equal(t, clock.Duration(w.CPUs)*w.To.Sub(w.Since), sum)
		assert.Equal(t, f.Threads[id].State == sched.Waiting, w.Now)
		if w.Now {
			assert.Equal(t, f.Threads[id].Since, w.From)
			assert.Equal(t, f.Now, w.To)
		}
	}
	assert.GreaterOrEqual(t, seen, 32)
}

// judge counts preemptions apart.
type judge struct {
	lost  map[int16]sched.ThreadID
	count map[[2]sched.ThreadID]int64
}

func (j *judge) Observe(e *trace.Event) {
	switch {
	case e.Kind == trace.Off && e.Cause == sched.Preempted:
		j.lost[e.CPU] = e.Thread
	case e.Kind == trace.On:
		if v, ok := j.lost[e.CPU]; ok && v != e.Thread {
			j.count[[2]sched.ThreadID{v, e.Thread}]++
		}
		delete(j.lost, e.CPU)
	case e.Kind == trace.Off, e.Kind == trace.Idle:
		delete(j.lost, e.CPU)
	}
}

func TestCulpritsAreWhoTookTheCPU(t *testing.T) {
	s, err := Open("t2000-unset")
	require.NoError(t, err)
	j := &judge{map[int16]sched.ThreadID{}, map[[2]sched.ThreadID]int64{}}
	require.NoError(t, s.ResetWith(j))
	require.NoError(t, s.Advance(20*clock.Second))
	told := int64(0)
	for id := range s.Frame().Threads {
		sum, want := int64(0), int64(0)
		for _, c := range s.WhyThread(id).Culprits {
			sum += c.Times
			if c.Thread != sched.None {
				assert.Equal(t, j.count[[2]sched.ThreadID{sched.ThreadID(id), c.Thread}], c.Times)
				assert.Positive(t, c.For)
			}
		}
		for pair, n := range j.count {
			if pair[0] == sched.ThreadID(id) {
				want += n
			}
		}
		assert.Equal(t, want, sum)
		told += sum
	}
	assert.Greater(t, told, int64(100))
}

func TestTheAnswersOfThePastSurviveGoingBack(t *testing.T) {
	s := at(t, "t2000-unset", 12*clock.Second)
	want := s.WhyThread(20)
	require.NoError(t, s.Advance(3*clock.Second))
	require.NoError(t, s.SeekTo(clock.Time(12*clock.Second)))
	assert.Equal(t, want, s.WhyThread(20))
}

func TestWhyOfASwitchNamesBothAndAtThatMomentTheRest(t *testing.T) {
	s := at(t, "t2000-unset", 12*clock.Second)
	a := s.WhyAt(3, clock.Time(8*clock.Second))
	assert.Regexp(t, `^Why did cpu3 turn to perl 12\d\d at 00:00:0[78]\.\d\d\?$`, a.Title)
	assert.True(t, a.Past)
	assert.Contains(t, a.Source, "disp.c: ")
	require.Len(t, a.Candidates, 2)
	assert.True(t, a.Candidates[0].Winner)
	assert.Contains(t, a.Unknown, "is not kept")
	// There it can be asked in full, and the winner is the same.
	require.NoError(t, s.SeekTo(a.At))
	b := s.WhyStrand(3)
	assert.Equal(t, a.Candidates[0].Name, b.Candidates[0].Name)
	assert.Greater(t, len(b.Candidates), 2)
	assert.Empty(t, b.Unknown)
}

func TestWhyOfAGapTellsWhetherWorkWaited(t *testing.T) {
	s := at(t, "t2000-unset", 12*clock.Second)
	_, err := s.Do("run -b 14 'run 50ms; sleep 100ms'")
	require.NoError(t, err)
	require.NoError(t, s.Advance(clock.Second))
	var a Answer
	for at := clock.Time(12100 * clock.Millisecond); a.Past != true || !strings.Contains(a.Title, "idle"); at += clock.Time(10 * clock.Millisecond) {
		require.Less(t, at, s.Now())
		a = s.WhyAt(14, at)
	}
	assert.Contains(t, a.Title, "Why did cpu14 idle at ")
	assert.Contains(t, strings.Join(a.Lines, " "), "threads waited elsewhere on the machine")
	assert.Equal(t, s.WhyStrand(3), s.WhyAt(3, s.Now()), "the present is asked as such")
	assert.Empty(t, s.WhyAt(32, 0).Title)
	assert.Empty(t, s.WhyAt(0, s.Now()+1).Title)
}
