package sim

import (
	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/machine"
	"strandscope/sim/scenario"
)

// explanations are the two stories behind "not set" (FACTS §12).
var explanations = []Choice{
	{
		Value: scenario.ExplainPset, Label: "as the tip saw it: a 12-CPU processor set", Hint: "12 of 32 run",
		Help: "The only mechanism that gives all of the tip's figures: the processes were confined to 12 CPUs.",
	},
	{
		Value: scenario.ExplainKernel, Label: "as the kernel sources say: same as TS", Hint: "32 of 32 run",
		Help: "In the sources an unset default class is TS, and TS leaves no strand idle beside waiting work.",
	},
}

// note says in at most two sentences which explanation is in force and why.
func note(s *scenario.Scenario) string {
	if !s.HasChoice() {
		return ""
	}
	switch {
	case s.Scheduler.DefaultClass != scenario.Unset:
		return "A default class takes effect at a reboot, and processor sets do not survive one: all strands are open to the processes."
	case s.Scheduler.Explanation == scenario.ExplainKernel:
		return "As the kernel sources say: “not set” means the class TS, so all 32 processes run. The tip's 12 must then have had another cause, which it does not name."
	}
	return "The tip reports 12 of 32 running but gives no cause. Modelled as a processor set of 12 CPUs that held the processes: the only mechanism that gives all of its figures."
}

// maxListed is the longest job list that is told as text.
const maxListed = 200

func describe(s *scenario.Scenario) Info {
	i := Info{
		ID: s.ID, Title: s.Title, SourceTitle: s.Source.Title, SourceNote: join(s.Source.Author, s.Source.Date),
		MachineTitle: s.Machine.Title,
		Kernel:       s.Scheduler.Kernel, Class: s.Scheduler.DefaultClass, Explanation: s.Scheduler.Explanation, Note: note(s), Boot: s.Boot,
		PrintedNote: s.PrintedNote, Notes: s.Notes, Document: s.Document, Prompt: s.Console.Given,
	}
	if n := len(s.Jobs); n > 0 && n <= maxListed {
		i.List = joblist.Text(s.Jobs)
	}
	for _, t := range s.Tasks {
		i.Groups = append(i.Groups, Group{Name: t.Name, Count: t.Instance, Class: t.Class, Nice: t.Nice, Text: t.Text, Project: t.Project})
	}
	for _, p := range s.Scheduler.Projects {
		i.Projects = append(i.Projects, Project{ID: p.ID, Name: p.Name, Shares: p.Shares})
	}
	for _, c := range s.Commands {
		if c.Remark {
			continue
		}
		i.Commands = append(i.Commands, Command{At: clock.Time(c.At), Line: c.Line})
	}
	for _, q := range s.Questions {
		i.Questions = append(i.Questions, Question(q))
	}
	return i
}

func join(a, b string) string {
	if a != "" && b != "" {
		return a + ", " + b
	}
	return a + b
}

func sourceLine(i Info) string {
	return join(i.SourceTitle, i.SourceNote)
}

func permille(part, whole int64) machine.Permille {
	if whole == 0 {
		return 0
	}
	return machine.Permille(part / whole)
}
