package record

import "bytes"

// perf sched map has a line for each time that a CPU turned to another thread: a column
// for each CPU with two letters for its thread, a star before the one that changed, the
// time, and, when letters are new, what they stand for:
//
//	*A0   .           8.525302 secs A0 => migration/0:16
//
// How threads left is not said, and no wake-ups are.
type schedMap struct {
	letters map[string]int32 // threads; looked up only
	on      []int32          // who is on each CPU
}

// mapColumn is how wide the column of a CPU is: a star or none, two letters, a blank.
const mapColumn = 4

// mapLine tells such a line, and where its time begins and ends.
func mapLine(line []byte) (from, to int, ok bool) {
	to = bytes.Index(line, []byte(" secs"))
	if to < 0 || bytes.IndexByte(line, '*') < 0 {
		return 0, 0, false
	}
	from = bytes.LastIndexByte(line[:to], ' ') + 1
	_, ok = seconds(line[from:to])
	return from, to, ok
}

func (r *Reader) schedMapLine(line []byte) {
	from, to, ok := mapLine(line)
	if !ok {
		if len(trim(line)) > 0 {
			r.note("a line that cannot be read", "time", "want columns of CPUs, a time and secs, not %s; the line is left out", shown(line))
		}
		return
	}
	r.count([]byte("map"))
	at, _ := seconds(line[from:to])
	m := &r.perfMap
	if m.letters == nil {
		m.letters = map[string]int32{}
	}
	if text := trim(line[to+len(" secs"):]); len(text) > 0 {
		m.stands(r, text)
	}
	for p := bytes.IndexByte(line[:from], '*'); p >= 0 && p < from; {
		cpu := max(0, p-2) / mapColumn
		if cpu > maxCPU {
			return
		}
		m.turns(r, cpu, line[p+1:min(p+3, from)], at)
		next := bytes.IndexByte(line[p+1:from], '*')
		if next < 0 {
			return
		}
		p += 1 + next
	}
}

// stands reads LETTERS => NAME:PID.
func (m *schedMap) stands(r *Reader, text []byte) {
	i := bytes.Index(text, []byte(" => "))
	c := bytes.LastIndexByte(text, ':')
	if i < 0 || c < i+4 {
		return
	}
	pid, ok := number(text[c+1:], maxPID)
	if !ok || len(m.letters) >= mostTracks {
		r.note("a thread", "pid", "want LETTERS => NAME:PID, not %s", shown(text))
		return
	}
	m.letters[string(trim(text[:i]))] = r.th.get(int32(pid), text[i+4:c])
}

// turns lets a CPU turn to the thread of some letters.
func (m *schedMap) turns(r *Reader, cpu int, letters []byte, at int64) {
	for cpu >= len(m.on) {
		m.on = append(m.on, None)
	}
	next, known := m.letters[string(trim(letters))]
	if !known {
		next = None
		if s := trim(letters); len(s) > 0 && s[0] != '.' && s[0] != '-' {
			r.note("letters", "thread", "%s stand for no thread that was named; read as idle", shown(s))
		}
	}
	x := Rec{At: at, CPU: int16(cpu), Thread: m.on[cpu], Other: None, Prio: -1, OtherPrio: -1, Kind: Out}
	if x.Thread != None {
		r.put(&x)
	}
	m.on[cpu] = next
	if x.Thread = next; next != None {
		x.Kind = In
		r.put(&x)
	}
	r.room(cpu)
}
