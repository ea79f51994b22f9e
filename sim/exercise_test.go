package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/joblist"
)

func TestExercisesAreDrawnFromTheirSeedAndRunAsTheySay(t *testing.T) {
	list, err := sim.Exercises(7, 14)
	require.NoError(t, err)
	again, err := sim.Exercises(7, 14)
	require.NoError(t, err)
	assert.Equal(t, list, again)
	other, err := sim.Exercises(8, 14)
	require.NoError(t, err)
	assert.NotEqual(t, list[0].Jobs, other[0].Jobs)
	policies := map[string]bool{}
	for _, e := range list {
		policies[e.Policy] = true
		s, err := sim.OpenDocument("exercise.json", []byte(e.Document))
		require.NoError(t, err, e.Document)
		require.NoError(t, s.Advance(10*clock.Minute))
		b := s.Frame().Book
		require.NotNil(t, b)
		assert.Equal(t, b.Order, e.Table.Order)
		assert.Equal(t, b.Means, e.Table.Means)
		assert.Zero(t, b.Means.Unfinished, "%d has ended", e.Number)
		var burst clock.Duration
		for _, j := range e.Jobs {
			burst += j.Length.In(clock.Second)
		}
		assert.Equal(t, burst, e.Table.Busy)
		assert.Len(t, strings.ReplaceAll(e.Order(), "-", ""), int(burst/clock.Second))
	}
	assert.Len(t, policies, 6)
	for _, n := range []int{0, 51} {
		_, err := sim.Exercises(1, n)
		require.ErrorContains(t, err, "want 1 to 50")
	}
}

func TestEveryPolicyIsComparedAndTheBestOfEachColumnMarked(t *testing.T) {
	s, err := sim.Open("textbook-rr")
	require.NoError(t, err)
	rows, err := s.Policies("1")
	require.NoError(t, err)
	byName := map[string]sim.PolicyRow{}
	for _, r := range rows {
		byName[r.Name()] = r
	}
	rr := byName["rr (arrivals first)"]
	assert.Equal(t, []string{"ABACBDACBDACDACDCDCDCC"}, rr.Table.Order)
	assert.Equal(t, "59/4", rr.Table.Means.Turnaround.String())
	assert.Equal(t, "9.25", rr.Table.Means.Waiting.Decimal())
	srtf := byName["srtf"]
	assert.True(t, srtf.Best.Turnaround, "nothing beats it there (FACTS §4)")
	assert.False(t, byName["fcfs"].Best.Turnaround)
	t2000, err := sim.Open("t2000-ts")
	require.NoError(t, err)
	_, err = t2000.Policies("")
	require.EqualError(t, err, "this scenario has no job list")
}

func TestAListIsReadFromATableOrDrawn(t *testing.T) {
	read := func(jobs string) []joblist.Job {
		s, err := sim.OpenDocument("x.json", []byte(`{"scheduler": {"kernel": "textbook-fcfs"}, "jobs": `+jobs+`}`))
		require.NoError(t, err, jobs)
		return s.Jobs()
	}
	text := read(`"A 0 5, B 1 3"`)
	assert.Equal(t, text, read(`"Process,Arrival Time,Burst Time\nA,0,5\nB,1,3"`))
	assert.Equal(t, text, read(`["name;arrival;burst", "A;0;5", "B;1;3"]`))
	drawn, err := joblist.Random(6, 3)
	require.NoError(t, err)
	assert.Equal(t, drawn, read(`{"random": 6, "seed": 3}`))
	for jobs, want := range map[string]string{
		`{"random": 0}`:                   "random",
		`{"rnd": 3}`:                      "rnd",
		`"name,arrival,burst\nA,0,-4"`:    "-4",
		`"name,arrival,burst\nA,0"`:       "2 fields",
		`"name,arrival,burst,x\nA,0,1,2"`: `column "x" is not known`,
	} {
		_, err := sim.OpenDocument("x.json", []byte(`{"scheduler": {"kernel": "textbook-fcfs"}, "jobs": `+jobs+`}`))
		require.ErrorContains(t, err, want)
	}
}

func TestARealKernelRunsABooksJobsInItsUnits(t *testing.T) {
	for _, kernel := range []string{"solaris10", "linux-2.2.8"} {
		s, err := sim.OpenDocument("x.json", []byte(`{"scheduler": {"kernel": "`+kernel+`", "unit": 100000}, "jobs": "A 0 5, B 1 3, C 2 8"}`))
		require.NoError(t, err)
		require.NoError(t, s.Advance(2*clock.Second))
		b := s.Frame().Book
		require.NotNil(t, b)
		assert.Equal(t, 100*clock.Millisecond, b.Unit)
		assert.Zero(t, b.Means.Unfinished)
		assert.GreaterOrEqual(t, b.Busy, 1600*clock.Millisecond, kernel)
		assert.Less(t, b.Busy, 1601*clock.Millisecond, "%s: its decisions cost microseconds", kernel)
		assert.Len(t, s.Frame().CPUs, 1)
	}
}
