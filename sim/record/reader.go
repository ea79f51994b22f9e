package record

import (
	"bytes"
	"fmt"
	"math"
)

// Reader reads a recording piece by piece. It is not safe for concurrent use.
type Reader struct {
	t    Trace
	th   threads
	line []byte // a line of which the end is still to come
	long bool   // it was too long, and the rest of it is left out
	form form
	try  int // lines that were looked at for the format
	json *jsonScan

	counts map[string]int // looked up only
	hist   timehist

	cpus    []clockOf // by CPU
	latest  int64     // the latest time
	shift   int64     // added to times since the clock went back
	closed  bool
	wakes   bool // there is a sched_wakeup, which tells more than sched_waking
	started bool
	rest    []byte
}

// clockOf is what a CPU's clock has shown.
type clockOf struct {
	last int64
	seen bool
}

// form is a format.
type form uint8

const (
	undecided form = iota
	text           // ftrace and perf script, which tell themselves apart line by line
	hist           // perf sched timehist
	chrome         // JSON
	refused
)

// maxLine is the longest line that is read; further bytes of a line are left out. The
// heads of HTML pages have long ones.
const maxLine = 1 << 16

// maxCPU is the highest number of a CPU.
const maxCPU = 4095

// NewReader returns a reader that has read nothing.
func NewReader() *Reader {
	r := &Reader{counts: map[string]int{}}
	r.th.init()
	return r
}

// Feed reads a piece of the file. The reader keeps nothing of p. An error says that this
// is no recording that can be read here; what follows need not be fed.
func (r *Reader) Feed(p []byte) error {
	r.t.Bytes += int64(len(p))
	if !r.started {
		// What it is shows in its first bytes.
		r.rest = append(r.rest, p...)
		if len(r.rest) < 512 {
			return nil
		}
		return r.begin()
	}
	return r.piece(p)
}

// begin finds out what the file is.
func (r *Reader) begin() error {
	p := r.rest
	r.rest, r.started = nil, true
	if len(p) == 0 {
		return nil
	}
	if err := magic(p); err != nil {
		r.form = refused
		return err
	}
	if i := firstVisible(p); i < len(p) && (p[i] == '{' || p[i] == '[') && jsonBegins(p[i:]) {
		r.form, r.t.Format = chrome, "Chrome trace JSON"
		r.json = newJSONScan(r)
	}
	return r.piece(p)
}

func (r *Reader) piece(p []byte) error {
	switch r.form {
	case refused:
		return errRefused
	case chrome:
		return r.json.feed(p)
	}
	return r.lines(p)
}

func firstVisible(p []byte) int {
	i := 0
	if bytes.HasPrefix(p, []byte("\xef\xbb\xbf")) {
		i = 3
	}
	for i < len(p) && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t') {
		i++
	}
	return i
}

// jsonBegins tells JSON from a line of text that begins with a bracket, as names may.
func jsonBegins(p []byte) bool {
	i := 1 + firstVisible(p[1:])
	return i == len(p) || p[i] == '"' || p[i] == '{' || p[i] == '[' || p[i] == '}' || p[i] == ']'
}

// lines cuts a piece into lines.
func (r *Reader) lines(p []byte) error {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		part := p
		if i >= 0 {
			part = p[:i]
		}
		if len(r.line)+len(part) > maxLine {
			part = part[:max(0, maxLine-len(r.line))]
			r.long = true
		}
		if i < 0 {
			r.line = append(r.line, part...)
			return nil
		}
		one := part
		if len(r.line) > 0 {
			r.line = append(r.line, part...)
			one = r.line
		}
		if err := r.take(one); err != nil {
			return err
		}
		r.line, r.long = r.line[:0], false
		p = p[i+1:]
	}
	return nil
}

// take reads a line.
func (r *Reader) take(line []byte) error {
	r.t.Lines++
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	switch r.form {
	case hist:
		r.hist.line(r, line)
		return nil
	case undecided:
		if timehistHead(line) {
			r.form, r.t.Format = hist, "perf sched timehist"
			return nil
		}
	}
	r.textLine(line)
	if r.form == undecided && r.try > 200_000 && r.index().n == 0 {
		r.form = refused
		return errRefused
	}
	r.try++
	return nil
}

func (r *Reader) index() *index { return &r.t.index }

// Close ends the file and gives what was read. An error says that nothing of it is a
// recording.
func (r *Reader) Close() (*Trace, error) {
	if r.closed {
		return nil, errClosed
	}
	r.closed = true
	if !r.started {
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	if r.form == refused {
		return nil, errRefused
	}
	if len(r.line) > 0 && r.form != chrome {
		if err := r.take(r.line); err != nil {
			return nil, err
		}
	}
	if r.json != nil {
		r.json.close()
	}
	t := &r.t
	if t.index.n == 0 {
		return nil, r.nothing()
	}
	if r.wakes {
		t.index.drop(Waking) // those before the first sched_wakeup
	}
	t.index.order()
	t.Base = t.index.at(0).At
	for i := range t.index.n {
		t.index.at(i).At -= t.Base
	}
	for i := range r.th.list {
		if x := &r.th.list[i]; x.VirtualKnown {
			x.VirtualAt -= t.Base
		}
	}
	t.Threads = r.th.list
	for i := range t.Threads {
		if x := &t.Threads[i]; x.Name == "" {
			x.Name = "<...>" // as the kernel writes where it does not know
		}
	}
	r.runners()
	r.left()
	return t, nil
}

// nothing says what was found instead of scheduling.
func (r *Reader) nothing() error {
	switch {
	case r.t.Bytes == 0:
		return errEmpty
	case len(r.t.Events) == 0:
		return errRefused
	}
	text := ""
	for i, c := range r.t.Events {
		if i == 5 {
			text += ", …"
			break
		}
		if i > 0 {
			text += ", "
		}
		text += c.Name
	}
	return fmt.Errorf("no scheduling in it: it has %s, and no sched_switch or sched_wakeup", text)
}

// runners finds who ran on each CPU at first: the first switch knows better than the
// heads of lines.
func (r *Reader) runners() {
	t := &r.t
	t.CPUs = max(t.CPUs, len(t.Runner), 1)
	for len(t.Runner) < t.CPUs {
		t.Runner = append(t.Runner, Nobody)
	}
	known := make([]bool, t.CPUs)
	left := t.CPUs
	for i := 0; i < t.index.n && left > 0; i++ {
		x := t.index.at(i)
		if x.Kind != Switch && x.Kind != In && x.Kind != Out || known[x.CPU] {
			continue
		}
		known[x.CPU] = true
		left--
		t.Runner[x.CPU] = x.Thread
		if x.Kind == In {
			t.Runner[x.CPU] = None
		}
	}
}

// left finds how threads left whose slices do not say it: who came again without being
// woken could go on. Without any wake-ups nothing can be told, and they sleep.
func (r *Reader) left() {
	x := &r.t.index
	out := make([]int32, len(r.t.Threads)) // one more than the last one's index
	wakes, unknown := false, false
	for i := range x.n {
		wakes = wakes || x.at(i).Kind == Wakeup || x.at(i).Kind == Waking
		unknown = unknown || x.at(i).Kind == Out && x.at(i).State == Unknown
	}
	if !unknown {
		return
	}
	if !wakes {
		r.t.Notes.add("how threads left", Note{Text: "how threads left their CPUs is not said, nor when they were woken; they are taken to have slept"})
		return
	}
	for i := range x.n {
		switch a := x.at(i); {
		case a.Thread == None:
		case a.Kind == Out && a.State == Unknown:
			out[a.Thread] = int32(i + 1)
		case a.Kind == In:
			if o := out[a.Thread]; o > 0 {
				x.at(int(o - 1)).State = Preempted
			}
			out[a.Thread] = 0
		case a.Kind == Wakeup || a.Kind == Waking:
			out[a.Thread] = 0
		}
	}
}

// note tells what is amiss in the present line.
func (r *Reader) note(sort, field, format string, args ...any) {
	r.t.Notes.add(sort, Note{Line: r.t.Lines, Field: field, Text: fmt.Sprintf(format, args...)})
}

// count counts an event.
func (r *Reader) count(name []byte) {
	const most = 512
	i, ok := r.counts[string(name)]
	if !ok {
		text := clean(name)
		if len(r.t.Events) == most {
			text = "others"
		}
		if i, ok = r.counts[text]; !ok {
			i = len(r.t.Events)
			r.t.Events = append(r.t.Events, Count{Name: text})
			r.counts[text] = i
		}
	}
	r.t.Events[i].N++
}

// add puts a record into the index. Its time is as the file has it.
func (r *Reader) add(x *Rec) {
	if r.th.full {
		r.th.full = false
		r.note("too many threads", "pid", "more than %d threads; further ones are left out", maxThreads)
		return
	}
	c := r.cpu(int(x.CPU))
	x.At += r.shift
	if c.seen && x.At < c.last {
		back := c.last - x.At
		switch {
		case back <= 1_000_000:
			r.note("the clock of a CPU goes back by less than a millisecond", "time", "%d ns before the line above of CPU %d; read as the same time", back, x.CPU)
			x.At = c.last
		default:
			r.note("the clock goes back", "time", "the clock of CPU %d goes back by %d.%03d ms; what follows is read as if it went on without a gap",
				x.CPU, back/1_000_000, back/1000%1000)
			r.shift += r.latest - x.At
			x.At = r.latest
		}
	}
	if r.index().n > 0 && x.At > r.latest && x.At-r.latest > 3600_000_000_000 {
		r.note("the clock jumps forward", "time", "the clock jumps forward by %d s; the time in between is empty", (x.At-r.latest)/1_000_000_000)
	}
	c.last, c.seen = x.At, true
	r.latest = max(r.latest, x.At)
	x.Line = uint32(min(r.t.Lines, math.MaxUint32))
	if !r.index().add(x) {
		r.note("too many records", "", "more than %d records of scheduling; the rest is left out", MaxRecords)
	}
}

func (r *Reader) cpu(n int) *clockOf {
	for n >= len(r.cpus) {
		r.cpus = append(r.cpus, clockOf{})
	}
	return &r.cpus[n]
}

// seen notes who ran on a CPU at the first line about it. The name before the pid is the
// latest one that the kernel knew, not the one of then, so it counts only where no other
// is recorded.
func (r *Reader) seen(cpu int, pid int32, name []byte) {
	t := &r.t
	for cpu >= len(t.Runner) {
		t.Runner = append(t.Runner, Nobody)
	}
	if t.Runner[cpu] == Nobody {
		t.Runner[cpu] = r.th.get(pid, nil)
	}
	if i, ok := r.th.byPID[pid]; ok && r.th.list[i].Name == "" && len(name) > 0 && name[0] != '<' {
		r.th.list[i].Name = clean(name)
	}
}
