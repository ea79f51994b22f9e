package main

import (
	"fmt"

	"strandscope/sim/clock"
)

// Limits of a file. A browser holds all of it before it is saved.
const (
	maxFile   = 256 << 20
	chunkSize = 1 << 20
)

// receiver gets a file in pieces, and hears how far its run has come.
type receiver interface {
	chunk(b []byte) // valid until it returns
	progress(now clock.Time, bytes int)
}

// write writes the file that a request asks for and gives the digest of its run. On an
// error what was sent is to be thrown away.
func write(text []byte, to receiver) (digest string, err error) {
	q, err := readRequest(text)
	if err != nil {
		return "", err
	}
	s, err := q.open()
	if err != nil {
		return "", err
	}
	f := &file{to: to, chunk: make([]byte, 0, chunkSize), most: maxFile}
	if err := q.Format.Write(f, s, q.Until, func(now clock.Time) { to.progress(now, f.size) }); err != nil {
		return "", err
	}
	if err := s.Finish(); err != nil {
		return "", err
	}
	f.flush()
	return fmt.Sprintf("%016x", s.Digest()), nil
}

// file gathers what is written into chunks and refuses what would be too large.
type file struct {
	to         receiver
	chunk      []byte
	size, most int
}

// Write implements io.Writer.
func (f *file) Write(b []byte) (int, error) {
	if f.size+len(b) > f.most {
		return 0, fmt.Errorf("the file would have more than %d MB, the most that the page writes; "+
			"an earlier time gives a smaller one, and the command line has no limit", f.most>>20)
	}
	f.size += len(b)
	for rest := b; len(rest) > 0; {
		n := min(len(rest), cap(f.chunk)-len(f.chunk))
		f.chunk, rest = append(f.chunk, rest[:n]...), rest[n:]
		if len(f.chunk) == cap(f.chunk) {
			f.flush()
		}
	}
	return len(b), nil
}

func (f *file) flush() {
	if len(f.chunk) > 0 {
		f.to.chunk(f.chunk)
	}
	f.chunk = f.chunk[:0]
}
