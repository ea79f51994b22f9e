package console

import (
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/order"
	"strandscope/sim/sched"
)

// Complete offers what the last word of a line may become. Each is the whole
// word. What is offered depends on where the word stands: commands, a command's
// options and arguments, files, variables.
func (c *Console) Complete(line string) []string {
	if len(line) > MaxLine {
		return nil
	}
	words, last := c.splitForCompletion(line)
	e := &Env{Machine: c.m, con: c, x: &exec{con: c, vars: c.vars}}
	var offers []string
	switch {
	case strings.HasPrefix(last, "$"):
		for _, v := range c.vars.all {
			offers = append(offers, "$"+v.name)
		}
	case strings.HasPrefix(last, "%"):
		for _, j := range c.jobs {
			offers = append(offers, "%"+strconv.Itoa(j.id))
		}
	case strings.HasPrefix(last, "./"):
		offers = c.programs()
	case len(words) == 0:
		for _, x := range c.Commands() {
			offers = append(offers, x.Name)
		}
		offers = append(offers, c.programs()...)
	default:
		offers = c.completeArgs(e, words, last)
	}
	offers = slices.DeleteFunc(slices.Clone(offers), func(o string) bool { return !strings.HasPrefix(o, last) })
	return slices.Compact(order.Strings(offers))
}

func (c *Console) programs() []string {
	list := []string{"./loop"}
	for _, p := range c.m.Programs() {
		list = append(list, "./"+p)
	}
	return list
}

func (c *Console) completeArgs(e *Env, words []string, last string) []string {
	name := commandName(words[:1])
	x, ok := c.sys.find(name)
	if !ok {
		return nil
	}
	if strings.HasPrefix(last, "/") || strings.HasPrefix(words[len(words)-1], ">") || words[len(words)-1] == "<" {
		return c.paths(e)
	}
	var offers []string
	if strings.HasPrefix(last, "-") {
		for _, o := range x.Options {
			word, _, _ := strings.Cut(o, " ")
			offers = append(offers, word)
		}
		return offers
	}
	switch name {
	case "help", "man", "type":
		for _, x := range c.Commands() {
			offers = append(offers, x.Name)
		}
		return offers
	}
	if x.Complete != nil {
		return x.Complete(e, append(words[1:], last))
	}
	return nil
}

func (c *Console) paths(e *Env) []string {
	var list []string
	for _, f := range c.files.all {
		list = append(list, f.path)
	}
	if c.sys.Paths != nil {
		list = append(list, c.sys.Paths(e)...)
	}
	return list
}

// splitForCompletion gives the words of the last simple command before the word
// that is being typed, and that word.
func (c *Console) splitForCompletion(line string) (words []string, last string) {
	start := strings.LastIndexAny(line, ";|&(\n`") + 1
	part := line[start:]
	fields := strings.Fields(part)
	if part == "" || strings.TrimSpace(part[len(part)-1:]) == "" || len(fields) == 0 {
		words = fields
	} else {
		words, last = fields[:len(fields)-1], fields[len(fields)-1]
	}
	// What stands before a command's name: assignments, words of the grammar and
	// wrappers, whose command is then what is completed.
	for len(words) > 0 {
		w := words[0]
		switch {
		case slices.Contains([]string{"do", "then", "else", "time", "!", "{", "if", "while", "until", "elif"}, w),
			strings.Contains(w, "=") && !strings.HasPrefix(w, "-"):
			words = words[1:]
			continue
		}
		break
	}
	return words, last
}

func completePaths(e *Env, _ []string) []string { return e.con.paths(e) }

// CompletePIDs offers the process ids that there are.
func CompletePIDs(e *Env, _ []string) []string {
	var list []string
	for _, p := range e.Machine.Processes() {
		if p.State != sched.Gone {
			list = append(list, strconv.Itoa(int(p.PID)))
		}
	}
	return list
}

func completeNames(e *Env, _ []string) []string {
	var list []string
	for _, p := range e.Machine.Processes() {
		list = append(list, p.Name)
	}
	return list
}
