package record

import (
	"bytes"
	"fmt"
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
	dat  *traceDat
	kept *kept
	most int // bytes of a file that is read when all of it is there

	counts map[string]int   // looked up only
	known  map[int32]string // names of processes that a file tells by themselves; looked up only

	perfMap  schedMap
	cpus     []clockOf // by CPU
	latest   int64     // the latest time
	shift    int64     // added to times since the clock went back
	closed   bool
	accounts bool // sched_stat_runtime is kept
	wakes    bool // there is a sched_wakeup, which tells more than sched_waking
	started  bool
	rest     []byte
}

// form is a format.
type form uint8

const (
	undecided form = iota
	text           // ftrace and perf script, which tell themselves apart line by line
	hist           // perf sched timehist
	columns        // perf sched map
	chrome         // JSON
	dat            // trace.dat
	entire         // what is read when all of it is there
	refused
)

// maxLine is the longest line that is read; further bytes of a line are left out. The
// heads of HTML pages have long ones.
const maxLine = 1 << 16

// maxWhole is the most that is kept of a file that cannot be read piece by piece.
const maxWhole = 256 << 20

// maxCPU is the highest number of a CPU.
const maxCPU = 4095

// NewReader returns a reader that has read nothing.
func NewReader() *Reader {
	r := &Reader{counts: map[string]int{}, known: map[int32]string{}, most: maxWhole}
	r.th.init()
	return r
}

// KeepAccounts says whether sched_stat_runtime is kept, as records of Kind Account. It is
// to be called before Feed.
func (r *Reader) KeepAccounts(yes bool) { r.accounts = yes }

// Records is the number of records so far.
func (r *Reader) Records() int { return r.t.index.n }

// Cut notes that the file ends too early, and why that is known.
func (r *Reader) Cut(why string) { r.note("cut", "", "%s", why) }

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
	if r.kept = newKept(r, p); r.kept != nil {
		r.form = entire
		return r.kept.feed(p)
	}
	if bytes.HasPrefix(p, []byte(datMagic)) {
		r.form, r.dat = dat, newTraceDat(r)
		return r.dat.feed(p)
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
	case dat:
		return r.dat.feed(p)
	case entire:
		return r.kept.feed(p)
	default:
		return r.lines(p)
	}
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
		r.timehistLine(line)
		return nil
	case columns:
		r.schedMapLine(line)
		return nil
	case undecided:
		if timehistHead(line) {
			r.form, r.t.Format = hist, "perf sched timehist"
			return nil
		}
		if _, _, ok := mapLine(line); ok {
			r.form, r.t.Format = columns, "perf sched map"
			r.schedMapLine(line)
			return nil
		}
	default:
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
	if r.dat != nil {
		if err := r.dat.close(); err != nil {
			return nil, err
		}
	}
	if r.kept != nil {
		if err := r.kept.close(); err != nil {
			return nil, err
		}
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
	r.gaps()
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
