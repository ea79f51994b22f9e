package record

import "bytes"

// perf sched timehist has a line for each time that a thread left a CPU: when, on which
// CPU, how long it had waited since it was woken, and how long it ran.

// timehistHead tells the heading, of which each line but the last is about columns.
func timehistHead(line []byte) bool {
	f := bytes.Fields(line)
	return len(f) >= 6 && string(f[0]) == "time" && string(f[1]) == "cpu" && bytes.Contains(line, []byte("sch delay"))
}

// timehistLine reads TIME [CPU] NAME[TID/PID] WAIT DELAY RUN, times in milliseconds but the
// first. How it left is not said.
func (r *Reader) timehistLine(line []byte) {
	f := bytes.Fields(line)
	if len(f) < 6 || !isDigit(f[0][0]) {
		return // the rest of the heading
	}
	o := bytes.IndexByte(line, '[')
	c := bytes.IndexByte(line, ']')
	at, ok := seconds(f[0])
	if !ok || o < 0 || c < o {
		r.note("a line that cannot be read", "time", "want TIME [CPU] NAME[PID] and three times, not %s; the line is left out", shown(line))
		return
	}
	cpu, ok := number(line[o+1:c], maxCPU)
	if !ok {
		r.note("a number of a CPU", "cpu", "want 0 to %d, not %s; the line is left out", maxCPU, shown(line[o:c+1]))
		return
	}
	r.count([]byte("timehist"))
	n := len(f)
	run, ok1 := millis(f[n-1])
	delay, ok2 := millis(f[n-2])
	_, ok3 := millis(f[n-3])
	rest := line[c+1:]
	var name []byte
	var pid int64
	if e := bytes.LastIndexByte(rest, ']'); e >= 0 {
		if b := bytes.LastIndexByte(rest[:e], '['); b >= 0 {
			name = trim(rest[:b])
			pid, _ = number(digits(rest[b+1:e]), maxPID)
		}
	}
	if !ok1 || !ok2 || !ok3 {
		r.note("a line that cannot be read", "run time", "want three times in milliseconds at its end, not %s; the line is left out", shown(line))
		return
	}
	r.seen(int(cpu), 0, nil)
	if name == nil || pid == 0 {
		return // the idle loop
	}
	th := r.th.get(int32(pid), name)
	from := max(0, at-run)
	slice := Rec{At: from, CPU: int16(cpu), Thread: th, Other: None, Prio: -1, OtherPrio: -1, Kind: In}
	if delay > 0 {
		woke := slice
		woke.Kind, woke.At, woke.OtherPrio = Wakeup, max(0, from-delay), int16(cpu)
		r.put(&woke)
	}
	r.put(&slice)
	slice.Kind, slice.At, slice.State = Out, at, Unknown
	r.put(&slice)
}

// put adds a record that may be older than those before it.
func (r *Reader) put(x *Rec) {
	r.room(int(x.CPU))
	x.Line = uint32(min(r.t.Lines, 1<<32-1))
	if !r.index().add(x) {
		r.note("too many records", "", "more than %d records of scheduling; the rest is left out", MaxRecords)
	}
	r.latest = max(r.latest, x.At)
}

// millis reads milliseconds with up to six decimals as nanoseconds.
func millis(b []byte) (int64, bool) {
	dot := bytes.IndexByte(b, '.')
	if dot < 1 {
		return 0, false
	}
	whole, ok1 := number(b[:dot], 4_000_000_000)
	frac := b[dot+1:]
	if len(frac) == 0 || len(frac) > 6 {
		return 0, false
	}
	part, ok2 := number(frac, 999_999)
	for range 6 - len(frac) {
		part *= 10
	}
	return whole*1_000_000 + part, ok1 && ok2
}
