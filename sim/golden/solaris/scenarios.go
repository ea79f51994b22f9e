package solaris

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/golden"
	"strandscope/sim/sched"
)

// Scenarios are the files whose first line is a header of format 2: per-tick
// TS, IA, FX and RT rows, FSS rows per tick and per second, and multi-CPU runs
// (shared/reference/solaris/README.md).
type Scenarios struct{}

// Claims implements golden.Format.
func (Scenarios) Claims(path string, head []byte) bool {
	return strings.HasSuffix(path, ".jsonl") && bytes.HasPrefix(head, []byte(`{"scenario":`)) &&
		bytes.Contains(head, []byte(`"strands_per_core"`))
}

// Verify implements golden.Format.
func (Scenarios) Verify(path string) (int, error) {
	f, err := golden.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	rows := &rowReader{s: bufio.NewScanner(f)}
	rows.s.Buffer(nil, 16<<20)
	var h header
	if !rows.s.Scan() {
		return 0, fmt.Errorf("line 1: no header")
	}
	rows.line = 1
	if err := json.Unmarshal(rows.s.Bytes(), &h); err != nil {
		return 0, fmt.Errorf("line 1: %w", err)
	}
	if err := golden.Within("ncpu", int64(h.NCPU), 0, golden.MaxCPUs); err != nil {
		return 0, fmt.Errorf("line 1: %w", err)
	}
	switch h.Kind {
	case "tick", "fss_tick":
		err = verifyTicks(&h, rows)
	case "fss_sec":
		err = verifyFSSSeconds(&h, rows)
	case "mp":
		err = verifyMP(&h, rows)
	default:
		err = fmt.Errorf("line 1: unknown kind %q", h.Kind)
	}
	if err == nil {
		err = rows.end()
	}
	return rows.line - 1, err
}

// rowReader hands out the recorded rows one by one.
type rowReader struct {
	s    *bufio.Scanner
	line int
}

// expect compares the next recorded row with got, value by value.
func (r *rowReader) expect(got any) error {
	if !r.s.Scan() {
		return fmt.Errorf("line %d: the recording ends, the model goes on with %s", r.line+1, brief(got))
	}
	r.line++
	want, err := decode(r.s.Bytes())
	if err != nil {
		return fmt.Errorf("line %d: %w", r.line, err)
	}
	raw, err := json.Marshal(got)
	if err != nil {
		return err
	}
	have, err := decode(raw)
	if err != nil {
		return err
	}
	if reflect.DeepEqual(want, have) {
		return nil
	}
	return fmt.Errorf("line %d: %s", r.line, difference("", want, have))
}

func (r *rowReader) end() error {
	if r.s.Scan() {
		return fmt.Errorf("line %d: the model has no such row: %.120s", r.line+1, r.s.Text())
	}
	return r.s.Err()
}

// decode keeps numbers as they are written, so that nothing is rounded.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// difference names the first place where two rows differ.
func difference(at string, want, have any) string {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		if !ok {
			break
		}
		for _, k := range keys(w, h) {
			if !reflect.DeepEqual(w[k], h[k]) {
				return difference(at+"."+k, w[k], h[k])
			}
		}
	case []any:
		h, ok := have.([]any)
		if !ok || len(h) != len(w) {
			break
		}
		for i := range w {
			if !reflect.DeepEqual(w[i], h[i]) {
				return difference(fmt.Sprintf("%s[%d]", at, i), w[i], h[i])
			}
		}
	}
	return fmt.Sprintf("%s: recorded %s, model %s", strings.TrimPrefix(at, "."), brief(want), brief(have))
}

func keys(maps ...map[string]any) []string {
	var names []string
	seen := map[string]bool{}
	for _, m := range maps {
		for k := range m {
			if !seen[k] {
				seen[k] = true
				names = append(names, k)
			}
		}
	}
	sortStrings(names)
	return names
}

func brief(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(raw) > 160 {
		return string(raw[:160]) + "…"
	}
	return string(raw)
}

// tickRow is a row of kinds tick and fss_tick.
type tickRow struct {
	T   int     `json:"t"`
	Run []int   `json:"run"`
	Th  [][]any `json:"th"`
}

type forkRow struct {
	Ev    string `json:"ev"`
	T     int    `json:"t"`
	Child int    `json:"child"`
}

func verifyTicks(h *header, rows *rowReader) error {
	r, err := build(h)
	if err != nil {
		return err
	}
	row := func(tick int) error {
		return rows.expect(tickRow{tick, r.running(), r.threadRows(h.Kind == "fss_tick")})
	}
	for tick := range h.Ticks + 1 {
		if tick > 0 {
			if err := r.e.AdvanceTo(clock.Time(tick) * clock.Time(r.e.Tick())); err != nil {
				return err
			}
		}
		if h.rowDue(tick) {
			if err := row(tick); err != nil {
				return err
			}
		}
		child, fork := r.forkDue(tick)
		if !fork || tick == 0 {
			continue
		}
		if err := r.fork(); err != nil {
			return err
		}
		if h.rowDue(tick) {
			if err := rows.expect(forkRow{"fork", tick, child}); err != nil {
				return err
			}
			if err := row(tick); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *machineRun) threadRows(fss bool) [][]any {
	var th [][]any
	for _, id := range sortedIDs(r.ids) {
		t := r.byID[id]
		s := r.p.Show(t)
		if fss {
			th = append(th, []any{stateLetter(t), r.p.Priority(t), s.UserPri, s.TimeLeft, s.Ticks, s.FSSPri, s.Flags})
			continue
		}
		trapret := 0
		if r.p.TrapRetDue(t) {
			trapret = 1
		}
		level, umd := s.Level, s.UserPri
		th = append(th, []any{stateLetter(t), r.p.Priority(t), level, umd, s.TimeLeft, s.DispWait, s.Flags, trapret})
	}
	return th
}

// secondRow is a row of kind fss_sec.
type secondRow struct {
	S         int     `json:"s"`
	Proj      [][]any `json:"proj"`
	MaxFSSPri uint64  `json:"maxfsspri"`
	PSet      uint64  `json:"pset_shares"`
	Th        [][]any `json:"th"`
}

func verifyFSSSeconds(h *header, rows *rowReader) error {
	ran := &ticksCharged{}
	r, err := build(h, ran)
	if err != nil {
		return err
	}
	for tick := 1; tick <= h.Ticks; tick++ {
		if err := r.e.AdvanceTo(clock.Time(tick) * clock.Time(r.e.Tick())); err != nil {
			return err
		}
		if _, due := r.forkDue(tick); due {
			if err := r.fork(); err != nil {
				return err
			}
		}
		if !h.rowDue(tick) {
			continue
		}
		row, err := r.fssSecond(ran, tick/h.HZ)
		if err != nil {
			return err
		}
		if err := rows.expect(row); err != nil {
			return err
		}
	}
	return nil
}

// rowDue reports whether a row is written at a tick.
func (h *header) rowDue(tick int) bool {
	return tick >= h.Rows.First && (tick-h.Rows.First)%max(h.Rows.Every, 1) == 0
}

func (r *machineRun) fssSecond(ran *ticksCharged, s int) (secondRow, error) {
	row := secondRow{S: s}
	charged := map[sched.GroupID]int64{}
	for _, id := range sortedIDs(r.ids) {
		t := r.byID[id]
		x := r.p.Show(t)
		n := ran.take(t.ID, r.e.Now(), r.e.Tick())
		charged[t.Group] += n
		row.Th = append(row.Th, []any{stateLetter(t), r.p.Priority(t), x.UserPri, x.FSSPri, x.Ticks, n})
	}
	set := 0
	if len(r.ids) > 0 {
		set = r.byID[r.ids[0]].Set // accounts are per set; the rows show one
	}
	for _, p := range r.h.Projects {
		a, err := r.p.ProjectAccounts(set, sched.GroupID(p.ID))
		if err != nil {
			return row, err
		}
		row.Proj = append(row.Proj, []any{a.Usage, a.ShUsage, a.Ticks, a.Runnable, charged[sched.GroupID(p.ID)]})
		row.MaxFSSPri, row.PSet = a.MaxFSSPri, a.SetShares
	}
	return row, nil
}
