package linux6_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/golden"
	"strandscope/sim/golden/goldentest"
	"strandscope/sim/machine"
	"strandscope/sim/policy/linux6"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// recorded is a run of the reference, as far as a scenario can say it.
type recorded struct {
	Build struct {
		Kernel   string
		Duration int64 `json:"duration_ns"`
		Tunables struct {
			Base    int64 `json:"base_slice_ns"`
			Latency int64 `json:"latency_ns"`
		}
		StartOrder []int32 `json:"start_order"`
		Tasks      []struct {
			PID      int32
			Nice     int
			Slice    int64 `json:"slice_ns"`
			Program  [][]any
			LoopFrom int `json:"loop_from"`
		}
	}
}

// program turns a recorded program into one of ours; ok is false where it renices.
func (r *recorded) program(t *testing.T, pid int32) (prog *workload.Program, ok bool) {
	for _, d := range r.Build.Tasks {
		if d.PID != pid {
			continue
		}
		var b workload.Builder
		ok = true
		do := func(steps [][]any) {
			for _, s := range steps {
				number := func() int64 { return int64(s[1].(float64)) }
				switch s[0] {
				case "run":
					b.Do(workload.Instr{Op: workload.Run, D: clock.Duration(number())})
				case "sleep":
					b.Do(workload.Instr{Op: workload.Sleep, D: clock.Duration(number())})
				case "yield":
					b.Do(workload.Instr{Op: workload.Yield})
				case "exit":
					b.Do(workload.Instr{Op: workload.Exit})
				case "fork":
					child, fine := r.program(t, int32(number()))
					ok = ok && fine
					b.Do(workload.Instr{Op: workload.Fork, Name: fmt.Sprint(number()), Child: child})
				default:
					ok = false
				}
			}
		}
		if d.LoopFrom < 0 {
			do(d.Program)
			if n := len(d.Program); n == 0 || d.Program[n-1][0] != "exit" {
				b.Do(workload.Instr{Op: workload.Spin})
			}
		} else {
			do(d.Program[:d.LoopFrom])
			b.Repeat(-1, func() { do(d.Program[d.LoopFrom:]) })
		}
		if !ok {
			return nil, false
		}
		prog, err := b.Program()
		require.NoError(t, err)
		return prog, true
	}
	require.Failf(t, "no task", "pid %d", pid)
	return nil, false
}

// switches notes who follows whom.
type switches struct {
	lines  []string
	on     string
	engine *engine.Engine
}

func (s *switches) note(at clock.Time, next string) {
	if next != s.on {
		s.lines = append(s.lines, fmt.Sprintf("%d %s→%s", at, s.on, next))
		s.on = next
	}
}

// Observe takes a pick of nobody as a switch to the idle task.
func (s *switches) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.On:
		s.note(e.At, s.engine.Threads()[e.Thread].Name)
	case trace.Idle:
		s.note(e.At, "0")
	default:
	}
}

// The engine drives the same queue as the replay, and in the same order: every
// recorded run without renices comes out switch by switch.
func TestTheEngineMakesEveryRecordedSwitch(t *testing.T) {
	dir := goldentest.Dir("linux6")
	if dir == "testdata" {
		dir = "../../golden/linux6/testdata"
	}
	paths, err := filepath.Glob(dir + "/golden-*/*.summary.json*")
	require.NoError(t, err)
	runs := 0
	for _, p := range paths {
		raw, err := golden.Read(p)
		require.NoError(t, err)
		var r recorded
		require.NoError(t, json.Unmarshal(raw, &r))
		have, ok := replay(t, &r)
		if !ok {
			continue
		}
		runs++
		want := decisions(t, strings.TrimSuffix(strings.TrimSuffix(p, ".gz"), "summary.json")+"decisions.csv.gz")
		for i := range min(len(want), len(have)) {
			require.Equal(t, want[i], have[i], "%s, switch %d", p, i)
		}
		assert.Len(t, have, len(want), p)
	}
	assert.Greater(t, runs, 10, "a comparison of nothing")
}

// decisions are the recorded ones that switch.
func decisions(t *testing.T, path string) []string {
	raw, err := golden.Read(path)
	require.NoError(t, err)
	var lines []string
	_, err = golden.EachRow(csv.NewReader(strings.NewReader(string(raw))), func(f *golden.Fields) {
		if f.Text("prev") != f.Text("next") {
			lines = append(lines, fmt.Sprintf("%s %s→%s", f.Text("time_ns"), f.Text("prev"), f.Text("next")))
		}
	})
	require.NoError(t, err)
	return lines
}

func replay(t *testing.T, r *recorded) ([]string, bool) {
	version := map[string]linux6.Version{"6.1.176": linux6.V61, "6.12.95": linux6.V612, "6.18.15": linux6.V618}[r.Build.Kernel]
	factor := r.Build.Tunables.Base / 700_000
	if version == linux6.V61 {
		factor = r.Build.Tunables.Latency / 6_000_000
	}
	m, err := machine.Grid(1, 1)
	require.NoError(t, err)
	s := &switches{on: "0"}
	e, err := engine.New(engine.Config{
		Machine: m, Policy: linux6.New(linux6.Options{Version: version, Factor: factor}), Timing: engine.Hires, HZ: linux6.HZ,
		Observers: []trace.Observer{s},
	})
	require.NoError(t, err)
	for _, pid := range r.Build.StartOrder {
		prog, ok := r.program(t, pid)
		if !ok {
			return nil, false
		}
		for _, d := range r.Build.Tasks {
			if d.PID == pid {
				th, err := e.Create(engine.Spec{
					Name: fmt.Sprint(pid), PID: pid, Bound: sched.NoCPU, Prog: prog,
					As: sched.Params{Nice: d.Nice, Slice: clock.Duration(d.Slice)},
				})
				require.NoError(t, err)
				e.StartAt(th, 0)
			}
		}
	}
	s.engine = e
	require.NoError(t, e.AdvanceTo(clock.Time(r.Build.Duration)))
	return s.lines, true
}
