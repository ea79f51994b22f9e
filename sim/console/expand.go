package console

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/sched"
)

// maxWords bounds the arguments of one command, and maxArgs their bytes.
const (
	maxWords = 20_000
	maxArgs  = 1 << 20
)

// expansion turns words into arguments. Substitutions take their own time: what
// they printed is kept, and expanding begins again when the next one has ended.
type expansion struct {
	done []string
	cur  *exec
	out  *buffer
	next int // number of the substitution that is met next
	size int
}

// flows is the substitution under way, if there is one.
func (e *expansion) flows() []*exec {
	if e.cur == nil {
		return nil
	}
	return []*exec{e.cur}
}

// words expands words; progress is ended when it is done or has failed.
func (e *expansion) words(x *exec, words []word) ([]string, progress, error) {
	e.next, e.size = 0, 0
	var args []string
	for _, w := range words {
		for _, w := range w.spread() {
			got, p, err := e.word(x, w)
			if p != ended || err != nil {
				return nil, p, err
			}
			if args = append(args, got...); len(args) > maxWords || e.size > maxArgs {
				return nil, ended, errors.New("argument list too long")
			}
		}
	}
	return args, ended, nil
}

// spread makes a word of each number of {1..9}, with what stands around it.
func (w word) spread() []word {
	i := slices.IndexFunc(w.parts, func(p part) bool { return p.kind == braces })
	if i < 0 {
		return []word{w}
	}
	rest := word{w.parts[i+1:]}.spread()
	lo, hi, _ := braceRange(w.parts[i].text)
	step := 1
	if hi < lo {
		step = -1
	}
	var all []word
	for n := lo; len(all) <= maxWords; n += step {
		for _, r := range rest {
			parts := slices.Concat(w.parts[:i], []part{{text: strconv.Itoa(n)}}, r.parts)
			all = append(all, word{parts})
		}
		if n == hi {
			break
		}
	}
	return all
}

// one expands a word that stays one argument.
func (e *expansion) one(x *exec, w word) (string, progress, error) {
	var b strings.Builder
	for _, p := range w.parts {
		p.quoted = true
		text, prog, err := e.part(x, p)
		if prog != ended || err != nil {
			return "", prog, err
		}
		if b.Len()+len(text) > maxArgs {
			return "", ended, errors.New("argument list too long")
		}
		b.WriteString(text)
	}
	return b.String(), ended, nil
}

// word is the arguments that a word makes: unquoted expansions are split at
// blanks, and one that is empty makes none.
func (e *expansion) word(x *exec, w word) ([]string, progress, error) {
	var args []string
	var cur strings.Builder
	has := false
	for _, p := range w.parts {
		text, prog, err := e.part(x, p)
		if prog != ended || err != nil {
			return nil, prog, err
		}
		if e.size += len(text); e.size > maxArgs {
			return nil, ended, errors.New("argument list too long")
		}
		switch {
		case p.quoted || p.kind == literal:
			cur.WriteString(text)
			has = true
		default:
			for i, f := range splitBlanks(text) {
				if i > 0 {
					if has || cur.Len() > 0 {
						args = append(args, cur.String())
					}
					cur.Reset()
					has = false
				}
				cur.WriteString(f)
				has = has || f != ""
			}
		}
	}
	if has || cur.Len() > 0 {
		args = append(args, cur.String())
	}
	return args, ended, nil
}

// splitBlanks splits at blanks; a leading or trailing one leaves an empty field.
func splitBlanks(text string) []string {
	fields := strings.Fields(text)
	if text == "" {
		return nil
	}
	if len(fields) == 0 {
		return []string{"", ""}
	}
	if strings.IndexByte(" \t\n", text[0]) >= 0 {
		fields = append([]string{""}, fields...)
	}
	if strings.IndexByte(" \t\n", text[len(text)-1]) >= 0 {
		fields = append(fields, "")
	}
	return fields
}

func (e *expansion) part(x *exec, p part) (text string, prog progress, err error) {
	switch p.kind {
	case variable:
		return x.variable(p.text), ended, nil
	case arithmetic:
		n, err := x.arithmetic(p.text)
		return strconv.FormatInt(n, 10), ended, err
	case substitution:
		text, prog = e.substitute(x, p.body)
		return text, prog, nil
	default:
		return p.text, ended, nil
	}
}

func (e *expansion) substitute(x *exec, body node) (string, progress) {
	i := e.next
	e.next++
	if i < len(e.done) {
		return e.done[i], ended
	}
	if e.cur == nil {
		e.cur = x.child(body)
		e.out = &buffer{}
		e.cur.std[1] = stream{buffer: e.out}
	}
	if !e.cur.run(&x.con.steps) {
		x.wait = e.cur.wait
		return "", blocked
	}
	x.status = e.cur.status
	e.done = append(e.done, strings.TrimRight(Plain(e.out.text), "\n"))
	e.cur = nil
	return e.done[i], ended
}

// maxRange bounds {1..N}.
const maxRange = 10_000

func braceRange(text string) (lo, hi int, ok bool) {
	a, b, found := strings.Cut(text, "..")
	lo, err := strconv.Atoi(a)
	hi, err2 := strconv.Atoi(b)
	if d := hi - lo; !found || err != nil || err2 != nil || d > maxRange || d < -maxRange {
		return 0, 0, false
	}
	return lo, hi, true
}

// variable is the value of a variable or of a special parameter.
func (x *exec) variable(name string) string {
	switch name {
	case "?":
		return strconv.Itoa(x.status)
	case "$":
		if t, err := x.con.m.Shell(); err == nil {
			return strconv.Itoa(int(x.con.m.Process(t).PID))
		}
		return "0"
	case "!":
		if x.last != 0 {
			return strconv.Itoa(int(x.last))
		}
		return ""
	case "#":
		return "0"
	case "0":
		return "bash"
	case "-", "@", "*":
		return ""
	case "RANDOM", "SECONDS":
		// Nothing here is by chance, and time is the machine's.
		if name == "SECONDS" {
			return strconv.FormatInt(int64(x.con.m.Now())/1e9, 10)
		}
	}
	return x.vars.get(name)
}

// redirect opens the files of redirections for the flow to.
func (e *expansion) redirect(x, to *exec, redirs []redirect) (progress, error) {
	for _, r := range redirs {
		if r.to > 0 {
			to.std[r.fd] = to.std[r.to]
			continue
		}
		path, p, err := e.one(x, r.file)
		if p != ended || err != nil {
			return p, err
		}
		if r.in {
			text, ok := x.con.readFile(&Env{Machine: x.con.m, con: x.con, x: x}, path)
			if !ok {
				return ended, fmt.Errorf("%s: No such file or directory", Shorten(path))
			}
			to.in = &buffer{text: text, ended: true}
			continue
		}
		if path == "/dev/null" {
			to.std[r.fd] = stream{null: true}
			continue
		}
		f, err := x.con.files.open(path, r.append)
		if err != nil {
			return ended, fmt.Errorf("%s: %w", Shorten(path), err)
		}
		to.std[r.fd] = stream{file: f}
	}
	return ended, nil
}

// Attr is what a wrapper such as nice or priocntl -e gives to the processes that
// the command after it starts.
type Attr struct {
	Nice    int
	Params  *sched.Params
	Set     int // processor set
	InSet   bool
	Project string
}
