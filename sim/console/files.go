package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The machine has files only as far as commands need them: what the kernel makes
// up (System.Read) and those that were written, which are kept by path and
// survive a reboot unless they are below /tmp.

type file struct {
	path, text string
}

type files struct{ all []*file }

// maxFiles bounds how many files there may be.
const maxFiles = 100

func (f *files) find(path string) *file {
	i := slices.IndexFunc(f.all, func(x *file) bool { return x.path == path })
	if i < 0 {
		return nil
	}
	return f.all[i]
}

// open returns a file to write to, empty unless it is to be appended to.
func (f *files) open(path string, add bool) (*file, error) {
	if path == "" || strings.HasSuffix(path, "/") {
		return nil, errors.New("Is a directory") //nolint:revive,staticcheck // what the kernel says
	}
	x := f.find(path)
	if x == nil {
		if len(f.all) >= maxFiles {
			return nil, fmt.Errorf("No space left on device: %d files", maxFiles) //nolint:revive,staticcheck // as above
		}
		x = &file{path: path}
		f.all = append(f.all, x)
	}
	if !add {
		x.text = ""
	}
	return x, nil
}

func (f *files) write(path, text string) error {
	x, err := f.open(path, false)
	if err == nil {
		x.text = text
	}
	return err
}

func (f *files) remove(path string) bool {
	n := len(f.all)
	f.all = slices.DeleteFunc(f.all, func(x *file) bool { return x.path == path })
	return len(f.all) < n
}

// reboot empties /tmp.
func (f *files) reboot() {
	f.all = slices.DeleteFunc(f.all, func(x *file) bool { return strings.HasPrefix(x.path, "/tmp/") })
}

// readFile reads what was written, else what the kernel makes up.
func (c *Console) readFile(e *Env, path string) (string, bool) {
	if path == "/dev/null" {
		return "", true
	}
	if f := c.files.find(path); f != nil {
		return f.text, true
	}
	if c.sys.Read != nil {
		return c.sys.Read(e, path)
	}
	return "", false
}
