package console

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// lineTool takes lines, one by one, and says something at their end.
type lineTool interface {
	line(e *Env, line string) (more bool)
	end(e *Env) int
}

// filter feeds a lineTool from standard input, or from files in place of it.
type filter struct {
	tool  lineTool
	files []string
	begun bool
	bad   int // status of a file that could not be read
}

func (f *filter) Step(e *Env) Wait {
	if len(f.files) > 0 && !f.begun {
		var all strings.Builder
		read := 0
		for _, name := range f.files {
			text, ok := e.ReadFile(name)
			if !ok {
				f.bad = e.Errorf("%s: No such file or directory", Shown(name))
				continue
			}
			read++
			all.WriteString(text)
		}
		if read == 0 {
			return Done(f.bad)
		}
		e.x.in = &buffer{text: all.String(), ended: true}
	}
	f.begun = true
	for {
		line, ok, more := e.Line()
		switch {
		case ok && f.tool.line(e, line):
		case !ok && more:
			return Wait{Input: true}
		default:
			if e.x.in != nil {
				e.x.in.ignored = true
			}
			return Done(max(f.bad, f.tool.end(e)))
		}
	}
}

type cat struct{}

func (cat) line(e *Env, line string) bool { e.Println(line); return true }
func (cat) end(*Env) int                  { return 0 }

func startCat(_ *Env, args []string) (Tool, int) { return &filter{tool: cat{}, files: args}, 0 }

// tee copies its input to files too.
type tee struct{ files []*file }

func (t *tee) line(e *Env, line string) bool {
	e.Println(line)
	for _, f := range t.files {
		s := stream{file: f}
		s.write(line + "\n")
	}
	return true
}

func (t *tee) end(*Env) int { return 0 }

func startTee(e *Env, args []string) (Tool, int) {
	set, rest, ok := flagsOf(e, args, "a")
	if !ok {
		return nil, 2
	}
	t := &tee{}
	for _, name := range rest {
		f, err := e.con.files.open(name, set != "")
		if err != nil {
			return nil, e.Errorf("%s: %s", Shown(name), err)
		}
		t.files = append(t.files, f)
	}
	return &filter{tool: t}, 0
}

// count reads -n N, -N and +N in front of files.
func count(e *Env, args []string) (n int, fromStart bool, files []string, ok bool) {
	n = 10
	for len(args) > 0 && (strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "+")) {
		text := args[0]
		args = args[1:]
		if text == "-n" {
			if len(args) == 0 {
				e.Errorf("option requires an argument -- n")
				return 0, false, nil, false
			}
			text, args = args[0], args[1:]
		}
		text = strings.TrimPrefix(text, "-n")
		fromStart = strings.HasPrefix(text, "+")
		v, err := strconv.Atoi(strings.TrimLeft(text, "-+"))
		if err != nil || v < 0 {
			e.Errorf("%s: invalid number of lines", Shown(text))
			return 0, false, nil, false
		}
		n = v
	}
	return n, fromStart, args, true
}

type head struct{ n int }

func (h *head) line(e *Env, line string) bool {
	if h.n <= 0 {
		return false
	}
	h.n--
	e.Println(line)
	return h.n > 0
}

func (h *head) end(*Env) int { return 0 }

func startHead(e *Env, args []string) (Tool, int) {
	n, _, files, ok := count(e, args)
	if !ok {
		return nil, 1
	}
	return &filter{tool: &head{n}, files: files}, 0
}

// tail keeps the last n lines, or prints from line n on.
type tail struct {
	n         int
	fromStart bool
	seen      int
	last      []string
}

func (t *tail) line(e *Env, line string) bool {
	t.seen++
	switch {
	case t.fromStart && t.seen >= t.n:
		e.Println(line)
	case !t.fromStart && t.n > 0:
		if t.last = append(t.last, line); len(t.last) > t.n {
			t.last = t.last[1:]
		}
	}
	return true
}

func (t *tail) end(e *Env) int {
	for _, l := range t.last {
		e.Println(l)
	}
	return 0
}

func startTail(e *Env, args []string) (Tool, int) {
	n, fromStart, files, ok := count(e, args)
	if !ok {
		return nil, 1
	}
	return &filter{tool: &tail{n: n, fromStart: fromStart}, files: files}, 0
}

// flagsOf reads single letters in front of the other arguments.
func flagsOf(e *Env, args []string, known string) (set string, rest []string, ok bool) {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		if args[0] == "--" {
			return set, args[1:], true
		}
		for _, c := range args[0][1:] {
			if !strings.ContainsRune(known, c) {
				e.Errorf("illegal option -- %s", Printable(string(c)))
				return "", nil, false
			}
			set += string(c)
		}
		args = args[1:]
	}
	return set, args, true
}

type grep struct {
	m       *matcher
	flags   string
	n, seen int
}

func (g *grep) has(flag string) bool { return strings.Contains(g.flags, flag) }

func (g *grep) line(e *Env, line string) bool {
	g.seen++
	if g.m.match(line) == g.has("v") {
		return true
	}
	g.n++
	switch {
	case g.has("q"):
		return false
	case g.has("c"):
	case g.has("n"):
		e.Printf("%d:%s\n", g.seen, line)
	default:
		e.Println(line)
	}
	return true
}

func (g *grep) end(e *Env) int {
	if g.has("c") && !g.has("q") {
		e.Printf("%d\n", g.n)
	}
	if g.n == 0 {
		return 1
	}
	return 0
}

func startGrep(e *Env, args []string) (Tool, int) {
	set, rest, ok := flagsOf(e, args, "vicnEFwq")
	if !ok || len(rest) == 0 {
		return nil, e.Usage("usage: grep [-vicnwq] TEXT [FILE…]")
	}
	g := &grep{flags: set}
	g.m = newMatcher(rest[0], g.has("i"), g.has("w"))
	return &filter{tool: g, files: rest[1:]}, 0
}

type wc struct {
	flags               string
	lines, words, bytes int
}

func (w *wc) line(_ *Env, line string) bool {
	line = Plain(line)
	w.lines++
	w.words += len(strings.Fields(line))
	w.bytes += len(line) + 1
	return true
}

func (w *wc) end(e *Env) int {
	var b strings.Builder
	for i, n := range []int{w.lines, w.words, w.bytes} {
		if strings.Contains(w.flags, "lwc"[i:i+1]) {
			writef(&b, " %7d", n)
		}
	}
	e.Println(b.String()[1:])
	return 0
}

func startWc(e *Env, args []string) (Tool, int) {
	set, rest, ok := flagsOf(e, args, "lwc")
	if !ok {
		return nil, 1
	}
	if set == "" {
		set = "lwc"
	}
	return &filter{tool: &wc{flags: set}, files: rest}, 0
}

type sorting struct {
	key   int // field, from 1; 0: the line
	flags string
	all   []string
}

func (s *sorting) line(_ *Env, line string) bool { s.all = append(s.all, line); return true }

func (s *sorting) end(e *Env) int {
	sort.SliceStable(s.all, func(i, j int) bool {
		n := compareKeys(Plain(s.all[i]), Plain(s.all[j]), s.key, strings.Contains(s.flags, "n"))
		if strings.Contains(s.flags, "r") {
			return n > 0
		}
		return n < 0
	})
	if strings.Contains(s.flags, "u") {
		s.all = slices.Compact(s.all)
	}
	for _, l := range s.all {
		e.Println(l)
	}
	return 0
}

func startSort(e *Env, args []string) (Tool, int) {
	s := &sorting{}
	var plain []string
	for i := 0; i < len(args); i++ {
		text, isKey := strings.CutPrefix(args[i], "-k")
		if !isKey {
			plain = append(plain, args[i])
			continue
		}
		if text == "" && i+1 < len(args) {
			i++
			text = args[i]
		}
		text, _, _ = strings.Cut(text, ",")
		number := strings.TrimRight(text, "nr")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return nil, e.Errorf("-k %s: invalid field number", Shown(text))
		}
		s.key, s.flags = n, text[len(number):]
	}
	set, rest, ok := flagsOf(e, plain, "nru")
	if !ok {
		return nil, 2
	}
	s.flags += set
	return &filter{tool: s, files: rest}, 0
}

func compareKeys(a, b string, key int, numbers bool) int {
	if key > 0 {
		field := func(s string) string {
			if f := strings.Fields(s); len(f) >= key {
				return strings.Join(f[key-1:], " ")
			}
			return ""
		}
		a, b = field(a), field(b)
	}
	if numbers {
		if n := compareNumbers(leadingNumber(a), leadingNumber(b)); n != 0 {
			return n
		}
	}
	return strings.Compare(a, b)
}

// leadingNumber is the number at the start of a text, digits and one point; "0"
// if there is none.
func leadingNumber(s string) string {
	s = strings.TrimLeft(s, " \t")
	end := 0
	if strings.HasPrefix(s, "-") {
		end = 1
	}
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.') {
		end++
	}
	return s[:end]
}

func compareNumbers(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
