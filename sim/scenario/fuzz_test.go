package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/policy"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// FuzzRead: no document makes the reader panic or take long, and one that is
// accepted opens and runs for 50 ms without a broken invariant, unless the
// kernel refuses a parameter.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("library/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		`{"tasks": {"x": {"run": 1000}}}`,
		`{"machine": "up", "tasks": {"x": {"instance": 3, "run": 5, "yield": ""}, "y": {"run": 1, "sleep": 0}}}`,
		`{"tasks": {"x": {"loop": 5, "phases": {"a": {"loop": -1, "run": 1}, "b": {"sleep": 2}}}}}`,
		`{"scheduler": {"default_class": "FSS", "zones": [{"id": 0, "shares": 0}], "projects": [{"id": 1, "shares": 0}, {"id": 2, "shares": 65535}]},
		  "tasks": {"x": {"project": 1, "run": 900}, "y": {"project": 2, "nice": -20, "run": 30000, "sleep": 1}}}`,
		`{"tasks": {"x": {"policy": "RT", "priority": 59, "run": 1, "sleep": 1}, "y": {"policy": "FX", "priority": 60, "run": 8640000000000, "sleep": 8640000000000}}}`,
		`{"scheduler": {"processor_sets": [{"id": 1, "cpus": [0]}, {"id": 2, "cpus": [1, 2]}]}, "tasks": {"x": {"instance": 9, "pset": 2, "run": 1}, "y": {"cpus": [0], "run": 1}}}`,
		`{"tasks": {"x": {"delay": 10, "loop": 3, "run": 0, "sleep": 3, /* c */ "run": 7,},}}`,
		`{"tasks":{"x":{"policy":"SCHED_FIFO","priority":1e1,"run":1}}}`,
		`// "` + "\n" + strings.Repeat("[", 300),
		`{"` + strings.Repeat("k", 100) + `": 1}`,
		"{\"tasks\": {\"\\ud800\": {\"run\": 1}}}", "\xff\xfe", `{"seed": 1e999}`, `{"seed": -0}`, ``,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := scenario.Read("fuzz", text)
		if err != nil {
			if s != nil {
				t.Fatal("a scenario beside an error")
			}
			if n := len(err.Error()); n > 5000 {
				t.Fatalf("a message of %d bytes", n)
			}
			return
		}
		if s.Threads() > 300 {
			return // running so many takes long, and reading them was the question
		}
		open(t, s)
	})
}

// open runs a scenario for 50 ms as a session would.
func open(t *testing.T, s *scenario.Scenario) {
	k, err := policy.Find(s.Scheduler.Kernel)
	if err != nil {
		return
	}
	if k.CheckClass(s.Scheduler.DefaultClass) != nil {
		return
	}
	for _, x := range s.Tasks {
		if x.Class != "" && k.CheckClass(x.Class) != nil {
			return
		}
	}
	pol, err := k.New(s)
	if err != nil {
		return
	}
	h := check.New(len(s.Machine.CPUs))
	cfg := engine.Config{
		Machine: s.Machine, Policy: pol, Timing: k.Timing, HZ: k.HZ, Seed: s.Seed, SleepOnTicks: k.SleepOnTicks,
		Observers: []trace.Observer{h},
	}
	for _, set := range s.ActiveSets() {
		cfg.Sets = append(cfg.Sets, engine.Set{ID: set.ID, CPUs: set.CPUs})
	}
	e, err := engine.New(cfg)
	if err != nil {
		return // a project of an undefined zone
	}
	for i := range s.Tasks {
		x := &s.Tasks[i]
		for range x.Instance {
			th, err := e.Create(engine.Spec{
				Name: x.Name, Set: s.SetOf(x), Bound: x.CPU, Group: sched.GroupID(x.Project), Prog: x.Program, As: x.Params(),
			})
			if err != nil {
				return // a priority outside the class's range, a binding outside the set
			}
			e.StartAt(th, clock.Time(x.Delay))
		}
	}
	// Bursts of a microsecond make many events: so many are enough.
	if _, err := e.AdvanceSome(clock.Time(50*clock.Millisecond), 100_000); err != nil {
		t.Fatal(err)
	}
	if err := h.Finish(e.Now()); err != nil {
		t.Fatal(err)
	}
}
