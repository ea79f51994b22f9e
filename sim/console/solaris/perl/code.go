package perl

// What the tree is turned into: operations on a stack, so that a script's state is
// plain data that can be copied where it forks.

type opcode uint8

const (
	opPush    opcode = iota // v
	opPop                   //
	opDup                   //
	opLoad                  // variable n
	opStore                 // variable n, leaves the value
	opArg                   // index → argument
	opSetArg                // index, value → value
	opArgc                  //
	opShift                 //
	opBinary                // name
	opNot                   //
	opNeg                   //
	opDefined               //
	opInt                   //
	opJump                  // to n; back in the code: a loop
	opFalse                 // to n if the value on top, which is taken, is false
	opTrue                  // to n if it is true
	opClear                 // forgets the stack
	opFork                  //
	opSleep                 // seconds → what it returns
	opForever               // sleeps without an end
	opExit                  // status
)

type op struct {
	code opcode
	n    int
	name string
	v    value
}

type coder struct {
	code    []op
	slots   int
	loops   []loop
	missing error
}

// loop is where last and next go, once that is known.
type loop struct{ last, next []int }

func (c *coder) emit(o op) int {
	if len(c.code) >= maxCode {
		c.missing = unmodelled("a script of more than %d operations is not followed", maxCode)
		return 0
	}
	c.code = append(c.code, o)
	return len(c.code) - 1
}

func (c *coder) here() int { return len(c.code) }

// land makes jumps go to the present place.
func (c *coder) land(jumps ...int) {
	for _, j := range jumps {
		c.code[j].n = c.here()
	}
}

// expr leaves one value on the stack.
func (c *coder) expr(n *node) {
	switch n.op {
	case "num":
		c.emit(op{code: opPush, v: num(n.n)})
	case "str":
		c.emit(op{code: opPush, v: value{valueKind(n.slot), n.n}})
	case "undef", "none", "block":
		c.emit(op{code: opPush})
	case "var":
		c.emit(op{code: opLoad, n: n.slot})
	case "arg":
		c.expr(n.kids[0])
		c.emit(op{code: opArg})
	case "argc", "shift", "fork":
		c.emit(op{code: map[string]opcode{"argc": opArgc, "shift": opShift, "fork": opFork}[n.op]})
	case "!", "neg", "defined", "int":
		c.expr(n.kids[0])
		c.emit(op{code: map[string]opcode{"!": opNot, "neg": opNeg, "defined": opDefined, "int": opInt}[n.op]})
	case ",":
		c.expr(n.kids[0])
		c.emit(op{code: opPop})
		c.expr(n.kids[1])
	case "&&", "||":
		c.expr(n.kids[0])
		c.emit(op{code: opDup})
		j := c.emit(op{code: map[string]opcode{"&&": opFalse, "||": opTrue}[n.op]})
		c.emit(op{code: opPop})
		c.expr(n.kids[1])
		c.land(j)
	case "?:":
		c.expr(n.kids[0])
		j := c.emit(op{code: opFalse})
		c.expr(n.kids[1])
		done := c.emit(op{code: opJump})
		c.land(j)
		c.expr(n.kids[2])
		c.land(done)
	case "sleep", "exit":
		c.call(n)
	case "last", "next":
		c.jump(n.op)
		c.emit(op{code: opPush})
	default:
		c.change(n)
	}
}

func (c *coder) call(n *node) {
	switch {
	case len(n.kids) > 0:
		c.expr(n.kids[0])
	case n.op == "sleep":
		c.emit(op{code: opForever})
		return
	default:
		c.emit(op{code: opPush, v: num(0)})
	}
	c.emit(op{code: map[string]opcode{"sleep": opSleep, "exit": opExit}[n.op]})
	if n.op == "exit" {
		c.emit(op{code: opPush})
	}
}

// change is an assignment, a step or a binary operator.
func (c *coder) change(n *node) {
	switch n.op {
	case "=":
		c.store(n.kids[0], func() { c.expr(n.kids[1]) })
	case "+=", "-=", "*=", "/=", "%=", "**=":
		c.store(n.kids[0], func() {
			c.expr(n.kids[0])
			c.expr(n.kids[1])
			c.emit(op{code: opBinary, name: n.op[:len(n.op)-1]})
		})
	case "&&=", "||=":
		set := &node{op: "=", kids: n.kids}
		c.expr(&node{op: n.op[:2], kids: []*node{n.kids[0], set}})
	case "++x", "--x":
		c.store(n.kids[0], func() { c.stepped(n.kids[0], n.op[:1]) })
	case "x++", "x--":
		c.expr(n.kids[0])
		c.store(n.kids[0], func() { c.stepped(n.kids[0], n.op[1:2]) })
		c.emit(op{code: opPop})
	default:
		c.expr(n.kids[0])
		c.expr(n.kids[1])
		c.emit(op{code: opBinary, name: n.op})
	}
}

func (c *coder) stepped(n *node, sign string) {
	c.expr(n)
	c.emit(op{code: opPush, v: num(1)})
	c.emit(op{code: opBinary, name: sign})
}

func (c *coder) store(to *node, v func()) {
	if to.op == "var" {
		v()
		c.emit(op{code: opStore, n: to.slot})
		return
	}
	c.expr(to.kids[0])
	v()
	c.emit(op{code: opSetArg})
}

// jump leaves the innermost loop, or goes on with its next turn.
func (c *coder) jump(what string) {
	if len(c.loops) == 0 {
		c.missing = unmodelled("%s outside of a loop is not followed", what)
		return
	}
	c.emit(op{code: opClear})
	j := c.emit(op{code: opJump})
	l := &c.loops[len(c.loops)-1]
	if what == "last" {
		l.last = append(l.last, j)
	} else {
		l.next = append(l.next, j)
	}
}

func (c *coder) stmt(n *node) {
	switch n.op {
	case "block":
		for _, k := range n.kids {
			c.stmt(k)
		}
	case "if":
		c.expr(n.kids[0])
		j := c.emit(op{code: opFalse})
		c.stmt(n.kids[1])
		done := c.emit(op{code: opJump})
		c.land(j)
		c.stmt(n.kids[2])
		c.land(done)
	case "while", "until":
		c.turn(n.kids[0], n.op == "until", n.kids[1], nil)
	case "dowhile", "dountil":
		top := c.here()
		c.stmt(n.kids[1])
		c.expr(n.kids[0])
		j := c.emit(op{code: map[string]opcode{"dowhile": opFalse, "dountil": opTrue}[n.op]})
		c.emit(op{code: opJump, n: top})
		c.land(j)
	case "cfor":
		c.stmt(n.kids[0])
		c.turn(n.kids[1], false, n.kids[3], func() { c.stmt(n.kids[2]) })
	case "each":
		c.each(n)
	case "none":
	case "last", "next":
		c.jump(n.op)
	default:
		c.expr(n)
		c.emit(op{code: opPop})
	}
}

// turn is a loop with its condition in front.
func (c *coder) turn(cond *node, until bool, body *node, step func()) {
	top := c.here()
	c.expr(cond)
	code := opFalse
	if until {
		code = opTrue
	}
	out := c.emit(op{code: code})
	c.loops = append(c.loops, loop{})
	c.stmt(body)
	l := c.loops[len(c.loops)-1]
	c.loops = c.loops[:len(c.loops)-1]
	c.land(l.next...)
	if step != nil {
		step()
	}
	c.emit(op{code: opJump, n: top})
	c.land(append(l.last, out)...)
}

// each runs its body for every number of its ranges.
func (c *coder) each(n *node) {
	var lasts []int
	for _, r := range n.kids[0].kids {
		at, to := c.slots, c.slots+1
		c.slots += 2
		c.expr(r.kids[0])
		c.emit(op{code: opStore, n: at})
		if r.kids[1] != r.kids[0] {
			c.emit(op{code: opPop})
			c.expr(r.kids[1])
		}
		c.emit(op{code: opStore, n: to})
		c.emit(op{code: opPop})
		top := c.here()
		c.emit(op{code: opLoad, n: at})
		c.emit(op{code: opLoad, n: to})
		c.emit(op{code: opBinary, name: "<="})
		out := c.emit(op{code: opFalse})
		c.emit(op{code: opLoad, n: at})
		c.emit(op{code: opStore, n: n.slot})
		c.emit(op{code: opPop})
		c.loops = append(c.loops, loop{})
		c.stmt(n.kids[1])
		l := c.loops[len(c.loops)-1]
		c.loops = c.loops[:len(c.loops)-1]
		c.land(l.next...)
		c.emit(op{code: opLoad, n: at})
		c.emit(op{code: opPush, v: num(1)})
		c.emit(op{code: opBinary, name: "+"})
		c.emit(op{code: opStore, n: at})
		c.emit(op{code: opPop})
		c.emit(op{code: opJump, n: top})
		c.land(out)
		lasts = append(lasts, l.last...)
		if c.missing != nil {
			return
		}
	}
	c.land(lasts...)
}
