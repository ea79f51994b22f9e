package console

import (
	"errors"
	"fmt"
	"strings"
)

// The grammar is the part of POSIX sh (XCU 2.10) that people type at a prompt:
// lists, pipelines, background jobs, quoting, variables, command substitution,
// redirection, for, while, until, if, groups and subshells. Functions, case,
// arithmetic for and here-documents are refused in a sentence.
//
// It is our own because the page pays for what it links: mvdan.cc/sh's syntax
// package makes the program 229 KB larger under gzip, more than is left below
// the 2.0 MB it may weigh, and this makes it 12 KB larger. The tests hold the two
// against each other: what this one reads, that one reads to the same words.

// node is a command of any kind.
type node interface{}

type (
	// list runs its items one after the other.
	list struct{ items []item }
	item struct {
		cmd        node
		background bool
		text       string // as typed, for jobs
	}
	// andOr runs first, then each that its operator lets run.
	andOr struct {
		first node
		rest  []branch
	}
	branch struct {
		or  bool
		cmd node
	}
	pipeline struct {
		not, timed bool
		stages     []node
	}
	simple struct {
		assigns []assign
		words   []word
		redirs  []redirect
	}
	assign struct {
		name  string
		value word
	}
	redirect struct {
		fd     int // 0, 1 or 2
		in     bool
		to     int // of 2>&1; −1: a file
		append bool
		file   word
	}
	forLoop struct {
		name  string
		words []word
		body  node
	}
	whileLoop struct {
		until      bool
		cond, body node
	}
	ifClause struct {
		cond, then, otherwise node // otherwise may be nil
	}
	group struct {
		sub    bool // in parentheses: variables changed inside stay inside
		body   node
		redirs []redirect
	}
)

// word is pieces that make one argument, or with an unquoted expansion several.
type word struct{ parts []part }

type partKind uint8

const (
	literal  partKind = iota
	variable          // $NAME, ${NAME}
	substitution
	arithmetic
	braces // {1..9}
)

type part struct {
	kind   partKind
	quoted bool
	text   string // literal text, variable name, or expression
	body   node   // of a substitution
}

// errIncomplete says that a line is good so far and wants another one.
var errIncomplete = errors.New("the command goes on in another line")

// maxDepth bounds how deep commands may be nested.
const maxDepth = 50

type parser struct {
	src   string
	pos   int
	depth int
}

// parse reads a whole command line. errIncomplete tells that more is needed.
func parse(src string) (*list, error) {
	p := &parser{src: src}
	l, err := p.list("")
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.src) {
		return nil, p.unexpected()
	}
	return l, nil
}

func (p *parser) unexpected() error {
	if p.pos >= len(p.src) {
		return errIncomplete
	}
	return fmt.Errorf("syntax error near unexpected token `%s'", p.token())
}

// token is the operator or word at the present place, for messages.
func (p *parser) token() string {
	if op := p.peekOperator(); op != "" {
		if op == "\n" {
			return "newline"
		}
		return op
	}
	end := p.pos
	for end < len(p.src) && end < p.pos+20 && !strings.ContainsRune(" \t\n;&|()<>", rune(p.src[end])) {
		end++
	}
	if end == p.pos {
		end++
	}
	return p.src[p.pos:min(end, len(p.src))]
}

var operators = []string{"&&", "||", ";;", "&", "|", ";", "(", ")", "\n"}

func (p *parser) peekOperator() string {
	p.blanks()
	for _, op := range operators {
		if strings.HasPrefix(p.src[p.pos:], op) {
			return op
		}
	}
	return ""
}

// blanks skips spaces, continued lines and comments.
func (p *parser) blanks() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\r':
			p.pos++
		case c == '\\' && p.pos+1 < len(p.src) && p.src[p.pos+1] == '\n':
			p.pos += 2
		case c == '#' && (p.pos == 0 || strings.ContainsRune(" \t\n;&|()", rune(p.src[p.pos-1]))):
			for p.pos < len(p.src) && p.src[p.pos] != '\n' {
				p.pos++
			}
		default:
			return
		}
	}
}

func (p *parser) accept(op string) bool {
	if p.peekOperator() != op {
		return false
	}
	p.pos += len(op)
	return true
}

func (p *parser) newlines() {
	for p.accept("\n") {
	}
}

// keyword is the bare word at the present place if it is a reserved one.
func (p *parser) keyword() string {
	p.blanks()
	end := p.pos
	for end < len(p.src) && (isNameByte(p.src[end]) || strings.ContainsRune("!{}", rune(p.src[end]))) {
		end++
	}
	if end < len(p.src) && !strings.ContainsRune(" \t\n;&|()<>", rune(p.src[end])) {
		return ""
	}
	switch w := p.src[p.pos:end]; w {
	case "for", "do", "done", "in", "while", "until", "if", "then", "elif", "else", "fi", "{", "}", "!", "case", "function", "time":
		return w
	}
	return ""
}

func (p *parser) acceptWord(w string) bool {
	if p.keyword() != w {
		return false
	}
	p.pos += len(w)
	return true
}

func (p *parser) expectWord(w string) error {
	if p.acceptWord(w) {
		return nil
	}
	return p.unexpected()
}

// list reads commands up to the end, a closing parenthesis or a reserved word
// that ends what the list is in. enclosing is what it is in, "" for nothing.
func (p *parser) list(enclosing string) (*list, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("commands are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	l := &list{}
	for {
		p.newlines()
		if p.atEnd() {
			break
		}
		from := p.pos
		cmd, err := p.andOr()
		if err != nil {
			return nil, err
		}
		it := item{cmd: cmd, text: strings.TrimSpace(p.src[from:p.pos])}
		switch {
		case p.accept("&"):
			it.background = true
		case p.accept(";"), p.accept("\n"):
		default:
			l.items = append(l.items, it)
			return l, p.closed(l, enclosing)
		}
		l.items = append(l.items, it)
	}
	return l, p.closed(l, enclosing)
}

// closed refuses an empty list inside a command.
func (p *parser) closed(l *list, enclosing string) error {
	if enclosing != "" && len(l.items) == 0 {
		return p.unexpected()
	}
	return nil
}

func (p *parser) atEnd() bool {
	if op := p.peekOperator(); op == ")" || p.pos >= len(p.src) {
		return true
	}
	switch p.keyword() {
	case "do", "done", "then", "elif", "else", "fi", "}":
		return true
	}
	return false
}

func (p *parser) andOr() (node, error) {
	first, err := p.pipeline()
	if err != nil {
		return nil, err
	}
	a := &andOr{first: first}
	for {
		or := false
		switch {
		case p.accept("&&"):
		case p.accept("||"):
			or = true
		case len(a.rest) == 0:
			return first, nil
		default:
			return a, nil
		}
		p.newlines()
		cmd, err := p.pipeline()
		if err != nil {
			return nil, err
		}
		a.rest = append(a.rest, branch{or, cmd})
	}
}

func (p *parser) pipeline() (node, error) {
	pl := &pipeline{}
	for {
		switch {
		case p.acceptWord("!"):
			pl.not = !pl.not
			continue
		case p.acceptWord("time"):
			pl.timed = true
			continue
		}
		break
	}
	for {
		cmd, err := p.command()
		if err != nil {
			return nil, err
		}
		pl.stages = append(pl.stages, cmd)
		if p.peekOperator() != "|" {
			break
		}
		p.pos++
		p.newlines()
	}
	if len(pl.stages) > maxStages {
		return nil, fmt.Errorf("a pipeline of %d commands; at most %d are accepted", len(pl.stages), maxStages)
	}
	if len(pl.stages) == 1 && !pl.not && !pl.timed {
		return pl.stages[0], nil
	}
	return pl, nil
}

// maxStages bounds the commands of one pipeline.
const maxStages = 50

func (p *parser) command() (node, error) {
	switch k := p.keyword(); k {
	case "for":
		return p.forLoop()
	case "while", "until":
		return p.whileLoop(k == "until")
	case "if":
		p.acceptWord("if")
		return p.ifClause()
	case "{":
		p.acceptWord("{")
		body, err := p.list("{")
		if err == nil {
			err = p.expectWord("}")
		}
		return p.redirected(&group{body: body}, err)
	case "case", "function":
		return nil, fmt.Errorf("%s is not understood here; there are for, while, until and if", k)
	case "":
	default:
		return nil, p.unexpected()
	}
	if p.accept("(") {
		body, err := p.list("(")
		if err == nil && !p.accept(")") {
			err = p.unexpected()
		}
		return p.redirected(&group{sub: true, body: body}, err)
	}
	return p.simple()
}

func (p *parser) redirected(g *group, err error) (node, error) {
	for err == nil {
		var r redirect
		var ok bool
		if r, ok, err = p.redirect(); !ok {
			break
		}
		g.redirs = append(g.redirs, r)
	}
	return g, err
}

func (p *parser) forLoop() (node, error) {
	p.acceptWord("for")
	p.blanks()
	name := p.name()
	if name == "" {
		return nil, p.unexpected()
	}
	f := &forLoop{name: name}
	p.newlines()
	if p.acceptWord("in") {
		for {
			w, ok, err := p.word()
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			f.words = append(f.words, w)
		}
	}
	p.accept(";")
	p.newlines()
	var err error
	f.body, err = p.doGroup()
	return f, err
}

func (p *parser) doGroup() (node, error) {
	if err := p.expectWord("do"); err != nil {
		return nil, err
	}
	body, err := p.list("do")
	if err != nil {
		return nil, err
	}
	return body, p.expectWord("done")
}

func (p *parser) whileLoop(until bool) (node, error) {
	p.pos += len("while") // until is as long
	cond, err := p.list("while")
	if err != nil {
		return nil, err
	}
	body, err := p.doGroup()
	return &whileLoop{until: until, cond: cond, body: body}, err
}

// ifClause goes on behind if or elif.
func (p *parser) ifClause() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("commands are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	c := &ifClause{}
	l, err := p.list("if")
	if err != nil {
		return nil, err
	}
	c.cond = l
	if err = p.expectWord("then"); err != nil {
		return nil, err
	}
	if l, err = p.list("then"); err != nil {
		return nil, err
	}
	c.then = l
	if p.acceptWord("elif") {
		c.otherwise, err = p.ifClause()
		return c, err
	}
	if p.acceptWord("else") {
		if l, err = p.list("else"); err != nil {
			return nil, err
		}
		c.otherwise = l
	}
	return c, p.expectWord("fi")
}
