package golden

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
)

// Run cuts a file's name down to the run that it belongs to, everything before the
// kind, as in NAME.summary.json and NAME.decisions.csv.
func Run(path string) (run, kind string) {
	path = strings.TrimSuffix(path, ".gz")
	slash := strings.LastIndexAny(path, `/\`)
	dot := strings.IndexByte(path[slash+1:], '.')
	if dot < 0 {
		return path, ""
	}
	return path[:slash+1+dot], path[slash+1+dot+1:]
}

// Latest keeps the latest replay: the files of one run come one after another.
type Latest[T any] struct {
	lock sync.Mutex
	path string
	run  T
	err  error
}

// Get replays a run unless it was the one before.
func (l *Latest[T]) Get(path string, replay func(path string) (T, error)) (T, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.path != path {
		l.path = path
		l.run, l.err = replay(path)
	}
	return l.run, l.err
}

// MaxTicks and MaxCPUs bound what a recorded run may ask for: ten times the longest.
const (
	MaxTicks = 1_000_000
	MaxCPUs  = 4096
)

// Within refuses a figure of a recorded run that is out of its bounds.
func Within(name string, value, low, high int64) error {
	if value < low || value > high {
		return fmt.Errorf("%s: %d, want %d to %d", name, value, low, high)
	}
	return nil
}

// ReadSummary reads a run's summary into v, and gives all its members.
func ReadSummary(path string, v any) (members map[string]json.RawMessage, err error) {
	raw, err := Read(path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return nil, err
	}
	return members, json.Unmarshal(raw, &members)
}

// CompareLines compares a recorded file with what a model wrote, line by line. The
// number of rows is without the heading.
func CompareLines(path, have string) (int, error) {
	f, err := Open(path)
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

// CompareMembers compares every recorded member of a summary that is a result; given
// are those that are none. Numbers have to be the same as they stand.
func CompareMembers(recorded, model map[string]json.RawMessage, given ...string) (int, error) {
	names := make([]string, 0, len(recorded))
	for name := range recorded {
		if !slices.Contains(given, name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for n, name := range names {
		mine, ok := model[name]
		if !ok {
			return n, fmt.Errorf("%s: the model has no such total", name)
		}
		a, err := decoded(recorded[name])
		if err != nil {
			return n, err
		}
		b, err := decoded(mine)
		if err != nil {
			return n, err
		}
		if !reflect.DeepEqual(a, b) {
			return n, fmt.Errorf("%s: recorded %.400s, model %.400s", name, recorded[name], mine)
		}
	}
	return len(names), nil
}

// decoded reads JSON with its numbers as they stand.
func decoded(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return v, d.Decode(&v)
}

// Members is a value's JSON by member.
func Members(v any) (members map[string]json.RawMessage, err error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return members, json.Unmarshal(raw, &members)
}
