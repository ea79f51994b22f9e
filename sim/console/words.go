package console

import (
	"fmt"
	"strings"
)

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// name reads a variable's name; "" if there is none.
func (p *parser) name() string {
	from := p.pos
	for p.pos < len(p.src) && isNameByte(p.src[p.pos]) && (p.pos > from || p.src[p.pos] < '0' || p.src[p.pos] > '9') {
		p.pos++
	}
	return p.src[from:p.pos]
}

// simple reads assignments, words and redirections.
func (p *parser) simple() (node, error) {
	s := &simple{}
	for {
		r, ok, err := p.redirect()
		if err != nil {
			return nil, err
		}
		if ok {
			s.redirs = append(s.redirs, r)
			continue
		}
		if len(s.words) == 0 {
			a, ok, err := p.assign()
			if err != nil {
				return nil, err
			}
			if ok {
				s.assigns = append(s.assigns, a)
				continue
			}
		}
		w, ok, err := p.word()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		s.words = append(s.words, w)
	}
	if p.pos < len(p.src) && p.src[p.pos] == '(' && len(s.words) == 1 {
		return nil, fmt.Errorf("syntax error near unexpected token `('; functions are not understood here")
	}
	if len(s.words)+len(s.assigns)+len(s.redirs) == 0 {
		return nil, p.unexpected()
	}
	return s, nil
}

func (p *parser) assign() (assign, bool, error) {
	p.blanks()
	from := p.pos
	name := p.name()
	if name == "" || p.pos >= len(p.src) || p.src[p.pos] != '=' {
		p.pos = from
		return assign{}, false, nil
	}
	p.pos++
	a := assign{name: name}
	if p.pos >= len(p.src) || strings.ContainsRune(" \t\n;&|()<>", rune(p.src[p.pos])) {
		return a, true, nil // an empty value
	}
	w, _, err := p.word()
	a.value = w
	return a, true, err
}

// redirect reads >FILE, >>FILE, <FILE, 2>FILE, 2>&1 and the like.
func (p *parser) redirect() (redirect, bool, error) {
	p.blanks()
	at, fd := p.pos, -1
	for at < len(p.src) && p.src[at] >= '0' && p.src[at] <= '9' {
		at++
	}
	if at >= len(p.src) || p.src[at] != '>' && p.src[at] != '<' {
		return redirect{}, false, nil
	}
	if digits := p.src[p.pos:at]; digits != "" {
		if fd = int(digits[0] - '0'); len(digits) > 1 || fd > 2 {
			return redirect{}, false, fmt.Errorf("%s: Bad file descriptor", Shorten(digits))
		}
	}
	in := p.src[at] == '<'
	r := redirect{fd: fd, in: in, to: -1}
	at++
	if r.fd < 0 {
		r.fd = 1
		if in {
			r.fd = 0
		}
	}
	rest := p.src[at:]
	switch {
	case in && strings.HasPrefix(rest, "<"):
		return r, false, fmt.Errorf("here-documents (<<) are not understood here")
	case !in && strings.HasPrefix(rest, ">"):
		r.append = true
		at++
	case strings.HasPrefix(rest, "&"):
		if len(rest) < 2 || rest[1] < '1' || rest[1] > '2' ||
			len(rest) > 2 && strings.IndexByte(" \t\n\r;&|()<>", rest[2]) < 0 {
			return r, false, fmt.Errorf("syntax error near unexpected token `&'")
		}
		r.to = int(rest[1] - '0')
		p.pos = at + 2
		return r, true, nil
	}
	p.pos = at
	w, ok, err := p.word()
	if err == nil && !ok {
		err = p.unexpected()
		if p.pos >= len(p.src) {
			err = fmt.Errorf("syntax error near unexpected token `newline'")
		}
	}
	r.file = w
	return r, true, err
}

// word reads one word; ok is false where none begins.
func (p *parser) word() (w word, ok bool, err error) {
	p.blanks()
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			w.parts = append(w.parts, splitBraces(lit.String())...)
			lit.Reset()
		}
	}
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case strings.IndexByte(" \t\n\r;&|()<>", c) >= 0:
			flush()
			return w, ok, nil
		case c == '\\':
			if p.pos+1 >= len(p.src) {
				return w, ok, errIncomplete
			}
			flush()
			if p.src[p.pos+1] != '\n' {
				w.parts = append(w.parts, part{quoted: true, text: p.src[p.pos+1 : p.pos+2]})
			}
			p.pos += 2
		case c == '\'':
			flush()
			end := strings.IndexByte(p.src[p.pos+1:], '\'')
			if end < 0 {
				return w, ok, errIncomplete
			}
			w.parts = append(w.parts, part{quoted: true, text: p.src[p.pos+1 : p.pos+1+end]})
			p.pos += end + 2
		case c == '"':
			flush()
			if err = p.doubleQuoted(&w); err != nil {
				return w, ok, err
			}
		case c == '$' || c == '`':
			flush()
			var x part
			if x, err = p.expansion(false); err != nil {
				return w, ok, err
			}
			w.parts = append(w.parts, x)
		default:
			lit.WriteByte(c)
			p.pos++
		}
		ok = true
	}
	flush()
	return w, ok, nil
}

func (p *parser) doubleQuoted(w *word) error {
	p.pos++
	var lit strings.Builder
	flush := func() {
		w.parts = append(w.parts, part{quoted: true, text: lit.String()})
		lit.Reset()
	}
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '"':
			p.pos++
			flush() // "" is a word too
			return nil
		case c == '\\' && p.pos+1 < len(p.src) && strings.IndexByte("$`\"\\\n", p.src[p.pos+1]) >= 0:
			if p.src[p.pos+1] != '\n' {
				lit.WriteByte(p.src[p.pos+1])
			}
			p.pos += 2
		case c == '$' || c == '`':
			flush()
			x, err := p.expansion(true)
			if err != nil {
				return err
			}
			w.parts = append(w.parts, x)
		default:
			lit.WriteByte(c)
			p.pos++
		}
	}
	return errIncomplete
}

// expansion reads what begins with $ or a backquote.
func (p *parser) expansion(quoted bool) (part, error) {
	if p.src[p.pos] == '`' {
		end := strings.IndexByte(p.src[p.pos+1:], '`')
		if end < 0 {
			return part{}, errIncomplete
		}
		body, err := p.nested(p.src[p.pos+1 : p.pos+1+end])
		p.pos += end + 2
		return part{kind: substitution, quoted: quoted, body: body}, err
	}
	p.pos++
	rest := p.src[p.pos:]
	switch {
	case !quoted && (strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "\"")):
		return part{}, fmt.Errorf("$%s quoting is not understood here", rest[:1])
	case strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "{") && !strings.Contains(rest, "}") && len(rest) > 1 && !isNameByte(rest[1]):
		return part{}, fmt.Errorf("$%s: bad substitution", rest[:1])
	case strings.HasPrefix(rest, "(("):
		end := closing(rest)
		if end < 0 {
			return part{}, errIncomplete
		}
		p.pos += end + 2
		return part{kind: arithmetic, quoted: quoted, text: rest[2:end]}, nil
	case strings.HasPrefix(rest, "("):
		p.pos++
		body, err := p.list("")
		if err == nil && !p.accept(")") {
			err = p.unexpected()
		}
		return part{kind: substitution, quoted: quoted, body: body}, err
	case strings.HasPrefix(rest, "{"):
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return part{}, errIncomplete
		}
		name := rest[1:end]
		if !isName(name) {
			return part{}, fmt.Errorf("${%s}: bad substitution", name)
		}
		p.pos += end + 1
		return part{kind: variable, quoted: quoted, text: name}, nil
	case rest != "" && strings.IndexByte("?$!#@*-0123456789", rest[0]) >= 0:
		p.pos++
		return part{kind: variable, quoted: quoted, text: rest[:1]}, nil
	}
	if name := p.name(); name != "" {
		return part{kind: variable, quoted: quoted, text: name}, nil
	}
	return part{quoted: true, text: "$"}, nil
}

// closing is where the parentheses that text begins with are closed by two in a
// row; −1 where they are not.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 1 && strings.HasPrefix(text[i:], "))") {
				return i
			}
		}
	}
	return -1
}

// isName reports whether text can stand between ${ and }.
func isName(text string) bool {
	if len(text) == 1 && strings.IndexByte("?$!#@*-0123456789", text[0]) >= 0 {
		return true
	}
	p := parser{src: text}
	return text != "" && p.name() == text
}

// nested parses the text between backquotes.
func (p *parser) nested(src string) (node, error) {
	in := &parser{src: src, depth: p.depth}
	l, err := in.list("")
	if err == nil && in.pos < len(in.src) {
		err = in.unexpected()
	}
	if err == errIncomplete { //nolint:errorlint // never wrapped
		err = fmt.Errorf("syntax error: the command between backquotes is cut off")
	}
	return l, err
}

// splitBraces finds {1..9} in unquoted text.
func splitBraces(text string) []part {
	var parts []part
	for {
		open := strings.IndexByte(text, '{')
		end := -1
		if open >= 0 {
			end = strings.IndexByte(text[open:], '}')
		}
		if end < 0 {
			break
		}
		inside := text[open+1 : open+end]
		if _, _, ok := braceRange(inside); !ok {
			break
		}
		if open > 0 {
			parts = append(parts, part{text: text[:open]})
		}
		parts = append(parts, part{kind: braces, text: inside})
		text = text[open+end+1:]
	}
	if text != "" {
		parts = append(parts, part{text: text})
	}
	return parts
}
