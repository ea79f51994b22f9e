package record

import (
	"math"
	"strconv"
	"strings"

	"strandscope/sim/jsonc"
)

// chromeTracks is what metadata events say about a Chrome trace's tracks.
type chromeTracks struct {
	cpus    map[[2]int64]int    // tracks that are CPUs, by process and thread; looked up only
	names   map[int64]string    // of threads; looked up only
	made    map[string]int32    // pids made for threads that have none; looked up only
	pids    map[int64]int32     // pids made for those that do not fit; looked up only
	next    int32               // of them
	open    map[[2]int64]*slice // begun by B; looked up only
	orphans int64               // slices on tracks that are no CPUs
}

type slice struct {
	begun bool
	rec   Rec
}

// Made pids begin here: no kernel has as many.
const firstMade = 1 << 30

// mostTracks is how many tracks are told apart.
const mostTracks = 1 << 16

func newChromeTracks() chromeTracks {
	return chromeTracks{
		cpus: map[[2]int64]int{}, names: map[int64]string{}, made: map[string]int32{}, pids: map[int64]int32{},
		open: map[[2]int64]*slice{}, next: firstMade,
	}
}

// chromeEvent is what is read of an event.
type chromeEvent struct {
	name, ph, cat string
	pid, tid      int64
	ts, dur       int64 // ns
	hasTS, hasDur bool
	cpu           int64 // −1: none
	args, in, out jsonc.Value
	bad           string // the field that is wrong
}

func readChrome(v jsonc.Value) (e chromeEvent) {
	e.cpu = -1
	ok := true
	for _, m := range v.Members {
		switch m.Name {
		case "name":
			e.name = textOf(m.Value)
		case "ph":
			e.ph = textOf(m.Value)
		case "cat":
			e.cat = textOf(m.Value)
		case "pid":
			e.pid, _ = whole(m.Value)
		case "tid":
			e.tid, _ = whole(m.Value)
		case "cpu":
			e.cpu, ok = whole(m.Value)
		case "ts":
			e.ts, ok = micros(m.Value)
			e.hasTS = ok
		case "dur":
			e.dur, ok = micros(m.Value)
			e.hasDur = ok
		case "args":
			e.args = m.Value
		case "in", "incoming":
			e.in = m.Value
		case "out", "outgoing":
			e.out = m.Value
		}
		if !ok {
			e.bad, ok = m.Name, true
		}
	}
	return e
}

// member is a member of an object.
func member(v jsonc.Value, name string) jsonc.Value {
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return jsonc.Value{}
}

func textOf(v jsonc.Value) string {
	if v.Kind() != '"' || len(v.Raw) > 4096 {
		return ""
	}
	return v.Text()
}

// whole is a whole number, also where it stands in quotes.
func whole(v jsonc.Value) (int64, bool) {
	text := string(v.Raw)
	if v.Kind() == '"' {
		text = textOf(v)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// micros is a time in microseconds, in ns.
func micros(v jsonc.Value) (int64, bool) {
	text := string(v.Raw)
	if v.Kind() == '"' {
		text = textOf(v)
	}
	a, b, _ := strings.Cut(text, ".")
	if n, ok := signed([]byte(a), math.MaxInt64/2000); ok && len(a) < 17 && n >= 0 {
		if len(b) > 3 {
			b = b[:3] // what is less than a nanosecond
		}
		f, okF := number([]byte(b+"000"[len(b):]), 999)
		if okF {
			return n*1000 + f, true
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0) || x > 4e15 {
		return 0, false
	}
	return int64(x * 1000), true
}

// cpuOf reads the name of a track that is a CPU: cpu3, CPU 3, Core 3.
func cpuOf(name string) (int, bool) {
	text := strings.ToLower(name)
	for _, p := range []string{"cpu", "core", "strand"} {
		if rest, ok := strings.CutPrefix(text, p); ok {
			n, ok := number([]byte(strings.TrimLeft(rest, " #:-_")), maxCPU)
			return int(n), ok
		}
	}
	return 0, false
}

// event reads one object.
func (s *jsonScan) event(v jsonc.Value) {
	r, t := s.r, &s.tracks
	e := readChrome(v)
	if e.ph == "" {
		r.count([]byte("(no phase)"))
		return
	}
	r.count([]byte("ph " + e.ph))
	if e.bad != "" {
		r.note("a field "+e.bad, e.bad, "object %d: want a number that is not negative; the object is left out", s.objects)
		return
	}
	track := [2]int64{e.pid, e.tid}
	switch e.ph {
	case "M":
		t.metadata(s.r, &e, track)
	case "X", "B", "E":
		cpu, ok := t.cpus[track]
		if !ok && (e.cat == "sched" || e.cat == "cpu" || e.cat == "scheduler") {
			if n, has := whole(member(e.args, "cpu")); has && n >= 0 && n <= maxCPU {
				cpu, ok = int(n), true
			}
		}
		switch {
		case !ok:
			t.orphans++
		case !e.hasTS || e.ph == "X" && !e.hasDur:
			r.note("a slice without a time", "ts", "object %d: a slice needs ts, and one of phase X dur; it is left out", s.objects)
		default:
			t.slice(r, &e, cpu, track)
		}
	case "k":
		s.fuchsiaSwitch(&e)
	case "w":
		s.fuchsiaWake(&e)
	}
}

func (t *chromeTracks) metadata(r *Reader, e *chromeEvent, track [2]int64) {
	if e.name != "thread_name" || len(t.names) >= mostTracks {
		return
	}
	name := textOf(member(e.args, "name"))
	if cpu, ok := cpuOf(name); ok {
		t.cpus[track] = cpu
		r.seen(cpu, 0, nil)
		return
	}
	t.names[e.tid] = name
	if pid, ok := t.pid(e.tid); ok {
		if i, known := r.th.byPID[pid]; known {
			r.th.name(i, []byte(name))
		}
	}
}

// pid is a thread number as a process id; one is made where it does not fit.
func (t *chromeTracks) pid(tid int64) (int32, bool) {
	if tid > 0 && tid < firstMade {
		return int32(tid), true
	}
	if p, ok := t.pids[tid]; ok {
		return p, true
	}
	if len(t.pids) >= mostTracks {
		return 0, false
	}
	p := t.next
	t.next++
	t.pids[tid] = p
	return p, true
}

// slice is what ran on a CPU for a time. The thread is the pid that its arguments tell,
// else its name.
func (t *chromeTracks) slice(r *Reader, e *chromeEvent, cpu int, track [2]int64) {
	x := Rec{At: e.ts, CPU: int16(cpu), Thread: None, Other: None, Prio: -1, OtherPrio: -1, Kind: In}
	if e.ph == "E" {
		if o := t.open[track]; o != nil && o.begun {
			o.begun = false
			t.both(r, &o.rec, e.ts, Unknown)
		}
		return
	}
	name := e.name
	pid, ok := whole(member(e.args, "tid"))
	if !ok {
		pid, ok = whole(member(e.args, "pid"))
	}
	if ok {
		name = strings.TrimSuffix(name, " "+strconv.FormatInt(pid, 10))
	} else if i := strings.LastIndexAny(name, " -:"); i > 0 {
		var n int64
		if n, ok = number([]byte(name[i+1:]), firstMade-1); ok {
			name, pid = name[:i], n
		}
	}
	if lower := strings.ToLower(name); lower == "idle" || lower == "<idle>" || strings.HasPrefix(lower, "swapper") || ok && pid == 0 {
		return
	}
	id, fits := int32(0), true
	if ok {
		id, fits = t.pid(pid)
	} else {
		if id, ok = t.made[name]; !ok {
			id = t.next
			if fits = len(t.made) < mostTracks; fits {
				t.next++
				t.made[name] = id
			}
		}
	}
	if !fits {
		r.note("too many threads", "name", "more than %d threads; further ones are left out", mostTracks)
		return
	}
	x.Thread = r.th.get(id, []byte(name))
	if e.ph == "X" {
		t.both(r, &x, e.ts+e.dur, leftAs(textOf(member(e.args, "left"))))
		return
	}
	o := t.open[track]
	if o == nil {
		if len(t.open) >= mostTracks {
			return
		}
		o = &slice{}
		t.open[track] = o
	}
	if o.begun {
		r.note("slices within each other", "ph", "a slice begins on CPU %d before the one there has ended; that one is left out", cpu)
	}
	o.begun, o.rec = true, x
}

func leftAs(text string) State {
	switch text {
	case "blocked":
		return Sleeping
	case "exited":
		return Dead
	case "preempted", "moved":
		return Preempted
	case "yielded", "gave way":
		return Runnable
	}
	return Unknown
}

func (t *chromeTracks) both(r *Reader, x *Rec, end int64, how State) {
	r.put(x)
	x.Kind, x.At, x.State = Out, end, how
	r.put(x)
}

// end tells what was left out.
func (t *chromeTracks) end(r *Reader) {
	if t.orphans > 0 && r.index().n > 0 {
		r.t.Notes.add("slices of other tracks", Note{
			Field: "tid",
			Text:  strconv.FormatInt(t.orphans, 10) + " slices are on tracks that are no CPUs; they are left out",
		})
	}
}

// fuchsiaSwitch reads a context switch as Fuchsia's tools write it.
func (s *jsonScan) fuchsiaSwitch(e *chromeEvent) {
	x, ok := s.onCPU(e)
	if !ok {
		return
	}
	x.Kind = Switch
	if x.Thread, x.Prio, ok = s.party(e.out, "out"); !ok {
		return
	}
	if x.Other, x.OtherPrio, ok = s.party(e.in, "in"); !ok {
		return
	}
	x.State = Unknown
	if n, has := whole(member(e.out, "state")); has {
		x.State = [...]State{Runnable, Runnable, Sleeping, Sleeping, Dead, Dead}[max(0, min(n, 5))]
	}
	s.r.put(&x)
}

func (s *jsonScan) fuchsiaWake(e *chromeEvent) {
	x, ok := s.onCPU(e)
	if !ok {
		return
	}
	x.Kind, x.OtherPrio = Wakeup, int16(e.cpu)
	pid, ok := s.tracks.pid(e.tid)
	if !ok || e.tid == 0 {
		return
	}
	x.Thread = s.thread(pid, e.tid)
	s.r.put(&x)
}

func (s *jsonScan) onCPU(e *chromeEvent) (Rec, bool) {
	if !e.hasTS || e.cpu < 0 || e.cpu > maxCPU {
		s.r.note("a switch without a CPU", "cpu", "object %d: a switch needs ts, and cpu from 0 to %d; it is left out", s.objects, maxCPU)
		return Rec{}, false
	}
	s.r.seen(int(e.cpu), 0, nil)
	return Rec{At: e.ts, CPU: int16(e.cpu), Thread: None, Other: None, Prio: -1, OtherPrio: -1}, true
}

// party is one of the threads of a switch; process 0 is the idle loop.
func (s *jsonScan) party(v jsonc.Value, field string) (int32, int16, bool) {
	tid, ok := whole(member(v, "tid"))
	if !ok {
		s.r.note("a switch without a thread", field, "object %d: no tid; it is left out", s.objects)
		return None, -1, false
	}
	process, _ := whole(member(v, "pid"))
	prio, has := whole(member(v, "prio"))
	if !has || prio < 0 || prio > maxPrio {
		prio = -1
	}
	if process == 0 || tid == 0 {
		return None, int16(prio), true
	}
	pid, ok := s.tracks.pid(tid)
	return s.thread(pid, tid), int16(prio), ok
}

func (s *jsonScan) thread(pid int32, tid int64) int32 {
	name := s.tracks.names[tid]
	if name == "" {
		return s.r.th.get(pid, nil)
	}
	return s.r.th.get(pid, []byte(name))
}
