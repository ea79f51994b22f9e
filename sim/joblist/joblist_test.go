package joblist_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/workload"
)

func TestAListReadsAsLecturersWriteIt(t *testing.T) {
	for text, want := range map[string][]joblist.Job{
		"A 0 5, B 1 3":      {{Name: "A", Length: 5000}, {Name: "B", Arrival: 1000, Length: 3000}},
		"A 0 5\nB 1 3\n":    {{Name: "A", Length: 5000}, {Name: "B", Arrival: 1000, Length: 3000}},
		"0 5; 1 3":          {{Name: "A", Length: 5000}, {Name: "B", Arrival: 1000, Length: 3000}},
		"P1 0 2.5 3":        {{Name: "P1", Length: 2500, Priority: 3}},
		"x 15 4 tickets=50": {{Name: "x", Arrival: 15_000, Length: 4000, Tickets: 50}},
		"x 0 40 io=5/10 prio=-1 ws=60 cpus=0.2": {
			{Name: "x", Length: 40_000, Every: 5000, IO: 10_000, Priority: -1, WorkingSet: 60, CPUs: []int{0, 2}},
		},
		"T1 C=2 T=5 D=4 offset=1": {{Name: "T1", Arrival: 1000, Length: 2000, Period: 5000, Deadline: 4000}},
		"":                        nil,
		" , ;\n":                  nil,
	} {
		jobs, err := joblist.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, jobs, text)
		again, err := joblist.Parse(joblist.Text(jobs))
		require.NoError(t, err, text)
		assert.Equal(t, jobs, again, "Text writes what Parse reads")
	}
}

// Case A-8 and FACTS §8: each gets a sentence that names the job, the field and the value.
func TestWhatMakesNoScheduleIsRefusedInASentence(t *testing.T) {
	for text, want := range map[string]string{
		"A 0 5, B 1 -4":             `job 2 (B): burst: "-4", want more than 0 to 1000000`,
		"A 0 0":                     `job 1 (A): burst: "0", want more than 0`,
		"A -1 5":                    `job 1 (A): arrival: "-1", want from 0 to 100000000`,
		"A 0 nan":                   `burst: "nan"`,
		"A 0 inf":                   `burst: "inf"`,
		"A 0 1e9":                   `burst: "1e9"`,
		"A 0 0.0001":                `at most three decimals`,
		"A 0 99999999999999999999":  `burst: "99999999999999999999"`,
		"A 0":                       "job 1 (A): burst: missing",
		"A":                         "job 1 (A): burst: missing",
		"A 0 5, B 0 1, A 3 4":       "job 3 (A): the name is taken by job 1",
		"A 0 5 tickets=0":           `tickets: "0", want a whole number from 1`,
		"A 0 5 tickets=-3":          `tickets: "-3"`,
		"A 0 5 tikets=3":            `"tikets" is no figure of a job; there are prio, tickets`,
		"A 0 5 io=0/5":              `io: "0", want more than 0`,
		"A 0 5 io=2/-3":             `io: "-3", want from 0`,
		"A 0 5 io=2":                `io: "2", want EVERY/TIME`,
		"A 0 5 ws=-5":               `ws: "-5"`,
		"A 0 5 cpus=9999":           `cpus: "9999"`,
		"T C=2 T=0":                 `T: "0", want more than 0`,
		"T C=2 T=5 D=0":             `D: "0"`,
		"A 0 5 D=3":                 "deadline: only a periodic task has one",
		"A 0 5 1 2":                 `"2" is one figure too many`,
		strings.Repeat("x", 40):     "name: 40 bytes",
		"A 0 1000000 io=0.001/1":    "io: 1000000000 of them",
		"A 0 1000000 io=1/1000000 ": "all bursts and I/Os together",
	} {
		_, err := joblist.Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestATableIsReadByItsColumns(t *testing.T) {
	jobs, err := joblist.ParseCSV("Process;Arrival Time;Burst Time;Priority\r\n\"P1\";0;5;2\r\nP2;1;3;\r\n\r\n")
	require.NoError(t, err)
	assert.Equal(t, []joblist.Job{{Name: "P1", Length: 5000, Priority: 2}, {Name: "P2", Arrival: 1000, Length: 3000}}, jobs)
	for text, want := range map[string]string{
		"name,arrival,brst\n":               `line 1: column "brst" is not known`,
		"name,arrival,burst\nA,0\n":         "line 2: 2 fields, line 1 has 3",
		"name,arrival,burst\nA,0,x\n":       `line 2: burst: "x"`,
		"name,arrival,burst\nA,0,\n":        "job 1 (A): burst: missing",
		"name,arrival,burst\nA,0,1\nA,0,1,": "line 3: 4 fields",
		"":                                  `line 1: column "" is not known`,
	} {
		_, err := joblist.ParseCSV(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestARandomListDependsOnItsSeedOnly(t *testing.T) {
	a, err := joblist.Random(300, 7)
	require.NoError(t, err)
	b, err := joblist.Random(300, 7)
	require.NoError(t, err)
	c, err := joblist.Random(300, 8)
	require.NoError(t, err)
	assert.Equal(t, a, b)
	assert.NotEqual(t, a, c)
	again, err := joblist.Parse(joblist.Text(a))
	require.NoError(t, err)
	assert.Equal(t, a, again)
	for _, n := range []int{0, -1, joblist.MaxJobs + 1} {
		_, err := joblist.Random(n, 1)
		require.ErrorContains(t, err, "want 1 to 100000")
	}
}

func TestAJobIssuesNoIOAtItsEnd(t *testing.T) {
	jobs, err := joblist.Parse("A 0 10 io=5/3, B 0 12 io=5/0, C 0 4 io=5/3")
	require.NoError(t, err)
	var ops [][]workload.Op
	var work []clock.Duration
	for i := range jobs {
		p, err := jobs[i].Program(clock.Second)
		require.NoError(t, err)
		var o []workload.Op
		for _, s := range p.Steps {
			o = append(o, s.Op)
		}
		ops = append(ops, o)
		work = append(work, p.Steps[len(p.Steps)-1].D)
	}
	assert.Equal(t, [][]workload.Op{
		{workload.Run, workload.Sleep, workload.Run},
		{workload.Run, workload.Yield, workload.Loop, workload.Run},
		{workload.Run},
	}, ops)
	assert.Equal(t, []clock.Duration{5 * clock.Second, 2 * clock.Second, 4 * clock.Second}, work)
}

func FuzzParse(f *testing.F) {
	f.Add("A 0 5, B 1 3 tickets=5 io=1/2")
	f.Add("T C=2 T=5 D=4")
	f.Add("name;burst\nA;3")
	f.Fuzz(func(t *testing.T, text string) {
		for _, read := range []func(string) ([]joblist.Job, error){joblist.Parse, joblist.ParseCSV} {
			jobs, err := read(text)
			if err != nil {
				continue
			}
			for i := range jobs {
				require.Positive(t, jobs[i].Length)
				require.GreaterOrEqual(t, jobs[i].Arrival, joblist.Time(0))
				_, err := jobs[i].Program(clock.Second)
				require.NoError(t, err)
			}
		}
	})
}
