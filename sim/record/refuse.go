package record

import (
	"bytes"
	"errors"
)

var (
	errClosed  = errors.New("the file was closed already")
	errEmpty   = errors.New("the file is empty")
	errRefused = errors.New("no recording of a scheduler that can be read here: want ftrace text (trace, trace-cmd report), " +
		"perf script, perf sched script or timehist, or Chrome trace JSON with scheduling")
)

// magics are how files begin that have scheduling in another form, and what makes text
// of them.
var magics = []struct{ begins, says string }{
	{"PERFILE2", "a file of perf record; `perf script --ns -i FILE > trace.txt` makes text of it, which can be read"},
	{"2ELIFREP", "a file of perf record; `perf script --ns -i FILE > trace.txt` makes text of it, which can be read"},
	{"\x1f\x8b", "compressed with gzip; unpack it first"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it first"},
	{"PK\x03\x04", "a ZIP archive; unpack it first"},
	{"BZh", "compressed with bzip2; unpack it first"},
	{"\xfd7zXZ", "compressed with xz; unpack it first"},
	{"\x10\x00\x04\x46\x78\x54\x16\x00", "a Fuchsia trace in its binary form; trace2json makes JSON of it, which can be read"},
}

func isTar(p []byte) bool { return len(p) > 262 && string(p[257:262]) == "ustar" }

func magic(p []byte) error {
	for _, m := range magics {
		if bytes.HasPrefix(p, []byte(m.begins)) {
			return errors.New("it is " + m.says)
		}
	}
	if isTar(p) {
		return errors.New("it is a tar archive; unpack it first")
	}
	if p[0] == 0x0a && bytes.IndexByte(p[:min(len(p), 512)], 0) >= 0 {
		return errors.New("it is a Perfetto trace in its binary form; `traceconv systrace FILE` makes text of it, which can be read")
	}
	return nil
}
