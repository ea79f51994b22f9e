//go:build !js

package record

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// dat7 reads trace.dat of trace-cmd, version 7: options say where sections are, which may
// be compressed, and where the pages of each CPU are (trace-cmd.dat.v7(5)).
type dat7 struct {
	d      *traceDat
	file   []byte
	how    string // the name of the compression
	unpack unpacker
	// left is how many bytes may still be unpacked: sizes in the file are not trusted.
	left    int64
	at      map[uint16]uint64 // sections by id; looked up only
	buffers []datBuffer
	cpus    int
}

// datBuffer is a buffer of the kernel: name is "" for its main one.
type datBuffer struct {
	name  string
	at    uint64
	page  int
	parts []datPart7
}

type datPart7 struct {
	cpu        int
	from, size uint64
}

// The ids of sections, and of the options that say where they are.
const (
	datDone     = 0
	datBufferID = 3
	datCPUs     = 8
	datHeader   = 16
	datFormats  = 18
	datNames    = 21
)

const (
	// unpacked is how many times what may be kept of a file it may come to.
	unpacked = 4
	// mostChunk is how much a compressed part of a file may come to.
	mostChunk = 64 << 20
	// mostBuffers and mostOptions bound what a file lists.
	mostBuffers = 256
	mostOptions = 1 << 16
)

// noSection says what is amiss.
func noSection(what string, at uint64) error {
	return fmt.Errorf("it is a file of trace-cmd of version 7 that is cut or damaged: its %s at byte %d cannot be read", what, at)
}

// readSeven reads a file of version 7.
func readSeven(r *Reader, b []byte) error {
	s := &dat7{d: newTraceDat(r), file: b, left: unpacked * int64(r.most), at: map[uint16]uint64{}}
	c := &cursor{b: b, at: len(datMagic)}
	c.text()
	first, err := s.begin(c)
	if err != nil {
		return err
	}
	if err := s.options(first); err != nil {
		return err
	}
	if err := s.sections(); err != nil {
		return err
	}
	return s.pages()
}

// begin reads what stands before all sections and gives where the first options are.
func (s *dat7) begin(c *cursor) (uint64, error) {
	sizes := c.take(2)
	if c.short {
		return 0, noSection("head", 0)
	}
	s.d.setOrder(sizes[0] == 1)
	c.order, s.d.long = s.d.order, int(sizes[1])
	page := c.u32()
	s.how = c.text()
	c.text() // its version
	first := c.u64()
	if c.short || s.d.long != 4 && s.d.long != 8 || !pageSize(page) {
		return 0, noSection("head", 0)
	}
	s.d.page = int(page)
	if s.how != "none" {
		if s.unpack = unpackerOf(s.how); s.unpack == nil {
			return 0, fmt.Errorf("it is a file of trace-cmd that is compressed with %q (want zstd, zlib or none); "+
				"`trace-cmd convert --file-version 6 -i FILE -o six.dat` makes one of it that can be read", clean([]byte(s.how)))
		}
	}
	return first, nil
}

func pageSize(n uint64) bool { return n >= 512 && n <= 1<<20 }

// header reads the head of a section: whether it is compressed, and what is in it.
func (s *dat7) header(at uint64, id uint16) (packed bool, c *cursor, ok bool) {
	if at == 0 || at > uint64(len(s.file)) {
		return false, nil, false
	}
	c = &cursor{b: s.file, order: s.d.order, at: int(at)}
	got, flags := c.u16(), c.u16()
	c.u32() // its description
	size := c.u64()
	if c.short || got != id {
		return false, nil, false
	}
	return flags&1 != 0, &cursor{b: s.file[c.at:min(uint64(len(s.file)), uint64(c.at)+min(size, math.MaxInt32))], order: s.d.order}, true
}

// section gives what is in a section, unpacked.
func (s *dat7) section(at uint64, id uint16, what string) (*cursor, error) {
	packed, c, ok := s.header(at, id)
	if !ok {
		return nil, noSection(what, at)
	}
	if !packed {
		return c, nil
	}
	b, err := s.chunk(c)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return nil, noSection(what, at)
	}
	return &cursor{b: b, order: s.d.order}, nil
}

// chunk unpacks the next compressed part: two lengths and data. nil: it cannot be.
func (s *dat7) chunk(c *cursor) ([]byte, error) {
	packed, size := c.u32(), c.u32()
	b := c.take(packed)
	if c.short || size > mostChunk || s.unpack == nil {
		return nil, nil
	}
	if s.left -= int64(size); s.left < 0 {
		return nil, fmt.Errorf("it is a file of trace-cmd of version 7 that has more than %d MB when it is unpacked; "+
			"`trace-cmd convert --file-version 6 -i FILE -o six.dat` makes one of it that is read piece by piece", unpacked*s.d.r.most>>20)
	}
	out, err := s.unpack(b, int(size))
	if err != nil || len(out) != int(size) {
		return nil, nil //nolint:nilerr // the caller says what is damaged
	}
	return out, nil
}

// options follows the chain of options.
func (s *dat7) options(at uint64) error {
	for n := 0; at != 0; {
		c, err := s.section(at, datDone, "options")
		if err != nil {
			return err
		}
		here := at
		for at = 0; c.at < len(c.b); {
			id, size := c.u16(), c.u32()
			o := &cursor{b: c.take(size), order: s.d.order}
			if n++; c.short || n > mostOptions {
				return noSection("options", here)
			}
			if id == datDone {
				if size >= 8 {
					at = o.u64()
				}
				break
			}
			if !s.option(id, o) {
				return noSection("options", here)
			}
		}
	}
	return nil
}

// option reads an option; false: it is damaged.
func (s *dat7) option(id uint16, o *cursor) bool {
	switch id {
	case datHeader, datFormats, datNames:
		s.at[id] = o.u64()
	case datCPUs:
		n := o.u32()
		s.cpus = int(n)
		return !o.short && n <= maxCPU+1
	case datBufferID:
		b := datBuffer{at: o.u64(), name: o.text()}
		o.text() // its clock
		page, cpus := o.u32(), o.u32()
		if o.short || !pageSize(page) || cpus > maxCPU+1 || len(s.buffers) == mostBuffers {
			return false
		}
		b.page = int(page)
		for range cpus {
			p := datPart7{cpu: int(o.u32()), from: o.u64(), size: o.u64()}
			if o.short || p.cpu > maxCPU || p.from > math.MaxInt64/2 || p.size > math.MaxInt64/2 {
				return false
			}
			b.parts = append(b.parts, p)
		}
		s.buffers = append(s.buffers, b)
	}
	return !o.short
}

// sections reads formats of events and names of processes.
func (s *dat7) sections() error {
	if at, ok := s.at[datHeader]; ok {
		c, err := s.section(at, datHeader, "header_page")
		if err != nil {
			return err
		}
		c.text()
		s.d.header(c.take(c.u64()))
	}
	c, err := s.section(s.at[datFormats], datFormats, "formats of events")
	if err != nil {
		return err
	}
	for systems := c.u32(); systems > 0 && !c.short; systems-- {
		c.text()
		for n := c.u32(); n > 0 && !c.short; n-- {
			s.d.format(c.take(c.u64()))
		}
	}
	if c.short {
		return noSection("formats of events", s.at[datFormats])
	}
	if at, ok := s.at[datNames]; ok {
		if c, err = s.section(at, datNames, "names of processes"); err != nil {
			return err
		}
		s.d.names(c.take(c.u64()))
	}
	return nil
}

// pages reads the pages of a buffer: the main one, or the first that has any.
func (s *dat7) pages() error {
	if len(s.buffers) == 0 {
		return noSection("list of buffers", 0)
	}
	sort.SliceStable(s.buffers, func(i, j int) bool { return s.buffers[i].rank() < s.buffers[j].rank() })
	b := s.buffers[0]
	for _, x := range s.buffers[1:] {
		if x.rank() < 2 {
			s.d.r.note("buffer", "", "it has a further buffer %q, which is left out", clean([]byte(x.name)))
		}
	}
	packed, _, ok := s.header(b.at, datBufferID)
	if !ok {
		return noSection("pages", b.at)
	}
	if b.overlaps() {
		return noSection("list of buffers", b.at)
	}
	s.d.page = b.page
	s.d.r.t.CPUs = s.cpus
	for _, p := range b.parts {
		s.d.r.t.CPUs = max(s.d.r.t.CPUs, p.cpu+1)
	}
	for _, p := range b.parts {
		if err := s.part(p, packed); err != nil {
			return err
		}
	}
	return nil
}

// rank says which buffer is read: the main one that has pages, others that have, the rest.
func (b *datBuffer) rank() int {
	for _, p := range b.parts {
		if p.size > 0 {
			return min(1, len(b.name))
		}
	}
	return 2
}

// overlaps reports whether pages are of two CPUs.
func (b *datBuffer) overlaps() bool {
	list := slices.Clone(b.parts)
	sort.Slice(list, func(i, j int) bool { return list[i].from < list[j].from })
	end := uint64(0)
	for _, p := range list {
		if p.size > 0 && p.from < end {
			return true
		}
		end = max(end, p.from+p.size)
	}
	return false
}

// part reads the pages of a CPU.
func (s *dat7) part(p datPart7, packed bool) error {
	d, size := s.d, uint64(len(s.file))
	c := &cursor{b: s.file[min(p.from, size):], order: d.order}
	missing := uint64(len(c.b)) < p.size
	switch {
	case !packed:
		d.run(p.cpu, c.b[:min(p.size, uint64(len(c.b)))])
	case p.size > 0:
		n := c.u32() // of chunks; the size is theirs
		c.b = c.b[:min(uint64(len(c.b)), uint64(c.at)+p.size)]
		for rest := []byte(nil); n > 0 && !c.short; n-- {
			b, err := s.chunk(c)
			if err != nil {
				return err
			}
			if b == nil && !c.short {
				d.r.note("damaged", "", "the compressed pages of CPU %d are damaged; what came before is read", p.cpu)
				return nil
			}
			rest = append(rest, b...)
			rest = append(rest[:0], d.run(p.cpu, rest)...)
		}
	}
	if c.short || missing {
		d.r.note("cut", "", "the file ends within the pages of CPU %d; what came before is read", p.cpu)
	}
	return nil
}

// run reads whole pages and gives the rest.
func (d *traceDat) run(cpu int, b []byte) []byte {
	for len(b) >= d.page {
		d.pages(cpu, b[:d.page])
		b = b[d.page:]
	}
	return b
}

// header reads the text of header_page: how long the word is that says how much of a page
// is used.
func (d *traceDat) header(text []byte) (page int) {
	for line := range strings.SplitSeq(string(text), "\n") {
		f, ok := fieldOf(trim([]byte(line)))
		switch {
		case !ok:
		case f.name == "commit" && (f.size == 4 || f.size == 8):
			d.long = f.size
		case f.name == "data":
			page = f.at + f.size
		}
	}
	return page
}
