package perl

import (
	"fmt"
	"strconv"

	"strandscope/sim/clock"
	"strandscope/sim/workload"
)

// Script is what a script comes to.
type Script struct {
	Program *workload.Program
	// Processes is how many there are in all, the first included.
	Processes int
	// Status is the exit status of the first, if it ever exits.
	Status int
}

// Compile makes a program of a script and its arguments; most is how many
// processes it may come to.
func Compile(src string, args []string, most int) (Script, error) {
	if len(src) > maxScript {
		return Script{}, unmodelled("a script of %d bytes is not followed, at most %d are", len(src), maxScript)
	}
	p, root, err := parse(src)
	if err != nil {
		return Script{}, err
	}
	c := &coder{slots: len(p.names)}
	c.stmt(root)
	if c.missing != nil {
		return Script{}, c.missing
	}
	t := &tracer{code: c.code, relevant: relevant(root, len(p.names)), most: most, known: map[string]*Script{}}
	for len(t.relevant) < c.slots { // those that loops count with
		t.relevant = append(t.relevant, true)
	}
	st := state{vars: make([]value, c.slots)}
	for _, a := range args {
		st.args = append(st.args, ofText(a))
	}
	s, err := t.process(st, 0)
	if err != nil {
		return Script{}, err
	}
	return *s, nil
}

// state is where a process of the script stands.
type state struct {
	pc    int
	stack []value
	vars  []value
	args  []value
}

func (s *state) pop() value {
	v := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return v
}

func (s *state) push(v value) { s.stack = append(s.stack, v) }

func (s *state) clone() state {
	c := state{pc: s.pc}
	c.stack = append(c.stack, s.stack...)
	c.vars = append(c.vars, s.vars...)
	c.args = append(c.args, s.args...)
	return c
}

// tracer runs the processes of a script, each until it ends or repeats itself.
type tracer struct {
	code     []op
	relevant []bool
	steps    int
	most     int
	known    map[string]*Script // by the state in which a child begins; nil: under way
}

// key tells states apart as far as that makes a difference. Maps only find things
// by it.
func (t *tracer) key(s *state) string {
	b := strconv.AppendInt(nil, int64(s.pc), 10)
	add := func(vs []value, all bool) {
		b = append(b, '|')
		for i, v := range vs {
			if all || t.relevant[i] {
				b = append(b, 'a'+byte(v.kind))
				b = strconv.AppendInt(b, v.n, 36)
			}
		}
	}
	add(s.stack, true)
	add(s.vars, false)
	add(s.args, true)
	return string(b)
}

// life is the program of one process as far as it is known.
type life struct {
	b         workload.Builder
	processes int
	status    int
	over      bool
	loops     bool
	seen      map[string]int // states at the ends of loops, by the step that follows
	forkedAt  int            // steps when it last forked
}

func (t *tracer) process(s state, depth int) (*Script, error) {
	if depth > maxChain {
		return nil, unmodelled("more than %d generations of processes are not followed", maxChain)
	}
	l := &life{processes: 1, seen: map[string]int{}, forkedAt: -1}
	for !l.over && s.pc < len(t.code) {
		if t.steps++; t.steps > maxSteps {
			return nil, unmodelled("a script that reckons on for more than %d operations is not followed", maxSteps)
		}
		if err := t.step(&s, l, depth); err != nil {
			return nil, err
		}
	}
	p, err := l.b.Program()
	if err != nil {
		return nil, unmodelled("%s", err)
	}
	if l.loops {
		p.Slots = 1 // the counter of its one loop
	}
	return &Script{Program: p, Processes: l.processes, Status: l.status}, nil
}

// step does one operation.
func (t *tracer) step(s *state, l *life, depth int) error {
	o := t.code[s.pc]
	s.pc++
	switch o.code {
	case opPush:
		s.push(o.v)
	case opPop:
		s.pop()
	case opDup:
		s.push(s.stack[len(s.stack)-1])
	case opClear:
		s.stack = s.stack[:0]
	case opLoad:
		s.push(s.vars[o.n])
	case opStore:
		s.vars[o.n] = s.stack[len(s.stack)-1]
	case opArgc, opShift, opArg, opSetArg:
		return s.arguments(o.code)
	case opBinary, opNot, opNeg, opDefined, opInt:
		return s.reckon(o)
	case opJump:
		back := o.n < s.pc
		s.pc = o.n
		if back {
			return t.turned(s, l)
		}
	case opFalse, opTrue:
		if s.pop().isTrue() == (o.code == opTrue) {
			s.pc = o.n
		}
	case opFork:
		return t.fork(s, l, depth)
	case opSleep:
		return s.sleep(l)
	case opForever:
		l.b.Do(workload.Instr{Op: workload.Block})
		l.over = true
	case opExit:
		n, err := s.pop().number()
		l.status, l.over = int(n&255), true
		return err
	}
	return nil
}

// maxArgs bounds @ARGV.
const maxArgs = 1000

func (s *state) arguments(code opcode) error {
	switch code {
	case opArgc:
		s.push(num(int64(len(s.args))))
		return nil
	case opShift:
		v := value{}
		if len(s.args) > 0 {
			v, s.args = s.args[0], s.args[1:]
		}
		s.push(v)
		return nil
	default:
	}
	v := value{}
	if code == opSetArg {
		v = s.pop()
	}
	i, err := s.pop().number()
	if err != nil {
		return err
	}
	if i < 0 {
		i += int64(len(s.args))
	}
	if i < 0 || i >= maxArgs {
		return unmodelled("$ARGV[%d] is not followed", i)
	}
	if code == opSetArg {
		for int(i) >= len(s.args) {
			s.args = append(s.args, value{})
		}
		s.args[i] = v
	} else if int(i) < len(s.args) {
		v = s.args[i]
	}
	s.push(v)
	return nil
}

func (s *state) reckon(o op) error {
	b := s.pop()
	var v value
	var err error
	switch o.code {
	case opBinary:
		v, err = binary(o.name, s.pop(), b)
	case opNot:
		v = truth(!b.isTrue())
	case opDefined:
		v = truth(b.kind != undefined)
	case opNeg:
		var n int64
		n, err = b.number()
		v = num(-n)
	default:
		if v = b; b.kind != process {
			v = num(b.n)
		}
	}
	s.push(v)
	return err
}

// turned is the end of a loop's turn: in a state that was there before, what
// follows is what followed then.
func (t *tracer) turned(s *state, l *life) error {
	k := t.key(s)
	at, before := l.seen[k]
	switch {
	case !before:
		l.seen[k] = l.b.Len()
		return nil
	case l.forkedAt >= at:
		return fmt.Errorf("it would fork for ever; a machine holds %d processes", t.most)
	case l.b.Len() == at:
		l.b.Do(workload.Instr{Op: workload.Spin})
	default:
		l.b.Do(workload.Instr{Op: workload.Loop, To: int32(at), Count: -1})
		l.loops = true
	}
	l.over = true
	return nil
}

func (t *tracer) fork(s *state, l *life, depth int) error {
	child := s.clone()
	child.push(num(0))
	k := t.key(&child)
	x, known := t.known[k]
	switch {
	case known && x == nil:
		return fmt.Errorf("its children would fork for ever; a machine holds %d processes", t.most)
	case !known:
		t.known[k] = nil
		var err error
		if x, err = t.process(child, depth+1); err != nil {
			return err
		}
		t.known[k] = x
	}
	l.processes += x.Processes
	if l.processes > t.most {
		return fmt.Errorf("it would fork more processes than there is room for; %d are left", t.most)
	}
	l.forkedAt = l.b.Len()
	l.b.Do(workload.Instr{Op: workload.Run, D: ForkWork})
	l.b.Do(workload.Instr{Op: workload.Fork, Name: "perl", Child: x.Program})
	s.push(value{kind: process})
	return nil
}

// sleep takes whole seconds; none at all is no sleep.
func (s *state) sleep(l *life) error {
	n, err := s.pop().number()
	if err != nil {
		return err
	}
	if n < 0 || n > int64(workload.MaxRun/clock.Second) {
		return unmodelled("to sleep for %d seconds is not followed", n)
	}
	if n > 0 {
		l.b.Do(workload.Instr{Op: workload.Sleep, D: clock.Duration(n) * clock.Second})
	}
	s.push(num(n))
	return nil
}
