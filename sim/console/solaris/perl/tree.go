package perl

// node is an expression or a statement.
type node struct {
	op   string
	kids []*node
	n    int64
	slot int // of a variable
}

// Operators of nodes beside Perl's own:
//
//	num n, str (kids none, n its value, slot 1: true), undef
//	var slot, arg [index], argc, shift
//	= += … [target, value], ++x --x x++ x-- [target]
//	fork, sleep [seconds], exit [status], defined [x], int [x]
//	block [statements], while until dowhile dountil [condition, body],
//	cfor [init, condition, step, body], each slot [list, body], list, range
//	if [condition, then, else], last, next, none

// relevant tells which variables decide what the script does: those that a
// condition or an argument depends on. The others may change without the script
// being in another state.
type relevance struct {
	slots   []bool
	changed bool
}

func (r *relevance) need(slot int) {
	if !r.slots[slot] {
		r.slots[slot], r.changed = true, true
	}
}

func relevant(root *node, slots int) []bool {
	r := &relevance{slots: make([]bool, slots), changed: true}
	for r.changed {
		r.changed = false
		r.mark(root, false)
	}
	return r.slots
}

func (r *relevance) mark(n *node, needed bool) {
	switch n.op {
	case "var":
		if needed {
			r.need(n.slot)
		}
	case "=", "+=", "-=", "*=", "/=", "%=", "**=":
		r.assigned(n, needed)
	case "++x", "--x", "x++", "x--":
		r.mark(n.kids[0], needed)
	case "&&", "||", "&&=", "||=", "?:", "if", "while", "until", "dowhile", "dountil":
		r.mark(n.kids[0], true)
		for _, k := range n.kids[1:] {
			r.mark(k, needed)
		}
	case "arg", "sleep", "exit", "range", "defined":
		for _, k := range n.kids {
			r.mark(k, true)
		}
	case "cfor":
		r.mark(n.kids[0], false)
		r.mark(n.kids[1], true)
		r.mark(n.kids[2], false)
		r.mark(n.kids[3], false)
	case "each":
		for _, k := range n.kids[0].kids {
			r.mark(k, true)
		}
		r.mark(n.kids[1], false)
	case "block":
		for _, k := range n.kids {
			r.mark(k, false)
		}
	default:
		for _, k := range n.kids {
			r.mark(k, needed)
		}
	}
}

func (r *relevance) assigned(n *node, needed bool) {
	to := n.kids[0]
	if to.op != "var" { // an argument always counts
		r.mark(to, true)
		r.mark(n.kids[1], true)
		return
	}
	if needed {
		r.need(to.slot)
	}
	r.mark(n.kids[1], needed || r.slots[to.slot])
}
