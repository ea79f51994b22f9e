package sim

import (
	"fmt"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/joblist"
)

// Exercise is a question on a job list, with the answer that the policy gives.
type Exercise struct {
	Number int
	Policy string // without "textbook-"
	Rule   string // the policy in a sentence, its ties named
	Jobs   []joblist.Job
	// Document runs it: a scenario for the page and the command line.
	Document string
	Table    JobTable // the answer
}

// maxExercises is the most that are drawn at once.
const maxExercises = 50

// exercised are the policies asked about, in turn. A list that leaves a tie open
// would have two right answers, so each rule says what decides.
var exercised = []struct {
	policy, rule string
	quanta       []string
	more         string // of scheduler, in a scenario
}{
	{"fcfs", "First come, first served: who came first runs until it ends; of equals the one listed first.", nil, ""},
	{"rr", "Round robin with a quantum of %s: when it ends as a job arrives, the newcomer enters the queue first.", []string{"1", "2", "3"}, `, "tie": "arrivals_first"`},
	{"sjf", "Shortest job first, not preemptive: of equals the one that came first.", nil, ""},
	{"srtf", "Shortest remaining time first, preemptive: a newcomer takes the CPU only if it is shorter than what is left; of equals the one that came first.", nil, ""},
	{"prio-p", "Priorities, preemptive: the smaller number takes the CPU; of equals the one that came first.", nil, ""},
	{"hrrn", "Highest response ratio next, not preemptive: the largest (waited + burst) / burst; of equals the one that came first.", nil, ""},
	{"rr", "Round robin with a quantum of %s: when it ends as a job arrives, the job that ran enters the queue first.", []string{"2", "3"}, `, "tie": "requeue_first"`},
}

// Exercises draws n exercises from a seed. Equal seeds give equal exercises.
func Exercises(seed uint64, n int) ([]Exercise, error) {
	if n < 1 || n > maxExercises {
		return nil, fmt.Errorf("%d exercises, want 1 to %d", n, maxExercises)
	}
	r := clock.NewRand(seed, 2)
	list := make([]Exercise, n)
	for i := range list {
		x := &exercised[i%len(exercised)]
		e := Exercise{Number: i + 1, Policy: x.policy, Rule: x.rule, Jobs: drawJobs(&r, x.policy == "prio-p")}
		keys := x.more
		if len(x.quanta) > 0 {
			q := x.quanta[r.Int63n(int64(len(x.quanta)))]
			e.Rule = fmt.Sprintf(x.rule, q)
			keys += `, "quantum": ` + q
		}
		e.Document = fmt.Sprintf(`{"title": "Exercise %d of seed %d", "scheduler": {"kernel": "textbook-%s"%s}, "jobs": "%s"}`,
			i+1, seed, x.policy, keys, joblist.Text(e.Jobs))
		s, err := OpenDocument(fmt.Sprintf("exercise-%d.json", i+1), []byte(e.Document))
		if err == nil {
			err = s.Advance(s.Span())
		}
		if err != nil {
			return nil, fmt.Errorf("exercise %d: %w", i+1, err)
		}
		e.Table = s.JobTable(s.watch.jobs)
		list[i] = e
	}
	return list, nil
}

// drawJobs draws three to five jobs that have to wait for each other: they arrive at
// most two units apart and run for one to seven.
func drawJobs(r *clock.Rand, priorities bool) []joblist.Job {
	jobs := make([]joblist.Job, 3+r.Int63n(3))
	at := int64(0)
	for i := range jobs {
		jobs[i] = joblist.Job{Name: joblist.Letters(i), Arrival: joblist.Units(at), Length: joblist.Units(1 + r.Int63n(7))}
		if i == 0 {
			jobs[i].Length = joblist.Units(3 + r.Int63n(5)) // or it would be gone before the others come
		}
		if priorities {
			jobs[i].Priority = int(1 + r.Int63n(5))
		}
		at += r.Int63n(3)
	}
	return jobs
}

// Asks is what is to be found out, in a sentence.
func (e *Exercise) Asks() string {
	return "Write down who runs in each unit of time, then each job's waiting and turnaround time, and their means as fractions."
}

// Order is the answer's string of letters.
func (e *Exercise) Order() string { return strings.Join(e.Table.Order, " ") }
