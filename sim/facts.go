package sim

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/policy"
	"strandscope/sim/scenario"
)

// RunFacts is what tells one side of a comparison from the other, besides what was
// typed.
type RunFacts struct {
	ID                                            string // built-in id; "" of a document
	Scenario, Machine, Kernel, Class, Explanation string
	// Typed is what was typed at the console.
	Typed []Setting
}

// Facts are those of this run.
func (s *Session) Facts() RunFacts {
	i := &s.info
	x := RunFacts{ID: i.ID, Scenario: i.Title, Machine: i.MachineTitle, Kernel: i.Kernel, Class: i.Class, Typed: s.Typed()}
	if i.Class == scenario.Unset {
		x.Explanation = i.Explanation
	}
	return x
}

// Title names the run in few words: its default class where it has one of several,
// else its scenario.
func (x RunFacts) Title() string {
	switch {
	case x.Class == scenario.Unset && x.Explanation == scenario.ExplainKernel:
		return "default class not set, as the sources say"
	case x.Class == scenario.Unset:
		return "default class not set"
	case x.Kernel == "solaris10":
		return x.Class
	}
	return x.Scenario
}

// Titles name two runs in few words so that they can be told apart, if anything
// but what was typed does that.
func Titles(a, b *RunFacts) [2]string {
	x, y := a.Title(), b.Title()
	if a.Kernel != b.Kernel && a.Scenario == b.Scenario {
		return [2]string{kernelTitle(a.Kernel), kernelTitle(b.Kernel)}
	}
	if x == y || a.Machine != b.Machine || a.Kernel != b.Kernel {
		if a.Scenario != b.Scenario {
			return [2]string{a.Scenario, b.Scenario}
		}
	}
	if x == y && len(b.Typed) > len(a.Typed) {
		y += ", changed"
	} else if x == y && len(a.Typed) > len(b.Typed) {
		x += ", changed"
	}
	return [2]string{x, y}
}

// kernelTitle is a kernel's title; its id where it is not known here.
func kernelTitle(id string) string {
	if k, err := policy.Find(id); err == nil {
		return k.Title
	}
	return id
}

// DiffersFrom says in a sentence what differs between this side, A, and another, B.
func (x RunFacts) DiffersFrom(y RunFacts) string {
	var said []string
	say := func(what, a, b string) {
		if a != b {
			said = append(said, fmt.Sprintf("%s (A %s, B %s)", what, orNone(a), orNone(b)))
		}
	}
	say("machine", x.Machine, y.Machine)
	say("kernel", x.Kernel, y.Kernel)
	say("default class", classText(x.Class), classText(y.Class))
	if x.Class == y.Class {
		say("explanation of “not set”", x.Explanation, y.Explanation)
	}
	say("what was typed", lines(x.Typed), lines(y.Typed))
	if x.Scenario != y.Scenario && (len(said) != 1 || !strings.HasPrefix(said[0], "default class")) {
		// Scenarios of one workload that differ in their class say it twice.
		said = append([]string{fmt.Sprintf("scenario (A “%s”, B “%s”)", x.Scenario, y.Scenario)}, said...)
	}
	if len(said) == 0 {
		return "Nothing differs between the sides yet."
	}
	text := strings.Join(said, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

func classText(c string) string {
	if c == scenario.Unset {
		return "not set"
	}
	return c
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// lines are what was typed, shortened.
func lines(set []Setting) string {
	var said []string
	for _, x := range set {
		if strings.HasPrefix(x.Key, "remark@") {
			continue
		}
		_, at, _ := strings.Cut(x.Key, "@")
		if n, err := strconv.ParseInt(strings.TrimSuffix(at, "ns"), 10, 64); err == nil {
			at = clock.Time(n).String()
		}
		said = append(said, fmt.Sprintf("“%s” at %s", x.Value, at))
	}
	if len(said) > 2 {
		said = append([]string{fmt.Sprintf("%d lines, last", len(said))}, said[len(said)-1])
		return strings.Join(said, " ")
	}
	return strings.Join(said, ", ")
}
