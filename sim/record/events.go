package record

import "bytes"

// event reads the events of scheduling; others are counted only.
func (r *Reader) event(h *head) {
	p := &payload{r: r, event: h.event, b: h.rest}
	x := Rec{At: h.at, CPU: int16(h.cpu), Thread: None, Other: None, Prio: -1, OtherPrio: -1}
	switch string(h.event) {
	case "sched_switch":
		p.switched(&x)
	case "sched_wakeup":
		r.wakes = true
		p.woken(&x, h, Wakeup)
	case "sched_waking":
		if !r.wakes {
			p.woken(&x, h, Waking)
		}
	case "sched_wakeup_new":
		p.woken(&x, h, WakeupNew)
	case "sched_migrate_task":
		p.migrated(&x)
	case "sched_process_fork":
		p.forked(&x)
	case "sched_process_exit":
		p.exited(&x)
	case "sched_process_exec", "task_rename":
		p.renamed(&x)
	case "sched_stat_runtime":
		p.ran(&x, h)
	}
	if x.Kind != 0 && !p.bad {
		r.add(&x)
	}
}

const (
	maxPID  = 1<<31 - 1
	maxPrio = 1000
)

// switched reads prev_comm=A prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=…, the
// raw form without the arrow, or trace-cmd's A:1 [120] S ==> B:2 [120].
func (p *payload) switched(x *Rec) {
	x.Kind = Switch
	if !bytes.HasPrefix(p.b, []byte("prev_comm=")) {
		if bytes.Contains(p.b, []byte("] ")) && bytes.Contains(p.b, []byte(" ==> ")) {
			p.shortSwitch(x)
			return
		}
	}
	from := p.name("prev_comm=", " prev_pid=")
	fromPID := p.number("prev_pid=", 0, maxPID)
	fromPrio := p.number("prev_prio=", -maxPrio, maxPrio)
	state := p.word("prev_state=")
	p.b = bytes.TrimPrefix(trimLeft(p.b), []byte("==>"))
	to := p.name("next_comm=", " next_pid=")
	toPID := p.number("next_pid=", 0, maxPID)
	toPrio := p.number("next_prio=", -maxPrio, maxPrio)
	p.strange(p.b)
	if p.bad {
		return
	}
	p.both(x, from, int32(fromPID), int16(fromPrio), state, to, int32(toPID), int16(toPrio))
}

func (p *payload) both(x *Rec, from []byte, fromPID int32, fromPrio int16, state, to []byte, toPID int32, toPrio int16) {
	s, ok := readState(state)
	if !ok {
		p.r.note("a state", "prev_state", "%s is no state that is known here; read as sleeping", shown(state))
	}
	th := &p.r.th
	x.Thread, x.Prio, x.State = th.get(fromPID, from), fromPrio, s
	x.Other, x.OtherPrio = th.get(toPID, to), toPrio
	p.r.prio(x.Thread, fromPrio)
	p.r.prio(x.Other, toPrio)
	if s == Dead {
		th.died(x.Thread)
	}
}

// prio notes the first priority of a thread.
func (r *Reader) prio(th int32, prio int16) {
	if th != None && r.th.list[th].Prio < 0 {
		r.th.list[th].Prio = prio
	}
}

// readState reads the letters of the kernel's states, or the number that they stand for
// in raw text.
func readState(b []byte) (State, bool) {
	if len(b) == 0 {
		return Sleeping, false
	}
	if isDigit(b[0]) {
		n, ok := number(b, 1<<20)
		return stateOf(n), ok
	}
	idle := bytes.ContainsAny(b, "NI") // TASK_NOLOAD is N
	switch b[0] {
	case 'R':
		if bytes.IndexByte(b, '+') > 0 {
			return Preempted, true
		}
		return Runnable, true
	case 'S':
		return Sleeping, true
	case 'D':
		if idle {
			return Parked, true
		}
		return Disk, true
	case 'I', 'T', 't', 'P', 'W', 'K', 'N':
		return Parked, true
	case 'X', 'Z', 'x':
		return Dead, true
	}
	return Sleeping, false
}

// stateOf reads a number: bits of the kernel's states (include/linux/sched.h). 64 was a
// dead task's before 4.14 and is a parked one's since; both never count as runnable.
func stateOf(n int64) State {
	switch {
	case n == 0:
		return Runnable
	case n&2 != 0:
		return Disk
	case n&1 != 0:
		return Sleeping
	case n&(16|32) != 0:
		return Dead
	case n&(4|8|64|128) != 0:
		return Parked
	case n >= 256:
		return Preempted // the bit above all states
	}
	return Sleeping
}

// task reads trace-cmd's NAME:PID [PRIO] from its end and gives what stands behind.
func (p *payload) task(b []byte) (name []byte, pid int32, prio int16, rest []byte, ok bool) {
	o := bytes.LastIndex(b, []byte(" ["))
	if o < 0 {
		return
	}
	c := bytes.IndexByte(b[o:], ']')
	if c < 0 {
		return
	}
	pr, ok1 := signed(b[o+2:o+c], maxPrio)
	colon := bytes.LastIndexByte(b[:o], ':')
	if colon < 0 {
		return
	}
	n, ok2 := number(b[colon+1:o], maxPID)
	return b[:colon], int32(n), int16(pr), trim(b[o+c+1:]), ok1 && ok2
}

func (p *payload) shortSwitch(x *Rec) {
	for from := 0; ; {
		i := bytes.Index(p.b[from:], []byte(" ==> "))
		if i < 0 {
			p.missing("prev_pid", "want NAME:PID [PRIORITY] STATE ==> NAME:PID [PRIORITY], not "+shown(p.b))
			return
		}
		i += from
		from = i + 1
		n1, p1, r1, state, ok1 := p.task(p.b[:i])
		n2, p2, r2, _, ok2 := p.task(p.b[i+5:])
		if ok1 && ok2 && len(state) > 0 && bytes.IndexByte(state, ' ') < 0 {
			p.both(x, n1, p1, r1, state, n2, p2, r2)
			return
		}
	}
}

// woken reads comm=A pid=1 prio=120 target_cpu=003, or trace-cmd's A:1 [120] CPU:003.
func (p *payload) woken(x *Rec, h *head, k Kind) {
	x.Kind = k
	var name []byte
	var pid int32
	if !bytes.HasPrefix(p.b, []byte("comm=")) && bytes.Contains(p.b, []byte("] ")) {
		n, id, prio, rest, ok := p.task(p.b)
		if !ok {
			p.missing("pid", "want NAME:PID [PRIORITY] CPU:NUMBER, not "+shown(p.b))
			return
		}
		name, pid, x.Prio = n, id, prio
		p.b = rest
		if i := bytes.Index(rest, []byte("CPU:")); i >= 0 {
			if cpu, ok := number(digits(rest[i+4:]), maxCPU); ok {
				x.OtherPrio = int16(cpu)
			}
		}
	} else {
		name = p.name("comm=", " pid=")
		pid = int32(p.number("pid=", 0, maxPID))
		x.Prio = int16(p.number("prio=", -maxPrio, maxPrio))
		if rest, ok := after(p.b, "success="); ok {
			if len(rest) > 0 && rest[0] == '0' {
				x.Kind = 0 // nobody was woken
				return
			}
			p.b = rest[min(1, len(rest)):]
		}
		if cpu := p.word("target_cpu="); !p.bad {
			n, ok := number(cpu, maxCPU)
			if !ok {
				p.missing("target_cpu", "want a number from 0 to "+itoa(maxCPU)+", not "+shown(cpu)+",")
				return
			}
			x.OtherPrio = int16(n)
		}
		p.strange(p.b)
	}
	if p.bad {
		return
	}
	if pid == 0 {
		x.Kind = 0
		return
	}
	th := &p.r.th
	if k == WakeupNew {
		x.Thread = th.born(pid, name)
	} else {
		x.Thread = th.get(pid, name)
	}
	x.Other = th.get(h.pid, nil)
	p.r.prio(x.Thread, x.Prio)
	if len(h.flags) >= 3 {
		x.Flags = ContextKnown
		if c := h.flags[2]; c == 'h' || c == 's' || c == 'H' || c == 'Z' || c == 'z' {
			x.Flags |= FromInterrupt
		}
	}
	p.r.room(int(x.OtherPrio))
}

func (p *payload) migrated(x *Rec) {
	x.Kind = Migrate
	name := p.name("comm=", " pid=")
	pid := int32(p.number("pid=", 0, maxPID))
	x.Prio = int16(p.number("prio=", -maxPrio, maxPrio))
	p.number("orig_cpu=", 0, maxCPU)
	to := p.number("dest_cpu=", 0, maxCPU)
	if p.bad || pid == 0 {
		p.bad = true
		return
	}
	x.Thread, x.OtherPrio = p.r.th.get(pid, name), int16(to)
	p.r.room(int(to))
}

func (p *payload) forked(x *Rec) {
	x.Kind = Fork
	name := p.name("comm=", " pid=")
	pid := int32(p.number("pid=", 0, maxPID))
	child := p.name("child_comm=", " child_pid=")
	childPID := int32(p.number("child_pid=", 1, maxPID))
	if p.bad {
		return
	}
	th := &p.r.th
	x.Other = th.get(pid, name)
	x.Thread = th.born(childPID, child)
	if x.Thread != None {
		th.list[x.Thread].Parent = x.Other
	}
}

func (p *payload) exited(x *Rec) {
	x.Kind = Exit
	name := p.name("comm=", " pid=")
	pid := int32(p.number("pid=", 0, maxPID))
	if !p.bad {
		x.Thread = p.r.th.get(pid, name)
	}
}

// renamed reads exec's pid, and the new name of a rename; after exec the next event that
// names the thread has it.
func (p *payload) renamed(x *Rec) {
	x.Kind = Rename
	if rest, ok := after(p.b, "filename="); ok {
		p.b = rest
	}
	pid := int32(p.number("pid=", 0, maxPID))
	if p.bad {
		return
	}
	var name []byte
	if _, ok := after(p.b, "newcomm="); ok {
		name = p.name("newcomm=", " oom_score_adj=")
	}
	x.Thread = p.r.th.get(pid, name)
}

// ran takes what a thread was charged, and its virtual run time before the first time.
func (p *payload) ran(x *Rec, h *head) {
	name := p.name("comm=", " pid=")
	pid := int32(p.number("pid=", 0, maxPID))
	if p.bad || pid == 0 {
		return
	}
	i := p.r.th.get(pid, name)
	if i == None {
		return
	}
	t := &p.r.th.list[i]
	_, virtual := after(p.b, "vruntime=")
	if !p.r.accounts && (t.VirtualKnown || !virtual) {
		return
	}
	d := p.number("runtime=", 0, 1<<60)
	if p.r.accounts && d < 1<<32 {
		x.Kind, x.Thread, x.Other = Account, i, int32(uint32(d))
		if len(h.flags) >= 3 {
			x.Flags = ContextKnown
			if c := h.flags[2]; c == 'h' || c == 'H' {
				x.Flags |= FromInterrupt
			}
		}
	}
	if virtual && !t.VirtualKnown {
		if v := p.number("vruntime=", -1<<60, 1<<60); !p.bad {
			t.Virtual, t.VirtualDelta, t.VirtualAt, t.VirtualKnown = v, d, h.at, true
		}
	}
}
