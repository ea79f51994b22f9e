package solaris

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"strandscope/sim/golden"
	policy "strandscope/sim/policy/solaris"
	"strandscope/sim/stats"
)

// Vectors are files of single operations: class steps without a dispatcher,
// FSS arithmetic, the load-average filter, and the dispatch tables. Each is
// known by its first line.
type Vectors struct{}

// vectorFile is one kind of vector file.
type vectorFile struct {
	head   string // how the first line begins
	verify func(r io.Reader) (int, error)
}

var vectorFiles = []vectorFile{
	{`{"vectors":"TS/IA class operations"`, verifyTSOps},
	{"shusage,runnable,ticks,fsspri,maxfsspri,shares,", rowsOf(newPriRow)},
	{"usage,ticks,kpj_shares,zone_int_shares,", rowsOf(decayRow)},
	{"nrun,hp1_in,hp5_in,hp15_in,", rowsOf(filterRow)},
	{"sec,threads,delta_ns,nrun_128ths,", verifyLoadSeries},
	{"level,ts_globpri,", verifyTSTable},
	{"level,fx_globpri,", rowsOf(fxTableRow)},
	{"level,rt_globpri,", rowsOf(rtTableRow)},
	{"nice,fss_nice,", rowsOf(fssNiceRow)},
	{"nice,ts_upri,", rowsOf(niceRow)},
}

func findVector(head []byte) (vectorFile, bool) {
	for _, v := range vectorFiles {
		if bytes.HasPrefix(head, []byte(v.head)) {
			return v, true
		}
	}
	return vectorFile{}, false
}

// Claims implements golden.Format.
func (Vectors) Claims(_ string, head []byte) bool {
	_, ok := findVector(head)
	return ok
}

// Verify implements golden.Format.
func (Vectors) Verify(path string) (int, error) {
	f, err := golden.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	head, err := r.Peek(64)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	v, ok := findVector(head)
	if !ok {
		return 0, fmt.Errorf("line 1: unknown columns")
	}
	return v.verify(r)
}

// row is a CSV row by column name. Asking for a missing or wrong field is
// remembered and ends the row.
type row struct {
	values map[string]string
	err    error
}

func (r *row) text(name string) string {
	v, ok := r.values[name]
	if !ok && r.err == nil {
		r.err = fmt.Errorf("no column %q", name)
	}
	return v
}

func (r *row) int(name string) int64 {
	v, err := strconv.ParseInt(r.text(name), 10, 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("column %s: %w", name, err)
	}
	return v
}

func (r *row) uint(name string) uint64 {
	v, err := strconv.ParseUint(r.text(name), 10, 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("column %s: %w", name, err)
	}
	return v
}

// same compares the recorded column with the model's figure.
func (r *row) same(name string, model any) {
	if got := fmt.Sprint(model); r.text(name) != got && r.err == nil {
		r.err = fmt.Errorf("%s: recorded %s, model %s", name, r.values[name], got)
	}
}

// eachRow calls check for every row of a CSV file.
func eachRow(in io.Reader, check func(r *row)) (int, error) {
	c := csv.NewReader(in)
	names, err := c.Read()
	if err != nil {
		return 0, err
	}
	for n := 1; ; n++ {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			return n - 1, nil
		}
		if err != nil {
			return n - 1, err
		}
		r := row{values: make(map[string]string, len(names))}
		for i, name := range names {
			r.values[name] = rec[i]
		}
		if check(&r); r.err != nil {
			return n, fmt.Errorf("line %d: %w", n+1, r.err)
		}
	}
}

func rowsOf(check func(r *row)) func(io.Reader) (int, error) {
	return func(in io.Reader) (int, error) { return eachRow(in, check) }
}

func newPriRow(r *row) {
	pri, umdpri, maxfsspri := policy.NewPriority(policy.FSSInput{
		FSSPri: r.uint("fsspri"), ShUsage: r.uint("shusage"), Runnable: r.uint("runnable"),
		Ticks: r.uint("ticks"), MaxFSSPri: r.uint("maxfsspri"), Shares: r.int("shares"),
	})
	r.same("out_fsspri", pri)
	r.same("out_umdpri", umdpri)
	r.same("out_maxfsspri", maxfsspri)
}

func decayRow(r *row) {
	usage, shusage, maxfsspri := policy.DecayUsage(policy.DecayInput{
		Usage: r.uint("usage"), Ticks: r.uint("ticks"), Project: r.uint("kpj_shares"),
		ZoneInternal: r.uint("zone_int_shares"), Set: r.uint("pset_shares"), ZoneExternal: r.uint("zone_ext_shares"),
		MaxFSSPri: r.uint("maxfsspri"),
	})
	r.same("out_usage", usage)
	r.same("out_shusage", shusage)
	r.same("out_maxfsspri", maxfsspri)
}

func filterRow(r *row) {
	var f stats.SolarisFilter
	f.SetHP([3]int64{r.int("hp1_in"), r.int("hp5_in"), r.int("hp15_in")})
	f.Step(r.int("nrun"))
	sameAverages(r, &f, "_out")
}

func sameAverages(r *row, f *stats.SolarisFilter, suffix string) {
	for i, minutes := range []string{"1", "5", "15"} {
		r.same("hp"+minutes+suffix, f.HP()[i])
		r.same("avenrun"+minutes, f.Avenrun()[i])
	}
}

// verifyLoadSeries replays seconds of load through ring and filter; the ring is
// full of zeros before the first row.
func verifyLoadSeries(in io.Reader) (int, error) {
	var f stats.SolarisFilter
	for range 11 {
		f.Second(0)
	}
	return eachRow(in, func(r *row) {
		f.Second(r.int("delta_ns"))
		r.same("nrun_128ths", f.Load())
		sameAverages(r, &f, "")
		a := f.Avenrun()
		r.same("uptime_string", strings.Join([]string{stats.LoadText(a[0]), stats.LoadText(a[1]), stats.LoadText(a[2])}, ", "))
	})
}

// verifyTSTable compares a whole TS table with the one of the model that begins with
// the same row; level 0 tells them apart.
func verifyTSTable(in io.Reader) (int, error) {
	var table policy.TSTable
	return eachRow(in, func(r *row) {
		level := r.int("level")
		if table == nil {
			table, r.err = tableLike(r)
		}
		if r.err != nil {
			return
		}
		if level < 0 || level >= int64(len(table)) {
			r.err = fmt.Errorf("level %d, the model has 0 to %d", level, len(table)-1)
			return
		}
		t := table[level]
		r.same("ts_globpri", level)
		r.same("ts_quantum_ticks", t.Quantum)
		r.same("ts_tqexp", t.TqExp)
		r.same("ts_slpret", t.SlpRet)
		r.same("ts_maxwait", t.MaxWait)
		r.same("ts_lwait", t.LWait)
	})
}

func tableLike(r *row) (policy.TSTable, error) {
	for _, name := range []string{"ts_dptbl", "ts_dptbl_server"} {
		t, err := policy.TSTableNamed(name)
		if err != nil {
			return nil, err
		}
		if int64(t[0].Quantum) == r.int("ts_quantum_ticks") {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no TS table of the model has a quantum of %d ticks at level 0", r.int("ts_quantum_ticks"))
}

func fxTableRow(r *row) { quantumRow(r, policy.DefaultTables().FX, "fx", 0) }
func rtTableRow(r *row) { quantumRow(r, policy.DefaultTables().RT, "rt", 100) }

func quantumRow(r *row, t policy.RTTable, class string, base int64) {
	level := r.int("level")
	if level < 0 || level >= int64(len(t)) {
		r.err = fmt.Errorf("level %d, the model has 0 to %d", level, len(t)-1)
		return
	}
	r.same(class+"_globpri", base+level)
	r.same(class+"_quantum_ticks", t[level])
}

func fssNiceRow(r *row) {
	cost, decay := policy.FSSNice(int(r.int("nice")))
	r.same("fss_nice", r.int("nice")+20)
	r.same("tick_cost", cost)
	r.same("fsspri_decay_num", decay)
}

func niceRow(r *row) {
	for _, class := range []string{"TS", "FSS", "FX"} {
		r.same(strings.ToLower(class)+"_upri", policy.UserPriority(class, int(r.int("nice"))))
	}
}

// tsOp is one recorded operation.
type tsOp struct {
	Op, Cls string
	In      policy.OpState
	Out     policy.OpState
}

func verifyTSOps(in io.Reader) (int, error) {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	line := 0
	for s.Scan() {
		if line++; line == 1 {
			continue // says what the fields are
		}
		var op tsOp
		if err := json.Unmarshal(s.Bytes(), &op); err != nil {
			return line - 1, fmt.Errorf("line %d: %w", line, err)
		}
		have, err := policy.Replay(op.Op, op.Cls, op.In)
		if err == nil {
			err = op.differs(have)
		}
		if err != nil {
			return line - 1, fmt.Errorf("line %d: %s of a %s thread: %w", line, op.Op, op.Cls, err)
		}
	}
	return line - 1, s.Err()
}

// differs compares the fields that a recorded result has.
func (op *tsOp) differs(have policy.OpState) error {
	want := op.Out
	// Fields that only go in are not part of a result.
	have.State, have.KpriReq, have.RanThisTick, have.MaxRunPri = want.State, want.KpriReq, want.RanThisTick, want.MaxRunPri
	have.Boost, have.Incr, have.ReqUprilim, have.ReqUpri = want.Boost, want.Incr, want.ReqUprilim, want.ReqUpri
	if want == have {
		return nil
	}
	w, errW := json.Marshal(want)
	h, errH := json.Marshal(have)
	if err := errors.Join(errW, errH); err != nil {
		return err
	}
	dw, errW := decode(w)
	dh, errH := decode(h)
	if err := errors.Join(errW, errH); err != nil {
		return err
	}
	return errors.New(difference("", dw, dh))
}
