package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/joblist"
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
	span, err := jobSpan(c)
	if err != nil {
		return err
	}
	t, err := sim.RunJobs(c.String("policy"), jobs, c.Int("cpus"), span, settings...)
	if err != nil {
		return broken(err)
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

// jobSpan is how long to run; 0: until all have ended.
func jobSpan(c *cli.Command) (clock.Duration, error) {
	span := clock.Duration(c.Duration("for"))
	if span < 0 || span > maxFor {
		return 0, fmt.Errorf("-for %v, want 0s to %dh", c.Duration("for"), maxFor/clock.Hour)
	}
	return span, nil
}

// broken tells a run that stopped from wrong input.
func broken(err error) error {
	var b *sim.BrokenError
	if errors.As(err, &b) {
		return failure{err}
	}
	return err
}

// compareAll prints the means of every policy that fits, the best of each column
// marked.
func compareAll(w io.Writer, c *cli.Command, jobs []joblist.Job) error {
	if c.IsSet("tie") || c.IsSet("set") {
		return fmt.Errorf("-all chooses ties itself and takes no -set; use -policy")
	}
	span, err := jobSpan(c)
	if err != nil {
		return err
	}
	rows, err := sim.ComparePolicies(jobs, c.Int("cpus"), c.String("quantum"), span)
	if err != nil {
		return broken(err)
	}
	if len(rows[0].Table.Tasks) > 0 {
		return printMisses(w, rows)
	}
	return printMeans(w, rows)
}

func printMeans(w io.Writer, rows []sim.PolicyRow) error {
	b := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(b, "policy\tmean response\tmean turnaround\tmean waiting\torder")
	for i := range rows {
		r := &rows[i]
		m := &r.Table.Means
		order := ""
		if o := r.Table.Order; len(o) == 1 && len(o[0]) <= 60 {
			order = o[0]
		}
		fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%s\n", r.Name(), starred(meanText(m.Response), r.Best.Response),
			starred(meanText(m.Turnaround), r.Best.Turnaround), starred(meanText(m.Waiting), r.Best.Waiting), order)
	}
	return b.Flush()
}

// meanText is a mean as a decimal, and exactly where that says more.
func meanText(f stats.Fraction) string {
	if f.Den > 1 {
		return f.Decimal() + " = " + f.String()
	}
	return f.String()
}

func printMisses(w io.Writer, rows []sim.PolicyRow) error {
	b := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(b, "policy\treleased\tmissed")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(b, "%s\t%d\t%s\n", r.Policy, r.Released, starred(fmt.Sprint(r.Missed), r.Best.Missed))
	}
	return b.Flush()
}
