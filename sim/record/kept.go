//go:build !js

package record

import (
	"bytes"
	"fmt"
)

// kept is a file that is read when all of it is there: its parts may stand in any order.
type kept struct {
	r    *Reader
	buf  []byte
	says string // what it is, and what to do if it is too large
	read func(*Reader, []byte) error
}

// newKept looks at how a file begins; nil: it is none of these.
func newKept(r *Reader, p []byte) *kept {
	switch {
	case bytes.HasPrefix(p, []byte(datMagic+"7\x00")):
		return &kept{r: r, read: readSeven, says: "it is a file of trace-cmd of version 7 that has more than %d MB; " +
			"`trace-cmd convert --file-version 6 -i FILE -o six.dat` makes one of it that is read piece by piece"}
	case isTar(p):
		return &kept{r: r, read: readSchedViz, says: "it is a tar archive of more than %d MB, which is too large for a SchedViz collection here; " +
			"record for a shorter time"}
	}
	return nil
}

func (k *kept) feed(p []byte) error {
	if len(k.buf)+len(p) > k.r.most {
		k.buf, k.r.form = nil, refused
		return fmt.Errorf(k.says, k.r.most>>20)
	}
	k.buf = append(k.buf, p...)
	return nil
}

func (k *kept) close() error { return k.read(k.r, k.buf) }
