package record

import (
	"bytes"
	"strconv"
)

// textLine reads a line of ftrace's or perf's text.
func (r *Reader) textLine(line []byte) {
	if len(line) == 0 {
		return
	}
	if line[0] == '#' || line[0] == 'c' && bytes.HasPrefix(line, []byte("cpus=")) {
		r.heading(line)
		return
	}
	if r.long {
		return // no kernel writes lines as long
	}
	var h head
	switch parseHead(line, &h) {
	case fine:
	case badCPU:
		r.note("a number of a CPU", "CPU", "more than %d; the line is left out", maxCPU)
		return
	case badTime:
		r.note("a time", "time", "want seconds with one to nine decimals, at most 4000000000; the line is left out")
		return
	default:
		r.otherLine(line)
		return
	}
	if r.form == undecided {
		r.form = text
		r.t.Format = "ftrace text"
		if h.perf {
			r.t.Format = "perf script"
		}
	}
	if h.event == nil {
		r.count([]byte("(function)"))
		return
	}
	r.count(h.event)
	r.seen(h.cpu, h.pid, h.name)
	r.event(&h)
}

// heading reads a comment, or trace-cmd's number of CPUs.
func (r *Reader) heading(line []byte) {
	if i := bytes.Index(line, []byte("#P:")); i >= 0 {
		r.cpuCount(digits(line[i+3:]))
	}
	if bytes.HasPrefix(line, []byte("cpus=")) {
		r.cpuCount(digits(line[5:]))
	}
	if said, ok := bytes.CutPrefix(line, []byte("# simulated; prio is ")); ok && r.t.Simulated == "" {
		r.t.Simulated = clean(said)
	}
}

func (r *Reader) cpuCount(b []byte) {
	n, ok := number(b, maxCPU+1)
	if !ok || n == 0 {
		r.note("a number of CPUs", "CPUs", "want 1 to %d; the CPUs that are met are counted instead", maxCPU+1)
		return
	}
	r.t.CPUs = int(n)
}

// digits are those at the beginning.
func digits(b []byte) []byte {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return b[:n]
}

// otherLine is one that has no event. Some say that events were lost: ftrace's
// "CPU:2 [LOST 17 EVENTS]", trace-cmd's "CPU:2 [EVENTS DROPPED]" and the like.
func (r *Reader) otherLine(line []byte) {
	if bytes.Contains(line, []byte("LOST")) || bytes.Contains(line, []byte("DROPPED")) {
		r.lost(line)
		return
	}
	if r.form != text {
		return
	}
	t := trim(line)
	switch {
	case len(t) == 0 || t[0] == '<' || t[0] == '{' || t[0] == '=' || bytes.HasPrefix(t, []byte("version")):
	case bytes.Contains(line, []byte("sched_")):
		r.note("a line of scheduling that cannot be read", "line", "no task, CPU and time before the event; the line is left out: %s", shown(line))
	default:
		r.count([]byte("(no event)"))
	}
}

// shown is the beginning of a line for a message.
func shown(line []byte) string {
	return strconv.Quote(clean(trim(line)))
}

func (r *Reader) lost(line []byte) {
	i := bytes.Index(line, []byte("CPU"))
	if i < 0 {
		if i = bytes.Index(line, []byte("cpu")); i < 0 {
			if bytes.Contains(line, []byte("PERF_RECORD_LOST")) {
				r.note("lost events", "", "events were lost here")
			}
			return
		}
	}
	b := line[i+3:]
	for len(b) > 0 && (b[0] == ':' || b[0] == ' ') {
		b = b[1:]
	}
	cpu, ok := number(digits(b), maxCPU)
	if !ok {
		return
	}
	b = b[len(digits(b)):]
	for len(b) > 0 && !isDigit(b[0]) {
		b = b[1:]
	}
	n, known := number(digits(b), 1<<40)
	if known {
		r.note("lost events", "", "%d events of CPU %d were lost before this", n, cpu)
	} else {
		r.note("lost events", "", "events of CPU %d were lost before this", cpu)
	}
	if r.form == text {
		r.seen(int(cpu), 0, nil)
		r.add(&Rec{At: r.latest - r.shift, Kind: Lost, CPU: int16(cpu), Thread: None, Other: None, Prio: -1, OtherPrio: -1})
	}
}
