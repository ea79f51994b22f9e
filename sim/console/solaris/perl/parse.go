package perl

import "slices"

// parser reads statements; expr.go reads expressions.
type parser struct {
	*lexer
	i     int
	depth int
	names []string // of variables, by slot
}

func (p *parser) peek() token { return p.list[p.i] }

func (p *parser) is(text string) bool {
	t := p.peek()
	return (t.kind == symbol || t.kind == word) && t.text == text
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.i++
		return true
	}
	return false
}

func (p *parser) expect(text string) error {
	if !p.accept(text) {
		return p.syntax(p.peek().at)
	}
	return nil
}

func (p *parser) slotOf(name string) int {
	if i := slices.Index(p.names, name); i >= 0 {
		return i
	}
	p.names = append(p.names, name)
	return len(p.names) - 1
}

// deeper guards against scripts that nest without an end.
func (p *parser) deeper() error {
	if p.depth++; p.depth > maxNest {
		return unmodelled("more than %d blocks and brackets in each other are not followed", maxNest)
	}
	return nil
}

func parse(src string) (*parser, *node, error) {
	l, err := lex(src)
	if err != nil {
		return nil, nil, err
	}
	p := &parser{lexer: l}
	root, err := p.statements("")
	if err != nil {
		return nil, nil, err
	}
	return p, root, nil
}

// statements reads up to a closing brace, or the end for "".
func (p *parser) statements(until string) (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	b := &node{op: "block"}
	for {
		for p.accept(";") {
		}
		if p.peek().kind == end && until == "" || until != "" && p.accept(until) {
			return b, nil
		}
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		b.kids = append(b.kids, s)
	}
}

func (p *parser) block() (*node, error) {
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	return p.statements("}")
}

func (p *parser) statement() (*node, error) {
	t := p.peek()
	if p.is("{") {
		return p.block()
	}
	if t.kind == word {
		if n, err := p.compound(t.text); n != nil || err != nil {
			return n, err
		}
	}
	var n *node
	var err error
	looped := false
	if p.is("do") {
		p.i++
		n, err = p.block()
		looped = true
	} else {
		n, err = p.expr()
	}
	if err != nil {
		return nil, err
	}
	if n, err = p.modifier(n, looped); err != nil {
		return nil, err
	}
	if !p.is(";") && !p.is("}") && p.peek().kind != end {
		return nil, p.syntax(p.peek().at)
	}
	return n, nil
}

// compound reads statements that begin with a word of their own.
func (p *parser) compound(name string) (*node, error) {
	switch name {
	case "while", "until":
		p.i++
		c, err := p.condition(true)
		if err != nil {
			return nil, err
		}
		b, err := p.block()
		return &node{op: name, kids: []*node{c, b}}, err
	case "if", "unless":
		p.i++
		return p.branches(name == "unless")
	case "for", "foreach":
		p.i++
		return p.forLoop()
	case "last", "next":
		p.i++
		if t := p.peek(); t.kind == word && t.text != "if" && t.text != "unless" {
			return nil, unmodelled("labels of loops are not followed")
		}
		return p.modifier(&node{op: name}, false)
	}
	return nil, nil
}

// condition reads ( expression ); an empty one is true where that is allowed.
func (p *parser) condition(empty bool) (*node, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if empty && p.accept(")") {
		return &node{op: "num", n: 1}, nil
	}
	c, err := p.expr()
	if err != nil {
		return nil, err
	}
	return c, p.expect(")")
}

func (p *parser) branches(unless bool) (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	c, err := p.condition(false)
	if err != nil {
		return nil, err
	}
	if unless {
		c = &node{op: "!", kids: []*node{c}}
	}
	then, err := p.block()
	if err != nil {
		return nil, err
	}
	otherwise := &node{op: "block"}
	switch {
	case p.accept("elsif"):
		otherwise, err = p.branches(false)
	case p.accept("else"):
		otherwise, err = p.block()
	}
	return &node{op: "if", kids: []*node{c, then, otherwise}}, err
}

func (p *parser) forLoop() (*node, error) {
	p.accept("my")
	slot := -1
	if p.peek().kind == scalar {
		slot = p.slotOf(p.peek().text)
		p.i++
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if slot < 0 {
		if n, err := p.cFor(); n != nil || err != nil {
			return n, err
		}
		slot = p.slotOf("_")
	}
	l, err := p.elements(")")
	if err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	b, err := p.block()
	return &node{op: "each", slot: slot, kids: []*node{l, b}}, err
}

// cFor reads for (;;), or nothing where a list follows.
func (p *parser) cFor() (*node, error) {
	start := p.i
	var parts [3]*node
	for i := range parts {
		closing := map[bool]string{true: ")", false: ";"}[i == 2]
		parts[i] = &node{op: "none"}
		if i == 1 {
			parts[i] = &node{op: "num", n: 1}
		}
		if !p.is(closing) {
			var err error
			if parts[i], err = p.expr(); err != nil && i > 0 {
				return nil, err
			} else if err != nil {
				p.i = start
				return nil, nil
			}
		}
		if !p.accept(closing) {
			if i == 0 {
				p.i = start
				return nil, nil
			}
			return nil, p.syntax(p.peek().at)
		}
	}
	b, err := p.block()
	return &node{op: "cfor", kids: []*node{parts[0], parts[1], parts[2], b}}, err
}

// elements reads a list of numbers and ranges.
func (p *parser) elements(until string) (*node, error) {
	l := &node{op: "list"}
	for !p.is(until) {
		from, err := p.ternary()
		if err != nil {
			return nil, err
		}
		to := from
		if p.accept("..") {
			if to, err = p.ternary(); err != nil {
				return nil, err
			}
		}
		l.kids = append(l.kids, &node{op: "range", kids: []*node{from, to}})
		if !p.accept(",") {
			break
		}
	}
	return l, nil
}

// modifier reads what may stand behind a simple statement.
func (p *parser) modifier(n *node, looped bool) (*node, error) {
	t := p.peek()
	if t.kind != word {
		return n, nil
	}
	switch t.text {
	case "if", "unless", "while", "until":
		p.i++
		c, err := p.expr()
		if err != nil {
			return nil, err
		}
		switch {
		case t.text == "if":
			return &node{op: "if", kids: []*node{c, n, {op: "block"}}}, nil
		case t.text == "unless":
			return &node{op: "if", kids: []*node{c, {op: "block"}, n}}, nil
		case looped:
			return &node{op: "do" + t.text, kids: []*node{c, n}}, nil
		}
		return &node{op: t.text, kids: []*node{c, n}}, nil
	case "for", "foreach":
		p.i++
		closing := ";"
		if p.accept("(") {
			closing = ")"
		}
		l, err := p.elements(closing)
		if err == nil && closing == ")" {
			err = p.expect(closing)
		}
		if err != nil {
			return nil, err
		}
		return &node{op: "each", slot: p.slotOf("_"), kids: []*node{l, n}}, nil
	}
	return n, nil
}
