package perl

import "strings"

// Expressions, from what binds least to what binds most.

func (p *parser) expr() (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	return p.left(p.lowAnd, map[string]string{"or": "||"})
}

func (p *parser) lowAnd() (*node, error) { return p.left(p.lowNot, map[string]string{"and": "&&"}) }

func (p *parser) lowNot() (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	if p.accept("not") {
		k, err := p.lowNot()
		return &node{op: "!", kids: []*node{k}}, err
	}
	n, err := p.assignment()
	for err == nil && p.is(",") {
		p.i++
		if p.is(")") || p.is(";") {
			break
		}
		var k *node
		k, err = p.assignment()
		n = &node{op: ",", kids: []*node{n, k}}
	}
	return n, err
}

// left reads operators of one rank that group to the left; ops gives each symbol
// its node.
func (p *parser) left(next func() (*node, error), ops map[string]string) (*node, error) {
	n, err := next()
	for err == nil {
		t := p.peek()
		op, ok := ops[t.text]
		if !ok || t.kind != symbol && t.kind != word {
			break
		}
		p.i++
		var k *node
		k, err = next()
		n = &node{op: op, kids: []*node{n, k}}
	}
	return n, err
}

var assigning = map[string]bool{"=": true, "+=": true, "-=": true, "*=": true, "/=": true, "%=": true, "**=": true, "||=": true, "&&=": true}

func (p *parser) assignment() (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	at := p.peek().at
	n, err := p.ternary()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind == symbol && assigning[t.text] {
		if n.op != "var" && n.op != "arg" {
			return nil, p.syntax(at)
		}
		p.i++
		v, err := p.assignment()
		return &node{op: t.text, kids: []*node{n, v}}, err
	}
	return n, nil
}

func (p *parser) ternary() (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	c, err := p.either()
	if err != nil || !p.accept("?") {
		return c, err
	}
	a, err := p.assignment()
	if err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	b, err := p.assignment()
	return &node{op: "?:", kids: []*node{c, a, b}}, err
}

func same(ops ...string) map[string]string {
	m := map[string]string{}
	for _, o := range ops {
		m[o] = o
	}
	return m
}

var (
	orOps       = same("||")
	andOps      = same("&&")
	equalOps    = same("==", "!=", "<=>")
	compareOps  = same("<", ">", "<=", ">=")
	additiveOps = same("+", "-")
	productOps  = same("*", "/", "%")
)

func (p *parser) either() (*node, error)   { return p.left(p.both, orOps) }
func (p *parser) both() (*node, error)     { return p.left(p.equality, andOps) }
func (p *parser) equality() (*node, error) { return p.left(p.compare, equalOps) }
func (p *parser) compare() (*node, error)  { return p.left(p.additive, compareOps) }
func (p *parser) additive() (*node, error) { return p.left(p.product, additiveOps) }
func (p *parser) product() (*node, error)  { return p.left(p.unary, productOps) }

func (p *parser) unary() (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	t := p.peek()
	if t.kind == symbol {
		switch t.text {
		case "!", "-", "+":
			p.i++
			k, err := p.unary()
			if t.text == "+" {
				return k, err
			}
			return &node{op: map[string]string{"!": "!", "-": "neg"}[t.text], kids: []*node{k}}, err
		case "++", "--":
			p.i++
			k, err := p.unary()
			if err == nil && k.op != "var" && k.op != "arg" {
				err = p.syntax(t.at)
			}
			return &node{op: t.text + "x", kids: []*node{k}}, err
		case "\\", "~", "&":
			return nil, unmodelled("the operator %s is not followed", t.text)
		}
	}
	return p.power()
}

func (p *parser) power() (*node, error) {
	n, err := p.primary()
	if err != nil {
		return nil, err
	}
	if p.is("++") || p.is("--") {
		if n.op != "var" && n.op != "arg" {
			return nil, p.syntax(p.peek().at)
		}
		n = &node{op: "x" + p.peek().text, kids: []*node{n}}
		p.i++
	}
	if p.accept("**") {
		k, err := p.unary()
		return &node{op: "**", kids: []*node{n, k}}, err
	}
	return n, nil
}

func (p *parser) primary() (*node, error) {
	t := p.peek()
	switch t.kind {
	case number:
		p.i++
		return &node{op: "num", n: t.n}, nil
	case text:
		p.i++
		v := ofText(t.text)
		return &node{op: "str", n: v.n, slot: int(v.kind)}, nil
	case scalar:
		return p.scalar(t)
	case array, last:
		p.i++
		if t.text != "ARGV" {
			return nil, unmodelled("of arrays only @ARGV is followed")
		}
		if t.kind == last {
			return &node{op: "-", kids: []*node{{op: "argc"}, {op: "num", n: 1}}}, nil
		}
		return &node{op: "argc"}, nil
	case word:
		return p.named(t)
	case symbol:
		if p.accept("(") {
			if p.accept(")") {
				return &node{op: "undef"}, nil
			}
			n, err := p.expr()
			if err != nil {
				return nil, err
			}
			return n, p.expect(")")
		}
	case end:
	}
	return nil, p.syntax(t.at)
}

func (p *parser) scalar(t token) (*node, error) {
	p.i++
	if p.accept("[") {
		if t.text != "ARGV" {
			return nil, unmodelled("of arrays only @ARGV is followed")
		}
		i, err := p.expr()
		if err != nil {
			return nil, err
		}
		return &node{op: "arg", kids: []*node{i}}, p.expect("]")
	}
	if p.is("{") || p.is("->") {
		return nil, unmodelled("hashes and references are not followed")
	}
	return &node{op: "var", slot: p.slotOf(t.text)}, nil
}

// perlWords are words of Perl that are not followed.
const perlWords = " print printf say system exec wait waitpid kill open close sub use no require time times rand srand local our return die warn " +
	"eval select alarm push pop unshift splice map grep join split sort keys values delete exists ref bless package sprintf substr length lc uc " +
	"getppid setpgrp getpriority setpriority chomp chop chr ord read sysread syswrite opendir readdir unlink mkdir rmdir pipe socket " +
	"x eq ne lt gt le ge cmp xor qw q qq qr tr s y m redo goto dump abs sqrt sin cos exp log hex oct pos reverse scalar wantarray local STDIN STDOUT STDERR "

// named reads what begins with a word.
func (p *parser) named(t token) (*node, error) {
	p.i++
	switch t.text {
	case "my":
		if p.peek().kind != scalar {
			return nil, unmodelled("my with a list is not followed")
		}
		return p.scalar(p.peek())
	case "fork":
		return &node{op: "fork"}, p.noArgument()
	case "shift":
		open := p.accept("(")
		if p.peek().kind == array && p.peek().text == "ARGV" {
			p.i++
		}
		if open {
			return &node{op: "shift"}, p.expect(")")
		}
		return &node{op: "shift"}, nil
	case "undef":
		return &node{op: "undef"}, nil
	case "sleep", "exit", "defined", "int":
		n := &node{op: t.text}
		if p.startsTerm() {
			k, err := p.argument()
			if err != nil {
				return nil, err
			}
			n.kids = []*node{k}
		} else if t.text == "defined" || t.text == "int" {
			return nil, p.syntax(p.peek().at)
		}
		return n, nil
	case "do":
		return nil, unmodelled("do inside an expression is not followed")
	case "last", "next":
		return &node{op: t.text}, nil // … or last
	}
	if strings.Contains(perlWords, " "+t.text+" ") {
		return nil, unmodelled("%q is Perl, but not followed", t.text)
	}
	return nil, p.syntax(t.at)
}

// noArgument reads () behind a function that takes none.
func (p *parser) noArgument() error {
	if p.is("(") {
		p.i++
		return p.expect(")")
	}
	return nil
}

// argument reads that of a named unary operator: brackets end it.
func (p *parser) argument() (*node, error) {
	if p.is("(") {
		return p.primary()
	}
	return p.additive()
}

func (p *parser) startsTerm() bool {
	t := p.peek()
	switch t.kind {
	case number, text, scalar, array, last:
		return true
	case word:
		return t.text == "shift" || t.text == "fork" || t.text == "int" || t.text == "my"
	case symbol:
		return t.text == "(" || t.text == "-" || t.text == "+" || t.text == "!" || t.text == "++" || t.text == "--"
	case end:
	}
	return false
}
