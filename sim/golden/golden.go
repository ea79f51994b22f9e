// Package golden replays data recorded from kernels' own code and compares
// every row. Each kernel's formats live in a folder of their own; package all
// holds their ordered list.
package golden

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// ErrSkip marks a file whose model is not built yet. It is reported by name and
// never counts as passed.
var ErrSkip = errors.New("not modelled yet")

// Format is a family of recorded files.
type Format interface {
	// Claims reports whether the file of that slash path (without .gz) belongs
	// to the format. head is its beginning.
	Claims(path string, head []byte) bool
	// Verify replays a file. An error is the first difference, or ErrSkip.
	Verify(path string) (rows int, err error)
}

// Result is the outcome for one file.
type Result struct {
	Path string
	Rows int
	Err  error // nil: every row agreed
}

// Skipped reports whether the file was left out.
func (r Result) Skipped() bool { return errors.Is(r.Err, ErrSkip) }

func (r Result) String() string {
	switch {
	case r.Err == nil:
		return fmt.Sprintf("ok    %s (%d rows)", r.Path, r.Rows)
	case r.Skipped():
		return fmt.Sprintf("skip  %s: %v", r.Path, r.Err)
	}
	return fmt.Sprintf("FAIL  %s: %v", r.Path, r.Err)
}

// Verify replays every file below dirs that a format claims, in order of path,
// and reports each to each.
func Verify(dirs []string, formats []Format, each func(Result)) (passed, failed, skipped int, err error) {
	for _, dir := range dirs {
		paths, err := files(dir)
		if err != nil {
			return passed, failed, skipped, err
		}
		for _, p := range paths {
			f, err := claimant(p, formats)
			if err != nil {
				return passed, failed, skipped, err
			}
			if f == nil {
				continue
			}
			r := Result{Path: p}
			r.Rows, r.Err = verify(f, p)
			switch {
			case r.Err == nil:
				passed++
			case r.Skipped():
				skipped++
			default:
				failed++
			}
			each(r)
		}
	}
	return passed, failed, skipped, nil
}

// verify is f.Verify. Figures that no kernel has, such as a nice value of −49, may make
// the model panic: that is a difference like any other, and the next file's turn.
func verify(f Format, path string) (rows int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the model cannot replay it: %v", r)
		}
	}()
	return f.Verify(path)
}

func files(dir string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	sort.Strings(paths)
	return paths, err
}

// claimant finds the format that claims a file; nil when none does.
func claimant(path string, formats []Format) (Format, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	name := strings.TrimSuffix(filepath.ToSlash(path), ".gz")
	for _, format := range formats {
		if format.Claims(name, head[:n]) {
			return format, nil
		}
	}
	return nil, nil
}

// Open opens a recorded file. One that ends in .gz is decompressed, and so is
// path.gz where there is no path.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(path, ".gz") {
		if z, zerr := Open(path + ".gz"); zerr == nil {
			return z, nil
		}
	}
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return unzipped{z, f}, nil
}

// Read reads a recorded file as Open opens it.
func Read(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

type unzipped struct {
	*gzip.Reader
	file *os.File
}

// Close closes the reader and the file.
func (u unzipped) Close() error { return errors.Join(u.Reader.Close(), u.file.Close()) }

// ByHead are ways to read files, told apart by how the first line begins. Of
// several that fit the first counts.
type ByHead[T any] []struct {
	Head string
	Read T
}

// Find is the way to read a file that begins with head.
func (b ByHead[T]) Find(head []byte) (read T, ok bool) {
	for _, x := range b {
		if bytes.HasPrefix(head, []byte(x.Head)) {
			return x.Read, true
		}
	}
	return read, false
}
