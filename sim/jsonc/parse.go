package jsonc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Value is a value where it stands in the text.
type Value struct {
	Raw      []byte   // from its first byte to its last, part of the text
	Members  []Member // of an object, in the text's order
	Elements []Value  // of a list
}

// Member is a named value of an object. Names may repeat.
type Member struct {
	Name  string
	Value Value
}

// Kind is the first byte of the value ('{', '[', '"', 't', 'f', 'n'), '0' for any
// number, 0 for no value.
func (v Value) Kind() byte {
	if len(v.Raw) == 0 {
		return 0
	}
	switch c := v.Raw[0]; {
	case 'A' <= c && c <= 'Z': // True is true
		return c + 'a' - 'A'
	case c != '-' && (c < '0' || c > '9'):
		return c
	}
	return '0'
}

// Dialect says what Parse takes.
type Dialect struct {
	Depth    int  // most objects and lists within each other
	Comments bool // and commas before a closing bracket, and words in capitals
	Bare     bool // a name may have no value: it is null
}

// Parse reads a text that is one value. An error tells line and column, both from 1,
// columns in bytes.
func (d Dialect) Parse(text []byte) (Value, error) {
	p := parser{text: text, dialect: d}
	v, err := p.value()
	if err == nil {
		err = p.blank()
	}
	if err == nil && p.at < len(text) {
		err = p.want("nothing more")
	}
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

type parser struct {
	text    []byte
	at      int // of the next byte
	depth   int
	dialect Dialect
}

func (p *parser) errorf(format string, args ...any) error {
	before := p.text[:p.at]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := p.at - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: %s", line, column, fmt.Sprintf(format, args...))
}

// want refuses what comes next.
func (p *parser) want(what string) error {
	if p.at == len(p.text) {
		return p.errorf("the text ends, want %s", what)
	}
	r, n := utf8.DecodeRune(p.text[p.at:])
	if r == utf8.RuneError && n == 1 {
		return p.errorf("byte %#x, want %s", p.text[p.at], what)
	}
	return p.errorf("%q, want %s", r, what)
}

// next is the next byte, or 0 at the end.
func (p *parser) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// take goes past the next byte if it is in one.
func (p *parser) take(one string) bool {
	if p.at < len(p.text) && strings.IndexByte(one, p.text[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

// blank goes past blanks and comments.
func (p *parser) blank() error {
	for {
		for p.take(" \t\r\n") {
		}
		if !p.dialect.Comments || p.next() != '/' {
			return nil
		}
		open, end := p.text[p.at:min(p.at+2, len(p.text))], ""
		switch string(open) {
		case "//":
			end = "\n"
		case "/*":
			end = "*/"
		default:
			return nil
		}
		n := bytes.Index(p.text[p.at+2:], []byte(end))
		if n < 0 && end == "\n" { // the last line needs no end
			p.at = len(p.text)
			return nil
		}
		if n < 0 {
			return p.errorf("a comment that does not end")
		}
		p.at += 2 + n + len(end)
	}
}

func (p *parser) value() (v Value, err error) {
	if err = p.blank(); err != nil {
		return v, err
	}
	from := p.at
	switch c := p.next(); {
	case c == '{':
		err = p.items('}', func() error { return p.member(&v) })
	case c == '[':
		err = p.items(']', func() error {
			e, err := p.value()
			v.Elements = append(v.Elements, e)
			return err
		})
	case c == '"':
		err = p.quoted()
	case c == '-' || '0' <= c && c <= '9':
		err = p.number()
	default:
		err = p.word()
	}
	v.Raw = p.text[from:p.at:p.at]
	return v, err
}

func (p *parser) member(v *Value) error {
	from := p.at
	if p.next() != '"' {
		return p.want("a name in quotes")
	}
	if err := p.quoted(); err != nil {
		return err
	}
	m := Member{Name: Value{Raw: p.text[from:p.at]}.Text()}
	if err := p.blank(); err != nil {
		return err
	}
	if p.dialect.Bare && (p.next() == ',' || p.next() == '}') {
		m.Value = Value{Raw: []byte("null")}
		v.Members = append(v.Members, m)
		return nil
	}
	if !p.take(":") {
		return p.want("a colon after the name")
	}
	var err error
	m.Value, err = p.value()
	v.Members = append(v.Members, m)
	return err
}

// items reads what stands between brackets, with commas between.
func (p *parser) items(end byte, one func() error) error {
	if p.depth == p.dialect.Depth {
		return p.errorf("nested more than %d deep", p.dialect.Depth)
	}
	p.depth++
	p.at++
	for first := true; ; first = false {
		if err := p.blank(); err != nil {
			return err
		}
		if (first || p.dialect.Comments) && p.next() == end {
			break
		}
		if err := one(); err != nil {
			return err
		}
		if err := p.blank(); err != nil {
			return err
		}
		if p.next() == end {
			break
		}
		if !p.take(",") {
			return p.want(fmt.Sprintf("',' or %q", end))
		}
	}
	p.depth--
	p.at++
	return nil
}

func (p *parser) number() error {
	p.take("-")
	if !p.take("0") && !p.digits() {
		return p.want("a digit")
	}
	if p.take(".") && !p.digits() {
		return p.want("a digit")
	}
	if p.take("eE") {
		p.take("+-")
		if !p.digits() {
			return p.want("a digit")
		}
	}
	return nil
}

func (p *parser) digits() bool {
	from := p.at
	for p.take("0123456789") {
	}
	return p.at > from
}

func (p *parser) word() error {
	for _, word := range []string{"true", "false", "null"} {
		next := p.text[p.at:min(len(p.text), p.at+len(word))]
		if string(next) == word || p.dialect.Comments && bytes.EqualFold(next, []byte(word)) {
			p.at += len(word)
			return nil
		}
	}
	return p.want("a value")
}
