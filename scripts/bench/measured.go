package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// measured are figures by name, and why some are missing by the place where they
// would have been measured.
type measured struct {
	figures map[string]float64
	missing map[string]string
}

func newMeasured() *measured {
	return &measured{figures: map[string]float64{}, missing: map[string]string{}}
}

// places are where a benchmark can run.
const (
	native   = "native"
	inNode   = "wasm in Node"
	inChrome = "wasm in Chromium"
	inPage   = "page in Chromium"
)

// key is the name of a benchmark's figure: where it ran, its name, the unit.
func key(place, name, unit string) string { return place + ": " + name + ": " + unit }

// most are units of which more is better.
var most = map[string]bool{"×real-time": true}

// benchmarks adds the output of `go test -bench`. Of figures that are there already the
// better one stays: other programs make a run slower, none makes it faster.
func (m *measured) benchmarks(place string, out io.Reader) (lines int, err error) {
	s := bufio.NewScanner(out)
	for s.Scan() {
		name, figures, err := benchmarkLine(s.Text())
		if err != nil {
			return lines, err
		}
		if figures == nil {
			continue
		}
		lines++
		for unit, v := range figures {
			k := key(place, name, unit)
			if old, is := m.figures[k]; is && (old < v) != most[unit] {
				continue
			}
			m.figures[k] = v
		}
	}
	return lines, s.Err()
}

// processors is what go test puts behind the name where there is more than one.
var processors = regexp.MustCompile(`-\d+$`)

// benchmarkLine reads a line such as
//
//	BenchmarkDraw/T2000/frame-2   2292   758266 ns/op   3935 B/op
//
// without the word Benchmark and the number of processors. Other lines have no figures.
func benchmarkLine(line string) (name string, figures map[string]float64, err error) {
	words := strings.Fields(line)
	if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
		return "", nil, nil
	}
	if _, err := strconv.Atoi(words[1]); err != nil {
		return "", nil, nil // something that a benchmark said
	}
	name = processors.ReplaceAllString(strings.TrimPrefix(words[0], "Benchmark"), "")
	rest := words[2:]
	if len(rest)%2 != 0 {
		return "", nil, fmt.Errorf("%q: want figures with units", line)
	}
	figures = map[string]float64{}
	for i := 0; i < len(rest); i += 2 {
		v, err := strconv.ParseFloat(rest[i], 64)
		if err != nil {
			return "", nil, fmt.Errorf("%q: %q is no figure", line, rest[i])
		}
		figures[rest[i+1]] = v
	}
	return name, figures, nil
}

// sizes adds what scripts/site prints: bytes of program, page and single file.
func (m *measured) sizes(out io.Reader) error {
	s := bufio.NewScanner(out)
	var columns []string
	for s.Scan() {
		words := strings.Fields(s.Text())
		if len(words) > 1 && words[0] == "bytes" {
			columns = words[1:]
			continue
		}
		if columns == nil || len(words) != len(columns)+1 {
			continue
		}
		for i, column := range columns {
			n, err := strconv.ParseInt(words[i+1], 10, 64)
			if err != nil {
				return fmt.Errorf("%q: %q is no number of bytes", s.Text(), words[i+1])
			}
			m.figures[sizeKey(words[0], column)] = float64(n)
		}
	}
	if len(m.figures) == 0 {
		return fmt.Errorf("scripts/site told no sizes")
	}
	return s.Err()
}

func sizeKey(what, packing string) string { return key("site", what, packing) }
