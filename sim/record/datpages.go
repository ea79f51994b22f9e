package record

import (
	"bytes"
	"encoding/binary"
)

// pages reads a page of the ring buffer: its time, its length, and events, each with the
// time since the one before.
func (d *traceDat) pages(cpu int, b []byte) {
	at := d.order.Uint64(b)
	size := uint64(d.order.Uint32(b[8:]))
	if d.long == 8 {
		size = d.order.Uint64(b[8:])
	}
	head := 8 + d.long
	if size>>31&1 == 1 || size&(1<<31) != 0 {
		d.r.note("lost events", "", "events of CPU %d were lost before a page", cpu)
	}
	size &= 1<<20 - 1
	if size > uint64(len(b)-head) {
		d.r.note("a page", "commit", "a page of CPU %d says that it is longer than it is; it is left out", cpu)
		return
	}
	b = b[head : head+int(size)]
	for len(b) >= 4 {
		word := d.order.Uint32(b)
		kind, delta := word&31, uint64(word>>5)
		if d.order == binary.BigEndian {
			kind, delta = word>>27, uint64(word&(1<<27-1))
		}
		b = b[4:]
		n := int(kind) * 4
		switch {
		case kind == 29 && delta == 0:
			return // the rest is empty
		case kind == 0 || kind >= 29:
			if len(b) < 4 {
				return
			}
			next := uint64(d.order.Uint32(b))
			b = b[4:]
			switch kind {
			case 30:
				at += next<<27 + delta
				continue
			case 31:
				at = next<<27 + delta
				continue
			}
			if next < 4 || next-4 > uint64(len(b)) {
				return
			}
			n = int(next - 4)
		}
		if n > len(b) {
			return
		}
		if at += delta; kind < 29 && at < 1<<62 {
			d.event(cpu, int64(at), b[:n])
		}
		b = b[n:]
	}
}

// fields reads an event's fields.
type fields struct {
	d *traceDat
	e *datEvent
	b []byte
}

func (f *fields) number(name string) int64 {
	x, ok := f.e.fields[name]
	if !ok || x.at+x.size > len(f.b) {
		if f.d != nil && !ok {
			f.d.r.note(f.e.name+" without a field "+name, name, "missing in %s; it is read as 0", f.e.name)
		}
		return 0
	}
	b := f.b[x.at:]
	switch x.size {
	case 1:
		return int64(b[0])
	case 2:
		return int64(int16(f.d.order.Uint16(b)))
	case 4:
		return int64(int32(f.d.order.Uint32(b)))
	case 8:
		return int64(f.d.order.Uint64(b))
	}
	return 0
}

func (f *fields) name(name string) []byte {
	x, ok := f.e.fields[name]
	if !ok || x.at+x.size > len(f.b) {
		return nil
	}
	b := f.b[x.at : x.at+x.size]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return b
}

func (f *fields) pid(name string) int32 { return int32(max(0, f.number(name))) }

func (f *fields) prio(name string) int16 { return int16(min(max(f.number(name), -1), maxPrio)) }

// event reads an event of scheduling; others are counted only.
func (d *traceDat) event(cpu int, at int64, b []byte) {
	if len(b) < 8 {
		return
	}
	e := d.events[d.order.Uint16(b)]
	if e == nil {
		d.r.count([]byte("(unknown)"))
		return
	}
	r := d.r
	r.count([]byte(e.name))
	f := &fields{d, e, b}
	x := Rec{At: at, CPU: int16(cpu), Thread: None, Other: None, Prio: -1, OtherPrio: -1}
	here := f.pid("common_pid")
	r.seen(cpu, here, []byte(r.known[here]))
	switch e.name {
	case "sched_switch":
		x.Kind = Switch
		state := f.number("prev_state") & (1<<20 - 1)
		if x.State = stateOf(state); d.dead && state&64 != 0 {
			x.State = Dead
		}
		x.Thread, x.Prio = r.th.get(f.pid("prev_pid"), f.name("prev_comm")), f.prio("prev_prio")
		x.Other, x.OtherPrio = r.th.get(f.pid("next_pid"), f.name("next_comm")), f.prio("next_prio")
		r.prio(x.Thread, x.Prio)
		r.prio(x.Other, x.OtherPrio)
		if x.State == Dead {
			r.th.died(x.Thread)
		}
	case "sched_wakeup", "sched_wakeup_new", "sched_waking":
		x.Kind = Wakeup
		switch e.name {
		case "sched_wakeup":
			r.wakes = true
		case "sched_waking":
			x.Kind = Waking
		default:
			x.Kind = WakeupNew
		}
		pid := f.pid("pid")
		if x.Kind == WakeupNew {
			x.Thread = r.th.born(pid, f.name("comm"))
		} else {
			x.Thread = r.th.get(pid, f.name("comm"))
		}
		x.Prio, x.Other = f.prio("prio"), r.th.get(here, nil)
		x.OtherPrio = int16(min(max(f.number("target_cpu"), 0), maxCPU))
		r.prio(x.Thread, x.Prio)
		r.room(int(x.OtherPrio))
		x.Flags = ContextKnown
		const hard, soft = 0x08, 0x10 // TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ
		if f.number("common_flags")&(hard|soft) != 0 {
			x.Flags |= FromInterrupt
		}
	case "sched_migrate_task":
		x.Kind, x.Prio = Migrate, f.prio("prio")
		x.Thread = r.th.get(f.pid("pid"), f.name("comm"))
		x.OtherPrio = int16(min(max(f.number("dest_cpu"), 0), maxCPU))
		r.room(int(x.OtherPrio))
	default:
		return
	}
	if x.Thread == None && x.Kind != Switch {
		return
	}
	r.put(&x)
}
