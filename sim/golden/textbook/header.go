// Package textbook replays the golden data of textbook policies: every slice,
// event, draw, statistic and total, in the format textbook/1 that
// shared/reference/textbook/README.md describes. A run is built from the header
// alone; only what OSTEP's simulators drew at random is taken from the rows.
package textbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/golden"
)

// unit is one unit of the data.
const unit = clock.Second

// Files are the recorded files.
type Files struct{}

// Claims implements golden.Format.
func (Files) Claims(path string, head []byte) bool {
	return strings.HasSuffix(path, ".jsonl") && bytes.Contains(firstLine(head), []byte(`"textbook/1"`))
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return line
}

// Verify implements golden.Format.
func (Files) Verify(path string) (int, error) {
	raw, err := golden.Read(path)
	if err != nil {
		return 0, err
	}
	file, err := read(raw)
	if err != nil {
		return 0, err
	}
	r, err := replay(file)
	if err != nil {
		return 0, err
	}
	return compare(file, r)
}

// units is a span or a time of the data: a whole number, or one with quarters.
type units clock.Duration

// UnmarshalJSON implements json.Unmarshaler.
func (u *units) UnmarshalJSON(b []byte) error {
	whole, part, _ := strings.Cut(string(b), ".")
	if len(part) > 9 {
		return fmt.Errorf("%s has too many digits", b)
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", 9-len(part)), 10, 64)
	*u = units(n)
	return err
}

func (u units) duration() clock.Duration { return clock.Duration(u) }

// number is a figure in units as JSON has it.
func number(d clock.Duration) any { return float64(d) / float64(unit) }

// params are all members that some policy has.
type params struct {
	Quantum     quanta
	Tie         string
	Stride1     int64
	Levels      int
	Allotment   []int
	Boost       int64
	IOTime      units `json:"io_time"`
	Stay        bool
	IOBump      bool `json:"io_bump"`
	Queues      string
	Peek        int `json:"peek_interval"`
	Warmup      int
	WarmRate    int  `json:"warm_rate"`
	CacheSize   int  `json:"cache_size"`
	RandomOrder bool `json:"random_order"`
	IOLength    int  `json:"io_length"`
	Switch      string
	IODone      string `json:"io_done"`
	Horizon     int64
	OnMiss      string `json:"on_miss"`
}

// quanta is one quantum, or one for each level.
type quanta []units

// UnmarshalJSON implements json.Unmarshaler.
func (q *quanta) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]units)(q))
	}
	*q = make(quanta, 1)
	return json.Unmarshal(b, &(*q)[0])
}

type jobRow struct {
	Job        *int
	Task       *int
	Name       string
	Arrival    units
	Length     units
	Priority   int
	Tickets    int
	IOEvery    units `json:"io_every"`
	WorkingSet int   `json:"working_set"`
	Affinity   []int
	Program    string
	WCET       units
	Period     units
	Deadline   units
	Offset     units
}

type header struct {
	Type    string
	ID      string
	Policy  string
	Origin  string
	CPUs    int
	Params  params
	Jobs    []jobRow
	Columns []string
}

// recorded is a file read.
type recorded struct {
	header
	slices  [][]any
	events  [][]any // begin with "e"
	draws   [][]any // begin with "d"
	objects []map[string]any
}

func (f *recorded) ostep() bool { return strings.HasPrefix(f.Origin, "ostep") }

func read(raw []byte) (*recorded, error) {
	lines := bytes.Split(bytes.TrimRight(raw, "\n"), []byte("\n"))
	f := &recorded{}
	if err := json.Unmarshal(lines[0], &f.header); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	if f.Type != "header" {
		return nil, errors.New("line 1 is no header")
	}
	for i, j := range f.Jobs {
		n := j.Job
		if n == nil {
			n = j.Task
		}
		if n == nil || *n != i {
			return nil, fmt.Errorf("line 1: job %d of the list is not numbered %d", i, i)
		}
	}
	for n, line := range lines[1:] {
		if err := f.add(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+2, err)
		}
	}
	return f, nil
}

func (f *recorded) add(line []byte) error {
	if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' {
		var o map[string]any
		err := json.Unmarshal(line, &o)
		f.objects = append(f.objects, o)
		return err
	}
	var row []any
	if err := json.Unmarshal(line, &row); err != nil {
		return err
	}
	if len(row) == 0 {
		return errors.New("an empty row")
	}
	switch row[0] {
	case "e":
		f.events = append(f.events, row)
	case "d":
		f.draws = append(f.draws, row)
	default:
		if len(row) != len(f.Columns) {
			return fmt.Errorf("%d fields, the header names %d columns", len(row), len(f.Columns))
		}
		f.slices = append(f.slices, row)
	}
	return nil
}

// column is the recorded figures of a column, in order of rows.
func (f *recorded) column(name string) ([]int64, error) {
	i := slices.Index(f.Columns, name)
	if i < 0 {
		return nil, fmt.Errorf("no column %q", name)
	}
	var list []int64
	for _, row := range f.slices {
		n, ok := row[i].(float64)
		if !ok {
			return nil, fmt.Errorf("column %s: %v is no number", name, row[i])
		}
		list = append(list, int64(n))
	}
	return list, nil
}
