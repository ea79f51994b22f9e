package console

import (
	"fmt"
	"io"

	"strandscope/sim/clock"
)

func writef(w io.Writer, format string, args ...any) { fmt.Fprintf(w, format, args...) }

type listFrame struct {
	l *list
	i int
}

func (f *listFrame) step(x *exec) progress {
	if f.i == len(f.l.items) {
		return ended
	}
	it := &f.l.items[f.i]
	f.i++
	if it.background {
		x.con.background(x, it)
		return goesOn
	}
	return x.push(begin(it.cmd))
}

type andOrFrame struct {
	a *andOr
	i int
}

func (f *andOrFrame) step(x *exec) progress {
	if f.i == 0 {
		f.i++
		return x.push(begin(f.a.first))
	}
	for f.i <= len(f.a.rest) {
		b := f.a.rest[f.i-1]
		f.i++
		if b.or == (x.status != 0) {
			return x.push(begin(b.cmd))
		}
	}
	return ended
}

// pipeFrame runs the stages of a pipeline side by side.
type pipeFrame struct {
	p      *pipeline
	begun  bool
	stages []*exec
	since  clock.Time
	before [2]clock.Duration
}

func (f *pipeFrame) step(x *exec) progress {
	if !f.begun {
		f.begun = true
		f.since, f.before = x.con.m.Now(), x.con.reaped
		if len(f.p.stages) == 1 {
			return x.push(begin(f.p.stages[0]))
		}
		f.connect(x)
	}
	if len(f.stages) > 0 {
		wait, all := f.stepStages(x)
		if !all {
			x.wait = wait
			return blocked
		}
		x.status = f.stages[len(f.stages)-1].status
	}
	switch {
	case f.p.not && x.status == 0:
		x.status = 1
	case f.p.not:
		x.status = 0
	}
	if f.p.timed {
		spent := x.con.reaped
		x.std[2].write(fmt.Sprintf("\nreal\t%s\nuser\t%s\nsys\t%s\n", clockText(x.con.m.Now().Sub(f.since)),
			clockText(spent[0]-f.before[0]), clockText(spent[1]-f.before[1])))
	}
	return ended
}

func (f *pipeFrame) connect(x *exec) {
	in := x.in
	for i, n := range f.p.stages {
		c := x.child(n)
		c.in = in
		if i < len(f.p.stages)-1 {
			in = &buffer{}
			c.std[1] = stream{buffer: in}
		}
		f.stages = append(f.stages, c)
	}
}

func (f *pipeFrame) flows() []*exec { return f.stages }

// stepStages lets each stage go on until none can; it reports whether all have
// ended.
func (f *pipeFrame) stepStages(x *exec) (wait Wait, all bool) {
	for {
		all, wait = true, Wait{}
		moved := false
		for _, c := range f.stages {
			if len(c.frames) == 0 {
				continue
			}
			had := f.traffic()
			if c.run(&x.con.steps) {
				moved = true
				x.threads = append(x.threads, c.threads...)
				continue
			}
			moved = moved || f.traffic() != had
			all = false
			wait = sooner(wait, c.wait)
		}
		if all || !moved {
			wait.Input = false // it can only come from within
			return wait, all
		}
	}
}

// traffic changes whenever a pipe was written to or read.
func (f *pipeFrame) traffic() int {
	n := 0
	for i, c := range f.stages {
		if b := c.std[1].buffer; b != nil {
			n += (i + 1) * len(b.text)
		}
	}
	return n
}

type forFrame struct {
	f     *forLoop
	words []string
	begun bool
	exp   expansion
	i     int
}

func (f *forFrame) flows() []*exec { return f.exp.flows() }

func (f *forFrame) leave() { f.i = len(f.words) }

func (f *forFrame) step(x *exec) progress {
	if !f.begun {
		words, p, err := f.exp.words(x, f.f.words)
		if p != ended {
			return p
		}
		if err != nil {
			return x.fail(err)
		}
		f.words, f.begun = words, true
		x.status = 0
	}
	if f.i == len(f.words) {
		return ended
	}
	x.vars.set(f.f.name, f.words[f.i])
	f.i++
	return x.push(begin(f.f.body))
}

type whileFrame struct {
	w      *whileLoop
	tested bool
	left   bool
}

func (f *whileFrame) leave() { f.left = true }

func (f *whileFrame) step(x *exec) progress {
	switch {
	case f.left:
		x.status = 0
		return ended
	case !f.tested:
		f.tested = true
		return x.push(begin(f.w.cond))
	case (x.status == 0) == f.w.until:
		x.status = 0
		return ended
	}
	f.tested = false
	return x.push(begin(f.w.body))
}

type ifFrame struct {
	c     *ifClause
	state int
}

func (f *ifFrame) step(x *exec) progress {
	f.state++
	switch f.state {
	case 1:
		return x.push(begin(f.c.cond))
	case 2:
		if x.status == 0 {
			return x.push(begin(f.c.then))
		}
		x.status = 0
		if f.c.otherwise != nil {
			return x.push(begin(f.c.otherwise))
		}
	}
	return ended
}

// groupFrame runs { … } in place, and ( … ) in a flow of its own.
type groupFrame struct {
	g     *group
	begun bool
	sub   *exec
	exp   expansion
}

func (f *groupFrame) flows() []*exec {
	if f.sub != nil {
		return []*exec{f.sub}
	}
	return f.exp.flows()
}

func (f *groupFrame) step(x *exec) progress {
	if !f.begun {
		if !f.g.sub && len(f.g.redirs) == 0 {
			f.begun = true
			return x.push(begin(f.g.body))
		}
		sub := x.child(f.g.body)
		if !f.g.sub {
			sub.vars = x.vars
		}
		if p, err := f.exp.redirect(x, sub, f.g.redirs); p != ended || err != nil {
			if err != nil {
				return x.fail(err)
			}
			return p
		}
		f.sub, f.begun = sub, true
	}
	if f.sub == nil {
		return ended
	}
	if !f.sub.run(&x.con.steps) {
		x.wait = f.sub.wait
		return blocked
	}
	x.status = f.sub.status
	x.threads = append(x.threads, f.sub.threads...)
	return ended
}

// fail ends a command with a message of the shell's.
func (x *exec) fail(err error) progress {
	x.std[2].write("bash: " + err.Error() + "\n")
	x.status = 1
	return ended
}
