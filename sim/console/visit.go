package console

// visit calls do for every simple command in a tree.
func visit(n node, do func(*simple)) {
	switch n := n.(type) {
	case *list:
		for _, it := range n.items {
			visit(it.cmd, do)
		}
	case *andOr:
		visit(n.first, do)
		for _, b := range n.rest {
			visit(b.cmd, do)
		}
	case *pipeline:
		for _, s := range n.stages {
			visit(s, do)
		}
	case *forLoop:
		visitWords(n.words, do)
		visit(n.body, do)
	case *whileLoop:
		visit(n.cond, do)
		visit(n.body, do)
	case *ifClause:
		visit(n.cond, do)
		visit(n.then, do)
		visit(n.otherwise, do)
	case *group:
		visit(n.body, do)
	case *simple:
		visitWords(n.words, do)
		for _, a := range n.assigns {
			visitWords([]word{a.value}, do)
		}
		do(n)
	}
}

func visitWords(words []word, do func(*simple)) {
	for _, w := range words {
		for _, p := range w.parts {
			visit(p.body, do)
		}
	}
}

// constant is the text of a word in which nothing is expanded.
func (w word) constant() (string, bool) {
	text := ""
	for _, p := range w.parts {
		if p.kind != literal {
			return "", false
		}
		text += p.text
	}
	return text, true
}
