package console

import "strings"

// matcher is grep's: a text that may be tied to the beginning with ^ and to the
// end with $, in which . stands for any byte, .* for any number of them, [abc]
// for one of several, and \ takes a special meaning away; \| and | part two of
// these. Package regexp would make the page's program 60 KB larger.
type matcher struct {
	all  []pattern
	fold bool
	word bool
}

type pattern struct {
	atoms      []atom
	start, end bool
}

type atom struct {
	any    bool
	set    string // of bytes
	not    bool
	repeat bool
}

func newMatcher(text string, fold, word bool) *matcher {
	if fold {
		text = strings.ToLower(text)
	}
	m := &matcher{fold: fold, word: word}
	text = strings.ReplaceAll(text, `\|`, "|")
	for _, t := range strings.Split(text, "|") {
		m.all = append(m.all, readPattern(t))
	}
	return m
}

func readPattern(t string) pattern {
	var p pattern
	t, p.start = strings.CutPrefix(t, "^")
	if !strings.HasSuffix(t, `\$`) {
		t, p.end = strings.CutSuffix(t, "$")
	}
	for i := 0; i < len(t); i++ {
		var a atom
		switch c := t[i]; {
		case c == '.':
			a.any = true
		case c == '\\' && i+1 < len(t):
			i++
			a.set = t[i : i+1]
		case c == '*' && len(p.atoms) > 0:
			p.atoms[len(p.atoms)-1].repeat = true
			continue
		case c == '[' && strings.IndexByte(t[i+1:], ']') > 0:
			end := i + 1 + strings.IndexByte(t[i+1:], ']')
			a = readSet(t[i+1 : end])
			i = end
		default:
			a.set = t[i : i+1]
		}
		p.atoms = append(p.atoms, a)
	}
	return p
}

func readSet(t string) atom {
	var a atom
	t, a.not = strings.CutPrefix(t, "^")
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if i+2 < len(t) && t[i+1] == '-' {
			for c := int(t[i]); c <= int(t[i+2]); c++ {
				b.WriteByte(byte(c))
			}
			i += 2
			continue
		}
		b.WriteByte(t[i])
	}
	a.set = b.String()
	return a
}

func (m *matcher) match(line string) bool {
	line = Plain(line)
	if m.fold {
		line = strings.ToLower(line)
	}
	for _, p := range m.all {
		for at := 0; at <= len(line); at++ {
			if at > 0 && p.start {
				break
			}
			if m.word && at > 0 && isNameByte(line[at-1]) {
				continue
			}
			if end := p.at(line, at, m.word); end >= 0 {
				return true
			}
		}
	}
	return false
}

// at tries the pattern at a place and returns where it ends, −1 where it does
// not match. It keeps the set of places that it may be at, so that no pattern
// takes long.
func (p *pattern) at(line string, from int, word bool) int {
	places := []int{from}
	for _, a := range p.atoms {
		var next []int
		add := func(i int) {
			if len(next) == 0 || next[len(next)-1] < i {
				next = append(next, i)
			}
		}
		for _, i := range places {
			if !a.repeat {
				if i < len(line) && a.fits(line[i]) {
					add(i + 1)
				}
				continue
			}
			for add(i); i < len(line) && a.fits(line[i]); {
				i++
				add(i)
			}
		}
		if places = next; len(places) == 0 {
			return -1
		}
	}
	for _, i := range places {
		if (!p.end || i == len(line)) && (!word || i == len(line) || !isNameByte(line[i])) {
			return i
		}
	}
	return -1
}

func (a *atom) fits(c byte) bool {
	return a.any || (strings.IndexByte(a.set, c) >= 0) != a.not
}
