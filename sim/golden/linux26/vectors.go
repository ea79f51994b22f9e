package linux26

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"strandscope/sim/golden"
	"strandscope/sim/policy/linux26"
	"strandscope/sim/stats"
)

// Vectors are files of single functions of the two kernels. Each is known by its
// columns; the load average, whose columns are those of 2.2, by what lies beside it.
type Vectors struct{}

// row checks one row of a file.
type row = func(f *golden.Fields)

func vectorFiles(path string) golden.ByHead[row] {
	cpus := 1
	if strings.Contains(filepath.Base(path), "_smp4") {
		cpus = 4
	}
	return append(golden.ByHead[row]{
		{"sequence,sample,active,avenrun0,", loadRows()},
		{"nice,sleep_avg,current_bonus,prio,interactive,granularity_ticks", func(f *golden.Fields) { prioRow(f, cpus) }},
		{"hz,nice,static_prio,timeslice_ticks,load_weight,delta,", sliceRow},
		{"policy,rt_priority,nice,prio,load_weight,rr_slice", rtRow},
		{"nice,sleep_avg,sleep_ns,sleep_type,user_mm,", creditRow},
		{"curr_static_prio,best_expired_prio,", starvingRow},
		{"nice,parent_slice,parent_sleep_avg,parent_prio,", forkRow},
		{"child_nice,parent_slice,parent_sleep_avg,child_slice,", exitRow},
		{"sleep_avg,run_ns,sleep_avg_after", runRow},
		{"raw,l0,l1,l2,n0", func(f *golden.Fields) { smoothRow(f, "raw", 3) }},
		{"this_cpu,idle_type,c0_nr,c0_raw,", func(f *golden.Fields) { balanceRow(f, "raw", o1Rule) }},
		{"this_cpu,task_cpu,p_weight,this_nr,this_raw,", o1WakeupRow},
	}, cfsFiles()...)
}

// Claims implements golden.Format.
func (Vectors) Claims(path string, head []byte) bool {
	if bytes.HasPrefix(head, []byte("sequence,sample,")) {
		return besideOurs(path)
	}
	_, ok := vectorFiles(path).Find(head)
	return ok
}

// besideOurs reports whether a file lies in a folder of this data: it says so, or
// holds a run of ours.
func besideOurs(path string) bool {
	dir := filepath.ToSlash(filepath.Dir(path))
	for _, name := range []string{"linux26", "golden-o1", "golden-cfs"} {
		if strings.Contains("/"+dir+"/", "/"+name+"/") {
			return true
		}
	}
	runs, _ := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.summary.json*"))
	for _, r := range runs {
		if raw, err := golden.Read(r); err == nil {
			return ours(raw)
		}
	}
	return false
}

// Verify implements golden.Format.
func (Vectors) Verify(path string) (int, error) {
	raw, err := golden.Read(path)
	if err != nil {
		return 0, err
	}
	check, ok := vectorFiles(path).Find(raw)
	if !ok {
		return 0, errors.New("line 1: unknown columns")
	}
	return golden.EachRow(csv.NewReader(bytes.NewReader(raw)), check)
}

// loadRows filters sample after sample; each sequence begins at zero.
func loadRows() row {
	seq := map[string]*stats.LinuxLoad{}
	return func(f *golden.Fields) {
		name := f.Text("sequence")
		if seq[name] == nil || f.Int("sample") == 1 {
			seq[name] = &stats.LinuxLoad{Wide: true}
		}
		l := seq[name]
		l.Filter(uint64(f.Int("active")))
		for i, a := range l.Raw() {
			f.Same(fmt.Sprintf("avenrun%d", i), a)
		}
		f.Same("printed", l.String())
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// cpuOf reads a CPU's columns that begin with at.
func cpuOf(f *golden.Fields, at, load string, indexes int) linux26.CPU {
	c := linux26.CPU{NR: int(f.Int(at + "nr")), Raw: f.Uint(at + load)}
	for i := range indexes {
		c.Smooth[i] = f.Uint(at + "l" + strconv.Itoa(i))
	}
	return c
}

// smoothRow is update_load.
func smoothRow(f *golden.Fields, load string, n int) {
	c := cpuOfAlone(f, load, n)
	c.Smoothed(n)
	for i := range n {
		f.Same("n"+strconv.Itoa(i), c.Smooth[i])
	}
}

func cpuOfAlone(f *golden.Fields, load string, n int) linux26.CPU {
	c := linux26.CPU{Raw: f.Uint(load)}
	for i := range n {
		c.Smooth[i] = f.Uint("l" + strconv.Itoa(i))
	}
	return c
}

// balanceRow is find_busiest_group, find_busiest_queue, and sched_balance_exec.
func balanceRow(f *golden.Fields, load string, rule linux26.Rule) {
	var cpus []linux26.CPU
	for i := 0; f.Has("c" + strconv.Itoa(i) + "_nr"); i++ {
		cpus = append(cpus, cpuOf(f, "c"+strconv.Itoa(i)+"_", load, 3))
	}
	this := int(f.Int("this_cpu"))
	group, imbalance := rule.Group(cpus, this, int(f.Int("idle_type")), nil)
	f.Same("busiest_cpu", group)
	f.Same("imbalance", imbalance)
	f.Same("busiest_queue", linux26.Queue(cpus, group, imbalance))
	f.Same("exec_target", linux26.ExecTarget(cpus, this))
}
