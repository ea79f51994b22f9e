package linux26

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"

	"strandscope/sim/golden"
)

// Runs are the files of whole runs: NAME.summary.json and the data beside it.
type Runs struct{}

// kinds of files that belong to a run.
var kinds = []string{
	"decisions.csv", "charge.csv", "state.csv", "wakes.csv", "moves.csv", "load.csv", "forks.csv", "exits.csv", "tasks.csv",
}

// Claims implements golden.Format.
func (Runs) Claims(path string, head []byte) bool {
	run, kind := base(path)
	if kind == "summary.json" {
		return ours(head)
	}
	if !slices.Contains(kinds, kind) {
		return false
	}
	f, err := golden.Open(filepath.FromSlash(run) + ".summary.json")
	if err != nil {
		return false
	}
	defer f.Close()
	b := make([]byte, 4096)
	n, _ := f.Read(b)
	return ours(b[:n])
}

// ours reports whether a summary is of a kernel of this package.
func ours(head []byte) bool {
	return bytes.Contains(head, []byte(`"kernel":"2.6.`))
}

// last is the latest replay: the files of one run come one after another.
var last struct {
	sync.Mutex
	path string
	run  *run
	err  error
}

func replayed(path string) (*run, error) {
	last.Lock()
	defer last.Unlock()
	if last.path != path {
		last.path = path
		last.run, last.err = replay(path)
	}
	return last.run, last.err
}

// Verify implements golden.Format.
func (Runs) Verify(path string) (int, error) {
	name, kind := base(path)
	r, err := replayed(name)
	if err != nil {
		return 0, err
	}
	if kind == "summary.json" {
		return r.compareSummary()
	}
	if kind == "state.csv" {
		return r.compareState(path)
	}
	return compareLines(path, r.out[kind].String())
}

// compareLines compares a recorded file with what the model wrote, line by line.
func compareLines(path, have string) (int, error) {
	f, err := golden.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	model := strings.Split(strings.TrimSuffix(have, "\n"), "\n")
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	n := 0
	for ; s.Scan(); n++ {
		if n >= len(model) {
			return n - 1, fmt.Errorf("line %d: the model has no such row: %s", n+1, s.Text())
		}
		if s.Text() != model[n] {
			return n - 1, fmt.Errorf("line %d: recorded %s, model %s (%s)", n+1, s.Text(), model[n], model[0])
		}
	}
	if err := s.Err(); err != nil {
		return n - 1, err
	}
	if n < len(model) {
		return n - 1, fmt.Errorf("line %d: the recording ends, the model goes on with %s", n+1, model[n])
	}
	return n - 1, nil
}

// compareSummary compares every member that is a result.
func (r *run) compareSummary() (int, error) {
	totals := r.totals()
	names := make([]string, 0, len(r.all))
	for k := range r.all {
		names = append(names, k)
	}
	sort.Strings(names)
	n := 0
	for _, name := range names {
		switch name {
		case "scenario", "desc", "cpus", "ticks", "build":
			continue
		}
		have, ok := totals[name]
		if !ok {
			return n, fmt.Errorf("%s: the model has no such total", name)
		}
		raw, err := json.Marshal(have)
		if err != nil {
			return n, err
		}
		a, err := decoded(r.all[name])
		if err != nil {
			return n, err
		}
		b, err := decoded(raw)
		if err != nil {
			return n, err
		}
		if !reflect.DeepEqual(a, b) {
			return n, fmt.Errorf("%s: recorded %.400s, model %.400s", name, r.all[name], raw)
		}
		n++
	}
	return n, nil
}

// decoded reads JSON with its numbers as they stand.
func decoded(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return v, d.Decode(&v)
}
