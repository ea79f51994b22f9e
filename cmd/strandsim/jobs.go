package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/scenario"
	"strandscope/sim/stats"
)

func jobsCommand() *cli.Command {
	return &cli.Command{
		Name:      "jobs",
		Usage:     "run a job list under textbook policies",
		ArgsUsage: "'A 0 5, B 1 3'",
		Description: "Each job is NAME ARRIVAL BURST, then what it has of prio=2 tickets=50 io=5/10 ws=40 cpus=0.2;\n" +
			"a periodic task is T1 C=2 T=5 D=4. -csv reads a table, -random draws a list.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "policy", Value: "fcfs", Usage: "`POLICY`: fcfs, sjf, srtf, hrrn, rr, prio, prio-p, prio-rr, mlfq, lottery, stride, multi, rm, dm or edf"},
			&cli.BoolFlag{Name: "all", Usage: "every policy that fits the list, and their means side by side"},
			&cli.StringFlag{Name: "quantum", Usage: "`UNITS`; for mlfq a list such as 4,8,16, the top first"},
			&cli.StringFlag{Name: "tie", Usage: "when a quantum ends as a job arrives: arrivals_first or requeue_first"},
			&cli.StringSliceFlag{Name: "set", Usage: "another option of the policy, as in boost=50, stay=true, queues=per_cpu, seed=7"},
			&cli.IntFlag{Name: "cpus", Value: 1, Usage: "number of CPUs"},
			&cli.StringFlag{Name: "csv", Usage: "read the list from a CSV `FILE` (- for standard input)"},
			&cli.IntFlag{Name: "random", Usage: "draw a list of `N` jobs"},
			&cli.IntFlag{Name: "seed", Value: 1, Usage: "of -random"},
			&cli.DurationFlag{Name: "for", Usage: "simulated `TIME` to run; one unit is a second (default: until all have ended)"},
		},
		Action: runJobs,
	}
}

// jobList reads the list from wherever it is given.
func jobList(c *cli.Command) ([]joblist.Job, error) {
	given := 0
	for _, is := range []bool{c.Args().Present(), c.IsSet("csv"), c.IsSet("random")} {
		if is {
			given++
		}
	}
	if given != 1 || c.Args().Len() > 1 {
		return nil, fmt.Errorf("jobs needs one list: a text such as 'A 0 5, B 1 3', or -csv FILE, or -random N")
	}
	switch {
	case c.IsSet("csv"):
		text, err := readDocument(c.String("csv"))
		if err != nil {
			return nil, err
		}
		return joblist.ParseCSV(string(text))
	case c.IsSet("random"):
		if c.Int("seed") < 0 {
			return nil, fmt.Errorf("-seed %d, want 0 or more", c.Int("seed"))
		}
		return joblist.Random(c.Int("random"), uint64(c.Int("seed")))
	}
	return joblist.Parse(c.Args().First())
}

func runJobs(_ context.Context, c *cli.Command) error {
	jobs, err := jobList(c)
	if err != nil {
		return err
	}
	if c.Bool("all") {
		if c.IsSet("policy") {
			return fmt.Errorf("-all runs every policy; leave -policy out")
		}
		return compareAll(c.Root().Writer, c, jobs)
	}
	settings, err := jobSettings(c)
	if err != nil {
		return err
	}
	t, err := runList(c, c.String("policy"), jobs, settings)
	if err != nil {
		return err
	}
	if c.IsSet("random") && len(jobs) <= maxJobRows {
		fmt.Fprintln(c.Root().Writer, joblist.Text(jobs))
	}
	return printJobs(c.Root().Writer, t)
}

func jobSettings(c *cli.Command) ([]sim.Setting, error) {
	var list []sim.Setting
	for _, key := range []string{"quantum", "tie"} {
		if c.IsSet(key) {
			list = append(list, sim.Setting{Key: key, Value: c.String(key)})
		}
	}
	for _, kv := range c.StringSlice("set") {
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			return nil, fmt.Errorf("-set %q, want key=value", kv)
		}
		list = append(list, sim.Setting{Key: k, Value: v})
	}
	return list, nil
}

// runList runs a list under one policy. An empty list has an empty schedule.
func runList(c *cli.Command, policy string, jobs []joblist.Job, settings []sim.Setting) (sim.JobTable, error) {
	span := clock.Duration(c.Duration("for"))
	if span < 0 || span > maxFor {
		return sim.JobTable{}, fmt.Errorf("-for %v, want 0s to %dh", c.Duration("for"), maxFor/clock.Hour)
	}
	s, err := sim.OpenJobs(scenario.BookKernels+policy, jobs, c.Int("cpus"), settings...)
	if err != nil {
		return sim.JobTable{}, err
	}
	if !c.IsSet("for") {
		span = s.Span()
	}
	watch := s.NewJobs()
	err = s.ResetWith(watch)
	if err == nil {
		err = s.Advance(span)
	}
	if err == nil {
		err = s.Finish()
	}
	if err != nil {
		return sim.JobTable{}, failure{err}
	}
	return s.JobTable(watch), nil
}

// candidate is a policy of -all.
type candidate struct {
	policy, note string
	takes        []string // settings of the command line that it understands
	fits         func(f features) bool
	settings     []sim.Setting
}

// features are what a list asks for.
type features struct{ prio, tickets, periodic, caches bool }

func once(f features) bool { return !f.periodic }

var quantumOnly = []string{"quantum"}

// candidates in the order of the table.
var candidates = []candidate{
	{"fcfs", "", nil, once, nil},
	{"sjf", "", nil, once, nil},
	{"srtf", "", nil, once, nil},
	{"hrrn", "", nil, once, nil},
	{"rr", "arrivals first", quantumOnly, once, []sim.Setting{{Key: "tie", Value: scenario.TieArrivals}}},
	{"rr", "requeue first", quantumOnly, once, []sim.Setting{{Key: "tie", Value: scenario.TieRequeue}}},
	{"mlfq", "", quantumOnly, once, nil},
	{"prio", "", nil, func(f features) bool { return once(f) && f.prio }, nil},
	{"prio-p", "", nil, func(f features) bool { return once(f) && f.prio }, nil},
	{"prio-rr", "", quantumOnly, func(f features) bool { return once(f) && f.prio }, nil},
	{"lottery", "", quantumOnly, func(f features) bool { return once(f) && f.tickets }, nil},
	{"stride", "", quantumOnly, func(f features) bool { return once(f) && f.tickets }, nil},
	{"multi", "central queue", quantumOnly, func(f features) bool { return once(f) && f.caches }, nil},
	{"multi", "queue for each CPU", quantumOnly, func(f features) bool { return once(f) && f.caches }, []sim.Setting{{Key: "queues", Value: "per_cpu"}}},
	{"rm", "", nil, func(f features) bool { return f.periodic }, nil},
	{"dm", "", nil, func(f features) bool { return f.periodic }, nil},
	{"edf", "", nil, func(f features) bool { return f.periodic }, nil},
}

func featuresOf(jobs []joblist.Job) features {
	var f features
	for i := range jobs {
		j := &jobs[i]
		f.prio = f.prio || j.Priority != 0
		f.tickets = f.tickets || j.Tickets != 0
		f.periodic = f.periodic || j.Period != 0
		f.caches = f.caches || j.WorkingSet != 0 || len(j.CPUs) > 0
	}
	return f
}

// compareAll prints the means of every policy that fits, the best of each column
// marked.
func compareAll(w io.Writer, c *cli.Command, jobs []joblist.Job) error {
	if c.IsSet("tie") || c.IsSet("set") {
		return fmt.Errorf("-all chooses ties itself and takes no -set; use -policy")
	}
	var names []string
	var tables []sim.JobTable
	f := featuresOf(jobs)
	for _, x := range candidates {
		if !x.fits(f) {
			continue
		}
		settings := x.settings
		if c.IsSet("quantum") && len(x.takes) > 0 {
			settings = append(settings[:len(settings):len(settings)], sim.Setting{Key: "quantum", Value: c.String("quantum")})
		}
		t, err := runList(c, x.policy, jobs, settings)
		if err != nil {
			return fmt.Errorf("%s: %w", x.policy, err)
		}
		name := x.policy
		if x.note != "" {
			name += " (" + x.note + ")"
		}
		names, tables = append(names, name), append(tables, t)
	}
	if f.periodic {
		return printMisses(w, names, tables)
	}
	return printMeans(w, names, tables)
}

func printMeans(w io.Writer, names []string, tables []sim.JobTable) error {
	columns := []func(m stats.Means) stats.Fraction{
		func(m stats.Means) stats.Fraction { return m.Response },
		func(m stats.Means) stats.Fraction { return m.Turnaround },
		func(m stats.Means) stats.Fraction { return m.Waiting },
	}
	b := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(b, "policy\tmean response\tmean turnaround\tmean waiting\torder")
	for i, t := range tables {
		fmt.Fprintf(b, "%s", names[i])
		for _, column := range columns {
			mine := column(t.Means)
			best := mine.Den != 0
			for _, o := range tables {
				best = best && !column(o.Means).Less(mine)
			}
			text := fraction(mine)
			if mine.Den > 1 {
				text = decimal(mine) + " = " + text
			}
			fmt.Fprintf(b, "\t%s", starred(text, best))
		}
		order := ""
		if len(t.Order) == 1 && len(t.Order[0]) <= 60 {
			order = t.Order[0]
		}
		fmt.Fprintf(b, "\t%s\n", order)
	}
	return b.Flush()
}

func printMisses(w io.Writer, names []string, tables []sim.JobTable) error {
	b := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(b, "policy\treleased\tmissed")
	missed := func(t sim.JobTable) (released, missed int64) {
		for _, x := range t.Tasks {
			released += x.Released
			missed += x.Missed
		}
		return released, missed
	}
	for i, t := range tables {
		released, mine := missed(t)
		best := true
		for _, o := range tables {
			_, its := missed(o)
			best = best && its >= mine
		}
		fmt.Fprintf(b, "%s\t%d\t%s\n", names[i], released, starred(fmt.Sprint(mine), best))
	}
	return b.Flush()
}
