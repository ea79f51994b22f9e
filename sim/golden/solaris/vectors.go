package solaris

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"strandscope/sim/golden"
	policy "strandscope/sim/policy/solaris"
	"strandscope/sim/stats"
)

// Vectors are files of single operations: class steps without a dispatcher,
// FSS arithmetic, the load-average filter, and the dispatch tables. Each is
// known by its first line.
type Vectors struct{}

// vectorFiles are the kinds of vector files.
var vectorFiles = golden.ByHead[func(r io.Reader) (int, error)]{
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

// Claims implements golden.Format.
func (Vectors) Claims(_ string, head []byte) bool {
	_, ok := vectorFiles.Find(head)
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
	verify, ok := vectorFiles.Find(head)
	if !ok {
		return 0, fmt.Errorf("line 1: unknown columns")
	}
	return verify(r)
}

func rowsOf(check func(r *golden.Fields)) func(io.Reader) (int, error) {
	return func(in io.Reader) (int, error) { return golden.EachRow(csv.NewReader(in), check) }
}

func newPriRow(r *golden.Fields) {
	pri, umdpri, maxfsspri := policy.NewPriority(policy.FSSInput{
		FSSPri: r.Uint("fsspri"), ShUsage: r.Uint("shusage"), Runnable: r.Uint("runnable"),
		Ticks: r.Uint("ticks"), MaxFSSPri: r.Uint("maxfsspri"), Shares: r.Int("shares"),
	})
	r.Same("out_fsspri", pri)
	r.Same("out_umdpri", umdpri)
	r.Same("out_maxfsspri", maxfsspri)
}

func decayRow(r *golden.Fields) {
	usage, shusage, maxfsspri := policy.DecayUsage(policy.DecayInput{
		Usage: r.Uint("usage"), Ticks: r.Uint("ticks"), Project: r.Uint("kpj_shares"),
		ZoneInternal: r.Uint("zone_int_shares"), Set: r.Uint("pset_shares"), ZoneExternal: r.Uint("zone_ext_shares"),
		MaxFSSPri: r.Uint("maxfsspri"),
	})
	r.Same("out_usage", usage)
	r.Same("out_shusage", shusage)
	r.Same("out_maxfsspri", maxfsspri)
}

func filterRow(r *golden.Fields) {
	var f stats.SolarisFilter
	f.SetHP([3]int64{r.Int("hp1_in"), r.Int("hp5_in"), r.Int("hp15_in")})
	f.Step(r.Int("nrun"))
	sameAverages(r, &f, "_out")
}

func sameAverages(r *golden.Fields, f *stats.SolarisFilter, suffix string) {
	for i, minutes := range []string{"1", "5", "15"} {
		r.Same("hp"+minutes+suffix, f.HP()[i])
		r.Same("avenrun"+minutes, f.Avenrun()[i])
	}
}

// verifyLoadSeries replays seconds of load through ring and filter; the ring is
// full of zeros before the first row.
func verifyLoadSeries(in io.Reader) (int, error) {
	var f stats.SolarisFilter
	for range 11 {
		f.Second(0)
	}
	return golden.EachRow(csv.NewReader(in), func(r *golden.Fields) {
		f.Second(r.Int("delta_ns"))
		r.Same("nrun_128ths", f.Load())
		sameAverages(r, &f, "")
		a := f.Avenrun()
		r.Same("uptime_string", strings.Join([]string{stats.LoadText(a[0]), stats.LoadText(a[1]), stats.LoadText(a[2])}, ", "))
	})
}

// verifyTSTable compares a whole TS table with the one of the model that begins with
// the same row; level 0 tells them apart.
func verifyTSTable(in io.Reader) (int, error) {
	var table policy.TSTable
	return golden.EachRow(csv.NewReader(in), func(r *golden.Fields) {
		level := r.Int("level")
		if table == nil {
			table, r.Err = tableLike(r)
		}
		if r.Err != nil {
			return
		}
		if level < 0 || level >= int64(len(table)) {
			r.Err = fmt.Errorf("level %d, the model has 0 to %d", level, len(table)-1)
			return
		}
		t := table[level]
		r.Same("ts_globpri", level)
		r.Same("ts_quantum_ticks", t.Quantum)
		r.Same("ts_tqexp", t.TqExp)
		r.Same("ts_slpret", t.SlpRet)
		r.Same("ts_maxwait", t.MaxWait)
		r.Same("ts_lwait", t.LWait)
	})
}

func tableLike(r *golden.Fields) (policy.TSTable, error) {
	for _, name := range []string{"ts_dptbl", "ts_dptbl_server"} {
		t, err := policy.TSTableNamed(name)
		if err != nil {
			return nil, err
		}
		if int64(t[0].Quantum) == r.Int("ts_quantum_ticks") {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no TS table of the model has a quantum of %d ticks at level 0", r.Int("ts_quantum_ticks"))
}

func fxTableRow(r *golden.Fields) { quantumRow(r, policy.DefaultTables().FX, "fx", 0) }
func rtTableRow(r *golden.Fields) { quantumRow(r, policy.DefaultTables().RT, "rt", 100) }

func quantumRow(r *golden.Fields, t policy.RTTable, class string, base int64) {
	level := r.Int("level")
	if level < 0 || level >= int64(len(t)) {
		r.Err = fmt.Errorf("level %d, the model has 0 to %d", level, len(t)-1)
		return
	}
	r.Same(class+"_globpri", base+level)
	r.Same(class+"_quantum_ticks", t[level])
}

func fssNiceRow(r *golden.Fields) {
	cost, decay := policy.FSSNice(int(r.Int("nice")))
	r.Same("fss_nice", r.Int("nice")+20)
	r.Same("tick_cost", cost)
	r.Same("fsspri_decay_num", decay)
}

func niceRow(r *golden.Fields) {
	for _, class := range []string{"TS", "FSS", "FX"} {
		r.Same(strings.ToLower(class)+"_upri", policy.UserPriority(class, int(r.Int("nice"))))
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
