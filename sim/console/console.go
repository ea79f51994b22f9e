package console

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	shellquote "github.com/kballard/go-shellquote"

	"strandscope/sim/sched"
)

// Machine is what a command may do. Each call is made whole or, on an error,
// not at all for the thread or CPU that it names.
type Machine interface {
	// Find lists the live user threads of an id type: pid, class, projid, all.
	Find(idtype string, ids []string) ([]sched.ThreadID, error)
	Class(t sched.ThreadID) string
	Change(t sched.ThreadID, p sched.Params) error
	Nice(t sched.ThreadID, incr int) (int, error)
	NiceOf(t sched.ThreadID) int
	Kill(t sched.ThreadID) error
	Bind(t sched.ThreadID, cpu int) error // sched.NoCPU: frees it
	Join(t sched.ThreadID, set int) error
	CPUs() int
	SetOf(cpu int) int
	Assign(cpu, set int) error
	SetOnline(cpu int, online bool) error
	SetShares(project string, shares int) error
}

// Command is one command of the simulated machine.
type Command struct {
	Name     string
	Synopsis string
	Help     string
	Run      func(m Machine, out io.Writer, args []string) error
}

// Commands in the order in which help lists them.
var Commands = []Command{
	priocntl,
	nice,
	renice,
	psrset,
	pbind,
	psradm,
	prctl,
	kill,
}

// maxLine is the longest command line that is accepted, in bytes.
const maxLine = 4096

// Check reports whether a line names a command and can be split into words.
func Check(line string) error {
	_, _, err := split(line)
	return err
}

// Do runs one command line and returns what it printed.
func Do(m Machine, line string) (string, error) {
	c, args, err := split(line)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := c.Run(m, &out, args); err != nil {
		return out.String(), fmt.Errorf("%s: %w", c.Name, err)
	}
	return out.String(), nil
}

func split(line string) (Command, []string, error) {
	if len(line) > maxLine {
		return Command{}, nil, fmt.Errorf("a command line of %d bytes; at most %d are accepted", len(line), maxLine)
	}
	words, err := shellquote.Split(line)
	if err != nil {
		return Command{}, nil, fmt.Errorf("%q: %w", line, err)
	}
	if len(words) == 0 {
		return Command{}, nil, errors.New("an empty command line")
	}
	c, err := find(words[0])
	return c, words[1:], err
}

func find(name string) (Command, error) {
	i := slices.IndexFunc(Commands, func(c Command) bool { return c.Name == name })
	if i >= 0 {
		return Commands[i], nil
	}
	best, d := "", 3
	for _, c := range Commands {
		if n := levenshtein.ComputeDistance(c.Name, name); n < d {
			best, d = c.Name, n
		}
	}
	if best != "" {
		return Command{}, fmt.Errorf("%s: command not found; did you mean %s?", name, best)
	}
	return Command{}, fmt.Errorf("%s: command not found", name)
}

// flags returns a flag set that reports errors and prints nothing.
func flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// numbers reads CPU ids: 4, 0-3, or several words of these.
func numbers(words []string, limit int) ([]int, error) {
	var ids []int
	for _, w := range words {
		from, to, isRange := strings.Cut(w, "-")
		lo, err := number(from, limit)
		if err != nil {
			return nil, err
		}
		hi := lo
		if isRange {
			if hi, err = number(to, limit); err != nil {
				return nil, err
			}
		}
		if hi < lo {
			return nil, fmt.Errorf("%q is an empty range", w)
		}
		for id := lo; id <= hi; id++ {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("which processor? none is named")
	}
	return ids, nil
}

func number(text string, limit int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= limit {
		return 0, fmt.Errorf("%q is no processor, there are 0 to %d", text, limit-1)
	}
	return n, nil
}

// each calls do for every thread found.
func each(m Machine, idtype string, ids []string, do func(t sched.ThreadID) error) error {
	found, err := m.Find(idtype, ids)
	if err != nil {
		return err
	}
	for _, t := range found {
		if err := do(t); err != nil {
			return err
		}
	}
	return nil
}
