package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// got sums up, by task name, what its threads had of the machine's CPU time, in
// percent of all strands.
func got(f *sim.Frame) map[string]float64 {
	sum := map[string]float64{}
	for _, t := range f.Threads {
		if !t.Kernel {
			sum[t.Name] += 100 * float64(t.Ran) / float64(f.Now) / float64(len(f.CPUs))
		}
	}
	return sum
}

// work sums up, by task name, the work done in seconds at full speed.
func work(f *sim.Frame) map[string]float64 {
	sum := map[string]float64{}
	for _, t := range f.Threads {
		if !t.Kernel {
			sum[t.Name] += float64(t.Work) / float64(clock.Second)
		}
	}
	return sum
}

func find(t *testing.T, f *sim.Frame, name string) sim.Thread {
	t.Helper()
	for _, th := range f.Threads {
		if th.Name == name {
			return th
		}
	}
	require.Fail(t, "no thread "+name)
	return sim.Thread{}
}

func TestEveryScenarioHasWhatAReaderNeeds(t *testing.T) {
	for _, i := range sim.Library() {
		t.Run(i.ID, func(t *testing.T) {
			assert.NotEmpty(t, i.Title)
			assert.NotEmpty(t, i.SourceTitle)
			s := run(t, 3*clock.Second, i.ID)
			f := s.Frame()
			if !i.Prompt { // else nothing runs until something is typed
				assert.Positive(t, f.Totals.Busy)
			}
			assert.NotContains(t, i.SourceNote, "shared/", "a reader has no such folder")
		})
	}
}

// The lone hog's sawtooth: FACTS §3.7 and case S-18.
func TestALoneHogFallsToZeroAndIsLiftedEverySecond(t *testing.T) {
	s := run(t, 0, "ts-lone-hog")
	var levels []int
	for range 200 {
		require.NoError(t, s.Step())
		p := find(t, s.Frame(), "hog").Priority
		if len(levels) == 0 || levels[len(levels)-1] != p {
			levels = append(levels, p)
		}
	}
	assert.Equal(t, []int{29, 19, 9, 0, 50, 40, 30, 20, 10, 0, 50}, levels)
	require.NoError(t, s.Rewind())
	require.NoError(t, s.Advance(1440*clock.Millisecond))
	assert.Equal(t, 0, find(t, s.Frame(), "hog").Priority, "44 ticks after the lift")
	require.NoError(t, s.Rewind())
	require.NoError(t, s.Advance(1430*clock.Millisecond))
	assert.Equal(t, 10, find(t, s.Frame(), "hog").Priority)
}

func TestNiceIsALadder(t *testing.T) {
	g := got(run(t, 10*clock.Second, "ts-nice-ladder").Frame())
	assert.InDelta(t, 83, g["nice-20"], 1)
	assert.InDelta(t, 15.5, g["nice-10"], 1)
	assert.InDelta(t, 1.6, g["nice0"], 1)
	assert.Zero(t, g["nice+10"])
	assert.Zero(t, g["nice+19"])
}

func TestSharesOneToThree(t *testing.T) {
	g := got(run(t, 60*clock.Second, "fss-1-3").Frame())
	assert.InDelta(t, 75, g["three"], 1.5)
	// Its hogs stop: a share is no cap.
	s := run(t, 10*clock.Second, "fss-1-3")
	_, err := s.Do("kill 1208 1209 1210 1211")
	require.NoError(t, err)
	before := got(s.Frame())["one"]
	require.NoError(t, s.Advance(10*clock.Second))
	assert.InDelta(t, 100, 2*got(s.Frame())["one"]-before, 2)
}

func TestSharesInProcessorSets(t *testing.T) {
	g := got(run(t, 120*clock.Second, "fss-psets").Frame())
	assert.InDelta(t, 4.17, g["A1"], 1)
	assert.InDelta(t, 28.33, g["B1"]+g["B2"], 1)
	assert.InDelta(t, 67.5, g["C1"]+g["C2"]+g["C3"], 1)

	// Without the sets the shares count for the whole machine.
	s := run(t, 0, "fss-psets")
	for _, line := range []string{"psrset -d 1", "psrset -d 2"} {
		_, err := s.Do(line)
		require.NoError(t, err)
	}
	require.NoError(t, s.Advance(240*clock.Second))
	require.NoError(t, s.Finish())
	g = got(s.Frame())
	assert.InDelta(t, 16.67, g["A1"], 1)
	assert.InDelta(t, 33.33, g["B1"]+g["B2"], 1)
	assert.InDelta(t, 50, g["C1"]+g["C2"]+g["C3"], 1)
}

func TestShareChangesTakeEffect(t *testing.T) {
	s := run(t, 30*clock.Second, "fss-share-change")
	half := got(s.Frame())
	assert.InDelta(t, 50, half["left"], 2)
	require.NoError(t, s.Advance(10*clock.Second)) // old usage decays
	from := find(t, s.Frame(), "right").Ran
	at := got(s.Frame())
	require.NoError(t, s.Advance(20*clock.Second))
	f := s.Frame()
	assert.Greater(t, find(t, f, "right").Ran, from)
	right := (got(f)["right"]*60 - at["right"]*40) / 20
	assert.InDelta(t, 80, right, 3, "four shares of five")
	before := got(f)["left"] * 60
	require.NoError(t, s.Advance(10*clock.Second))
	assert.InDelta(t, 0, got(s.Frame())["left"]*70-before, 100, "without a share: at most what one second gives")
}

func TestAFixedPriorityOfThirtyBeatsTimeSharing(t *testing.T) {
	f := run(t, 30*clock.Second, "t2000-fx").Frame()
	ts, fx := find(t, f, "ts").Ran, find(t, f, "fx").Ran
	assert.Greater(t, fx, ts*3/2)
	s := run(t, 0, "t2000-fx")
	_, err := s.Do("priocntl -s -c FX -p 0 -i name fx")
	require.NoError(t, err)
	require.NoError(t, s.Advance(30*clock.Second))
	assert.Positive(t, find(t, s.Frame(), "fx").Ran/clock.Second, "at 0 it still shares with those that sank")
}

func TestFocusGivesMoreButNoStrandEach(t *testing.T) {
	f := run(t, 60*clock.Second, "t2000-ia").Frame()
	g := got(f)
	focus, batch := g["focus"]/16, g["batch"]/48
	assert.Greater(t, focus, batch)
	assert.Less(t, focus, 100.0/32, "less than a strand each")
}

func TestTheFocusMoves(t *testing.T) {
	s := run(t, 10*clock.Second, "ia-focus")
	a := got(s.Frame())
	assert.InDelta(t, 46, a["editor"], 1)
	assert.InDelta(t, 28, a["shell"], 1)
	assert.InDelta(t, 26, a["viewer"], 1)
	require.NoError(t, s.Advance(10*clock.Second))
	b := got(s.Frame())
	assert.Greater(t, 2*b["viewer"]-a["viewer"], 2*b["editor"]-a["editor"])
}

// S-17.
func TestARealTimeSpinnerCostsExactlyOneStrand(t *testing.T) {
	s := run(t, 5*clock.Second, "t2000-rt-starves")
	before := got(s.Frame())["ts"]
	assert.InDelta(t, 100, before, 0.1)
	require.NoError(t, s.Advance(20*clock.Second))
	f := s.Frame()
	assert.Equal(t, 20*clock.Second, find(t, f, "rt").Ran)
	assert.Equal(t, 31, f.Totals.Running-1)
	assert.Equal(t, 1, f.Totals.Waiting)

	one, err := sim.OpenDocument("one.json", []byte(`{
		"machine": "up", "scheduler": {"default_class": "TS"},
		"tasks": {"ts": {"run": 1000}, "rt": {"run": 1000, "policy": "RT", "delay": 1000000}}}`))
	require.NoError(t, err)
	require.NoError(t, one.Advance(10*clock.Second))
	assert.Equal(t, clock.Second, find(t, one.Frame(), "ts").Ran, "nothing from that instant on")
}

func TestBatchJobsUseOneStrandEachAndGiveWay(t *testing.T) {
	f := run(t, 30*clock.Second, "t2000-oltp").Frame()
	assert.InDelta(t, 100*4.0/32, got(f)["batch"], 0.3)
	for _, name := range []string{"oracle-a", "oracle-b", "oracle-c", "httpd"} {
		assert.Positive(t, work(f)[name])
	}
}

// S-6, and the point "done when" of the T1 model.
func TestPackedHogsLookTheSameAndDoHalfTheWork(t *testing.T) {
	s := run(t, 29*clock.Second, "cmt-8-spread-vs-packed")
	spread := s.Frame()
	assert.Equal(t, 250, spread.Vmstat.BusyPermille)
	assert.Equal(t, []int{25, 8}, []int{spread.Vmstat.User, spread.Totals.BusyCores})
	assert.InDelta(t, 500, int(spread.Totals.IssueSlots), 1)
	require.NoError(t, s.Advance(2*clock.Second))
	from := work(s.Frame())["hog"]
	require.NoError(t, s.Advance(10*clock.Second))
	packed := s.Frame()
	assert.Equal(t, 250, packed.Vmstat.BusyPermille)
	assert.Equal(t, []int{25, 2}, []int{packed.Vmstat.User, packed.Totals.BusyCores})
	assert.InDelta(t, 246, int(packed.Totals.IssueSlots), 1)
	assert.InDelta(t, 8*10*0.49, work(packed)["hog"]-from, 0.8, "FACTS §11.3: four strands run at 0.49")
}

// FACTS §11.3's relative speeds come out of a run.
func TestRelativeSpeedsComeOutOfARun(t *testing.T) {
	for cpi, want := range map[string][4]float64{
		"1.25": {1, .61, .42, .31}, "1.5": {1, .69, .49, .37}, "2": {1, .80, .63, .49}, "3": {1, .90, .79, .68},
		"4": {1, .94, .87, .79}, "5.6": {1, .97, .93, .89}, "7.2": {1, .98, .96, .93},
	} {
		for k := 1; k <= 4; k++ {
			doc := `{"machine": "t2000", "scheduler": {"default_class": "TS"}, "tasks": {`
			for i := range k {
				doc += `"h` + string(rune('0'+i)) + `": {"run": 1000000, "cpus": [` + string(rune('0'+i)) + `], "cpi": ` + cpi + `},`
			}
			s, err := sim.OpenDocument("speeds.json", []byte(doc+`}}`))
			require.NoError(t, err)
			require.NoError(t, s.Advance(10*clock.Second))
			assert.InDelta(t, want[k-1], work(s.Frame())["h0"]/10, 0.01, "CPI %s, %d strands", cpi, k)
		}
	}
}

func TestStrandsTakenOffLineAreLeftOutAndTheirThreadsMove(t *testing.T) {
	s := run(t, 20*clock.Second, "strand-offline")
	f := s.Frame()
	assert.Equal(t, 12, f.Totals.Strands)
	assert.Equal(t, []int{20, 100, 0}, []int{f.Vmstat.Runnable, f.Vmstat.User, f.Vmstat.Idle})
	for _, th := range f.Threads {
		if th.State == sched.Running {
			assert.Less(t, th.CPU, 12)
		}
	}
	require.NoError(t, s.Advance(12*clock.Second))
	require.NoError(t, s.Finish())
	f = s.Frame()
	assert.Equal(t, 32, f.Totals.Running)
	assert.Equal(t, 0, f.Vmstat.Runnable)
}

func TestTheOneLinerForksAsTheRecordedOneDoes(t *testing.T) {
	s := run(t, clock.Second, "t2000-perl-fork")
	f := s.Frame()
	assert.Equal(t, 32, f.Totals.Running)
	assert.Equal(t, 0, f.Totals.Waiting)
	assert.Equal(t, int32(1204+31), f.Threads[len(f.Threads)-1].PID)
	// Where the first children go: golden/mp/mp_perlfork32.jsonl.
	assert.Equal(t, []int{4, 12, 20, 28, 1, 8, 16, 24}, []int{
		f.Threads[2].CPU, f.Threads[3].CPU, f.Threads[4].CPU, f.Threads[5].CPU,
		f.Threads[6].CPU, f.Threads[7].CPU, f.Threads[8].CPU, f.Threads[9].CPU,
	})
}
