//go:build !js

package record

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"strings"
)

// schedViz reads a collection of SchedViz, a tar archive: the text of formats in
// formats/header_page and formats/SYSTEM/EVENT/format as tracefs has them, and the pages
// of the ring buffer of each CPU in traces/cpuN.
type schedViz struct {
	d      *traceDat
	file   []byte
	traces int
}

var (
	errNoCollection = errors.New("it is a tar archive, but no SchedViz collection (want formats/header_page, " +
		"formats/SYSTEM/EVENT/format and traces/cpuN in it); unpack it first")
	errPageFormat = errors.New("it is a SchedViz collection whose formats/header_page cannot be read: " +
		"want a field data that makes a page of 512 bytes to 1 MB")
)

func readSchedViz(r *Reader, b []byte) error {
	s := &schedViz{d: newTraceDat(r), file: b}
	r.t.Format = "SchedViz collection"
	s.d.long = 8
	s.d.setOrder(false)
	if err := s.members(s.formats); err != nil {
		return err
	}
	if s.traces == 0 || len(s.d.events) == 0 {
		return errNoCollection
	}
	if !pageSize(uint64(max(0, s.d.page))) {
		return errPageFormat
	}
	return s.members(s.pages)
}

// members gives each file to do, with its name. What is damaged ends the archive.
func (s *schedViz) members(do func(name string, size int64, in io.Reader) error) error {
	t := tar.NewReader(bytes.NewReader(s.file))
	in := &atMost{t, len(s.file)}
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && h.Typeflag == tar.TypeReg {
			err = do(path.Clean(h.Name), h.Size, in)
		}
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, tar.ErrHeader):
			s.d.r.Cut("the archive is cut or damaged; what came before is read")
			return nil
		case err != nil:
			return err
		}
	}
}

// atMost gives no more than there can be: holes of a sparse file would be without end.
type atMost struct {
	in   io.Reader
	left int
}

func (a *atMost) Read(p []byte) (int, error) {
	n, err := a.in.Read(p)
	if a.left -= n; a.left < 0 {
		return 0, tar.ErrHeader
	}
	return n, err
}

// formats reads the formats and counts the CPUs.
func (s *schedViz) formats(name string, size int64, in io.Reader) error {
	const most = 1 << 20 // of a format
	cpu, isTrace := traceOf(name)
	switch {
	case isTrace:
		s.traces++
		s.d.r.t.CPUs = max(s.d.r.t.CPUs, cpu+1)
		return nil
	case size > most || !strings.HasPrefix(name, "formats/"):
		return nil
	case name != "formats/header_page" && !strings.HasSuffix(name, "/format"):
		return nil
	}
	b, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if name == "formats/header_page" {
		s.d.page = s.d.header(b)
	} else {
		s.d.format(b)
	}
	return nil
}

// traceOf is the CPU whose pages a file has.
func traceOf(name string) (cpu int, ok bool) {
	n, ok := strings.CutPrefix(name, "traces/cpu")
	if !ok {
		return 0, false
	}
	x, ok := number([]byte(n), maxCPU)
	return int(x), ok
}

// pages reads the pages of a CPU.
func (s *schedViz) pages(name string, _ int64, in io.Reader) error {
	cpu, ok := traceOf(name)
	if !ok {
		return nil
	}
	page := make([]byte, s.d.page)
	for first := true; ; first = false {
		_, err := io.ReadFull(in, page)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if first {
			s.d.setOrder(s.isBig(page))
		}
		s.d.pages(cpu, page)
	}
}

// isBig guesses the order of bytes, which no file of a collection says: the other order
// makes a page's length of nearly nothing huge.
func (s *schedViz) isBig(page []byte) bool {
	b := page[8 : 8+s.d.long]
	if s.d.long == 4 {
		return used(uint64(binary.LittleEndian.Uint32(b))) > len(page) && used(uint64(binary.BigEndian.Uint32(b))) <= len(page)
	}
	return used(binary.LittleEndian.Uint64(b)) > len(page) && used(binary.BigEndian.Uint64(b)) <= len(page)
}

// used is how long a page says that it is, without its flags; all there is if the word is
// no length at all.
func used(n uint64) int {
	if n>>32 != 0 {
		return 1 << 32
	}
	return int(n & (1<<30 - 1))
}
