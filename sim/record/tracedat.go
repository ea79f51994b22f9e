package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// traceDat reads trace.dat of trace-cmd, version 6: formats of events as text, then pages
// of the kernel's ring buffer, CPU by CPU (trace-cmd.dat.v6(5); the layout of pages and
// events is that of header_page and header_event in the file itself). Version 7 is read
// with it outside of the page; see dat7.
type traceDat struct {
	r      *Reader
	buf    []byte // of the head, or of a page
	at     int64  // where in the file buf begins
	ready  bool   // the head was read
	order  binary.ByteOrder
	long   int // bytes of a long
	page   int // bytes of a page
	events map[uint16]*datEvent
	parts  []datPart
	part   int  // the one that comes next
	dead   bool // a state of 64 is a dead thread's, as before 4.14
}

// datPart is where the pages of a CPU are.
type datPart struct{ from, size int64 }

// datEvent is an event's format: where its fields are.
type datEvent struct {
	name   string
	fields map[string]datField // looked up only
}

type datField struct{ at, size int }

const (
	datMagic = "\x17\x08\x44tracing"
	// maxHead is how long the head may be: names of functions are most of it.
	maxHead = 64 << 20
)

var errDat = errors.New("it is a file of trace-cmd whose head cannot be read; " +
	"`trace-cmd report FILE > trace.txt` makes text of it, which can be read")

func newTraceDat(r *Reader) *traceDat {
	r.t.Format = "trace.dat of trace-cmd"
	return &traceDat{r: r, events: map[uint16]*datEvent{}}
}

func (d *traceDat) feed(p []byte) error {
	d.buf = append(d.buf, p...)
	if !d.ready {
		if len(d.buf) > maxHead {
			return errDat
		}
		n, err := d.head()
		if err != nil || n == 0 {
			return err
		}
		d.drop(n)
		d.ready = true
	}
	for d.part < len(d.parts) {
		p := &d.parts[d.part]
		if skip := p.from - d.at; skip > 0 {
			if skip > int64(len(d.buf)) {
				d.drop(len(d.buf))
				return nil
			}
			d.drop(int(skip))
		}
		if p.size < int64(d.page) {
			d.part++
			continue
		}
		if len(d.buf) < d.page {
			return nil
		}
		d.pages(d.part, d.buf[:d.page])
		d.drop(d.page)
		p.from, p.size = p.from+int64(d.page), p.size-int64(d.page)
	}
	d.drop(len(d.buf))
	return nil
}

// drop forgets the first bytes of the buffer.
func (d *traceDat) drop(n int) {
	d.at += int64(n)
	d.buf = append(d.buf[:0], d.buf[n:]...)
}

// cursor goes through the head; short: it ends too early, and more is to be fed.
type cursor struct {
	b     []byte
	order binary.ByteOrder
	at    int
	short bool
}

func (c *cursor) take(n uint64) []byte {
	if c.short || n > uint64(len(c.b)-c.at) {
		c.short = true
		return nil
	}
	b := c.b[c.at : c.at+int(n)]
	c.at += int(n)
	return b
}

func (c *cursor) u16() uint16 {
	if b := c.take(2); b != nil {
		return c.order.Uint16(b)
	}
	return 0
}

func (c *cursor) u32() uint64 {
	if b := c.take(4); b != nil {
		return uint64(c.order.Uint32(b))
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return c.order.Uint64(b)
	}
	return 0
}

// text is up to a zero.
func (c *cursor) text() string {
	if c.short {
		return ""
	}
	i := bytes.IndexByte(c.b[c.at:], 0)
	if i < 0 {
		c.short = true
		return ""
	}
	s := string(c.b[c.at : c.at+i])
	c.at += i + 1
	return s
}

// head reads the head and gives its length, 0: it is not all there yet.
func (d *traceDat) head() (int, error) {
	c := &cursor{b: d.buf, at: len(datMagic)}
	version := c.text()
	if !c.short && version != "6" {
		return 0, fmt.Errorf("it is a file of trace-cmd of version %s; `trace-cmd convert --file-version 6 -i FILE -o six.dat`, "+
			"or `trace-cmd report FILE > trace.txt`, makes one of it that can be read", clean([]byte(version)))
	}
	sizes := c.take(2)
	if c.short {
		return 0, nil
	}
	d.setOrder(sizes[0] == 1)
	c.order, d.long = d.order, int(sizes[1])
	page := c.u32()
	if !c.short && (d.long != 4 && d.long != 8 || page < 512 || page > 1<<20) {
		return 0, errDat
	}
	d.page = int(page)
	clear(d.events)
	for _, want := range []string{"header_page", "header_event"} {
		if name := c.text(); !c.short && name != want {
			return 0, errDat
		}
		c.take(c.u64())
	}
	for n := c.u32(); n > 0 && !c.short; n-- {
		c.take(c.u64()) // events of the function tracer
	}
	for systems := c.u32(); systems > 0 && !c.short; systems-- {
		c.text()
		for n := c.u32(); n > 0 && !c.short; n-- {
			d.format(c.take(c.u64()))
		}
	}
	c.take(c.u32()) // addresses of functions
	c.take(c.u32()) // formats of trace_printk
	names := c.take(c.u64())
	cpus := c.u32()
	if !c.short && (cpus == 0 || cpus > maxCPU+1) {
		return 0, errDat
	}
	kind := string(c.take(10))
	if kind == "options  \x00" {
		for id := c.u16(); id != 0 && !c.short; id = c.u16() {
			c.take(c.u32())
		}
		kind = string(c.take(10))
	}
	if !c.short && kind != "flyrecord\x00" {
		return 0, errDat
	}
	d.parts = d.parts[:0]
	for n := cpus; n > 0 && !c.short; n-- {
		from, size := c.u64(), c.u64()
		if from > math.MaxInt64/2 || size > math.MaxInt64/2 {
			return 0, errDat
		}
		d.parts = append(d.parts, datPart{int64(from), int64(size)})
	}
	if c.short {
		return 0, nil
	}
	d.r.t.CPUs = int(cpus)
	d.names(names)
	return c.at, nil
}

func (d *traceDat) setOrder(big bool) {
	d.order = binary.LittleEndian
	if big {
		d.order = binary.BigEndian
	}
}

// names reads PID NAME, a line each: the latest that the kernel knew.
func (d *traceDat) names(text []byte) {
	for _, line := range bytes.Split(text, []byte("\n")) {
		pid, name, ok := bytes.Cut(line, []byte(" "))
		if n, isNumber := number(pid, maxPID); ok && isNumber && n > 0 && len(d.r.known) < mostTracks {
			d.r.known[int32(n)] = clean(name)
		}
	}
}

// format reads the text of an event's format.
func (d *traceDat) format(text []byte) {
	e := &datEvent{fields: map[string]datField{}}
	id := int64(-1)
	for _, line := range bytes.Split(text, []byte("\n")) {
		line = trim(line)
		switch {
		case bytes.HasPrefix(line, []byte("name: ")):
			e.name = clean(line[6:])
		case bytes.HasPrefix(line, []byte("ID: ")):
			id, _ = number(trim(line[4:]), math.MaxUint16)
		case bytes.HasPrefix(line, []byte("print fmt:")):
			// Parked threads have had that state since.
			d.dead = d.dead || e.name == "sched_switch" && bytes.Contains(line, []byte(`{ 64, "x" }`))
		default:
			if f, ok := fieldOf(line); ok {
				e.fields[f.name] = datField{f.at, f.size}
			}
		}
	}
	if id >= 0 && e.name != "" {
		d.events[uint16(id)] = e
	}
}

// aField is a line of a format.
type aField struct {
	name     string
	at, size int
}

// fieldOf reads field:TYPE NAME; offset:N; size:N; and more.
func fieldOf(line []byte) (f aField, ok bool) {
	line, ok = bytes.CutPrefix(line, []byte("field:"))
	parts := bytes.Split(line, []byte(";"))
	words := bytes.Fields(parts[0])
	if !ok || len(parts) < 3 || len(words) == 0 {
		return f, false
	}
	name, _, _ := bytes.Cut(words[len(words)-1], []byte("["))
	at, ok1 := number(bytes.TrimPrefix(trim(parts[1]), []byte("offset:")), 1<<16)
	size, ok2 := number(bytes.TrimPrefix(trim(parts[2]), []byte("size:")), 1<<16)
	return aField{string(name), int(at), int(size)}, ok1 && ok2
}

// close ends the file.
func (d *traceDat) close() error {
	if !d.ready {
		return errDat
	}
	if d.part < len(d.parts) && d.parts[d.part].size >= int64(d.page) {
		d.r.note("cut", "", "the file ends within the pages of CPU %d; what came before is read", d.part)
	}
	return nil
}
