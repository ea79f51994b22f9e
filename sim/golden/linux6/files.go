package linux6

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"

	"strandscope/sim/golden"
)

// Runs are the files of whole runs: NAME.summary.json and the data beside it.
type Runs struct{}

// ours is what tells a summary of this format from others.
var ours = []byte(`"tick_ns"`)

// Claims implements golden.Format.
func (Runs) Claims(path string, head []byte) bool {
	name, kind := base(path)
	if kind == "summary.json" {
		return bytes.Contains(head, ours)
	}
	if !slices.Contains(kinds, kind) {
		return false
	}
	raw, err := golden.Read(name + ".summary.json")
	return err == nil && bytes.Contains(raw, ours)
}

// base cuts a file's name down to its run: everything before the kind.
func base(path string) (name, kind string) {
	path = strings.TrimSuffix(path, ".gz")
	slash := strings.LastIndexAny(path, `/\`)
	dot := strings.IndexByte(path[slash+1:], '.')
	if dot < 0 {
		return path, ""
	}
	return path[:slash+1+dot], path[slash+1+dot+1:]
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
	raw, err := json.Marshal(r.sum)
	if err != nil {
		return 0, err
	}
	var have map[string]json.RawMessage
	if err := json.Unmarshal(raw, &have); err != nil {
		return 0, err
	}
	names := make([]string, 0, len(r.all))
	for k := range r.all {
		names = append(names, k)
	}
	sort.Strings(names)
	n := 0
	for _, name := range names {
		if name == "scenario" || name == "desc" || name == "build" {
			continue
		}
		mine, ok := have[name]
		if !ok {
			return n, fmt.Errorf("%s: the model has no such total", name)
		}
		var a, b any
		if err := json.Unmarshal(r.all[name], &a); err != nil {
			return n, err
		}
		if err := json.Unmarshal(mine, &b); err != nil {
			return n, err
		}
		if !reflect.DeepEqual(a, b) {
			return n, fmt.Errorf("%s: recorded %.200s, model %s", name, r.all[name], mine)
		}
		n++
	}
	return n, nil
}
