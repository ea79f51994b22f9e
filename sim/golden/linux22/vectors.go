package linux22

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/golden"
	policy "strandscope/sim/policy/linux22"
	"strandscope/sim/stats"
)

// Vectors are files of single functions of the kernel: goodness, reschedule_idle,
// the load average, nice, /proc figures, fork and nanosleep. Each is known by its
// columns.
type Vectors struct{}

func vectorFiles() golden.ByHead[func(f *golden.Fields)] {
	load := map[string]*stats.LinuxLoad{}
	return golden.ByHead[func(f *golden.Fields)]{
		{"policy,rt_priority,counter,priority,same_cpu,same_mm,goodness,prev_goodness", nil}, // UP or SMP by name
		{"this_cpu,c0_idle,", rescheduleRow},
		{"nice_arg,priority,slice_ticks_from_zero", niceRow},
		{"counter,pri_shown", func(f *golden.Fields) { f.Same("pri_shown", policy.ProcPRI(int32(f.Int("counter")))) }},
		{"parent_counter_before,", forkRow},
		{"sec,nsec,jiffies_added", func(f *golden.Fields) {
			f.Same("jiffies_added", policy.NanosleepJiffies(f.Int("sec"), f.Int("nsec")))
		}},
		{"sequence,sample,active,", func(f *golden.Fields) { loadRow(f, load) }},
	}
}

// Claims implements golden.Format.
func (Vectors) Claims(_ string, head []byte) bool {
	_, ok := vectorFiles().Find(head)
	return ok
}

// Verify implements golden.Format.
func (Vectors) Verify(path string) (int, error) {
	raw, err := golden.Read(path)
	if err != nil {
		return 0, err
	}
	check, ok := vectorFiles().Find(raw)
	if !ok {
		return 0, errors.New("line 1: unknown columns")
	}
	if check == nil {
		up := strings.Contains(path, "_up")
		check = func(f *golden.Fields) { goodnessRow(f, up) }
	}
	return golden.EachRow(csv.NewReader(bytes.NewReader(raw)), check)
}

func goodnessRow(f *golden.Fields, up bool) {
	g, prev, left := policy.Goodness(policy.GoodnessInput{
		UP: up, Policy: uint8(f.Int("policy")), RTPriority: int32(f.Int("rt_priority")), Counter: int32(f.Int("counter")),
		Priority: int32(f.Int("priority")), SameCPU: f.Int("same_cpu") != 0, SameMM: f.Int("same_mm") != 0,
	})
	f.Same("goodness", g)
	f.Same("prev_goodness", prev)
	f.Same("policy_after_prev", left)
}

func rescheduleRow(f *golden.Fields) {
	in := policy.RescheduleInput{
		ThisCPU: int(f.Int("this_cpu")), SharesMMWith: int(f.Int("p_shares_mm_with_cpu")),
		CacheFlush: uint32(f.Int("cacheflush_time")), Processor: int32(f.Int("p_processor")), P: taskOf(f, "p_"),
	}
	for cpu := 0; f.Has("c" + strconv.Itoa(cpu) + "_idle"); cpu++ {
		at := "c" + strconv.Itoa(cpu) + "_"
		in.Current = append(in.Current, policy.CurrentInput{Idle: f.Int(at+"idle") != 0, Task: taskOf(f, at), AvgSlice: uint32(f.Int(at + "avg_slice"))})
	}
	target, ipi := policy.RescheduleIdle(in)
	f.Same("target_cpu", target)
	f.Same("ipi", ipi)
}

func taskOf(f *golden.Fields, at string) policy.TaskInput {
	return policy.TaskInput{
		Policy: uint8(f.Int(at + "policy")), RTPriority: int32(f.Int(at + "rt")), Counter: int32(f.Int(at + "counter")),
		Priority: int32(f.Int(at + "priority")), LockDepth: int32(f.Int(at + "lock_depth")),
	}
}

func niceRow(f *golden.Fields) {
	p := policy.NicePriority(int(f.Int("nice_arg")))
	f.Same("priority", p)
	f.Same("slice_ticks_from_zero", p+1)
	f.Same("ni_shown", policy.ProcNI(p))
}

func forkRow(f *golden.Fields) {
	half := policy.ForkCounter(int32(f.Int("parent_counter_before")))
	f.Same("parent_counter_after", half)
	f.Same("child_counter", half)
}

// loadRow filters the next sample of a sequence; each begins at zero.
func loadRow(f *golden.Fields, seq map[string]*stats.LinuxLoad) {
	name := f.Text("sequence")
	if seq[name] == nil || f.Int("sample") == 1 {
		seq[name] = &stats.LinuxLoad{}
	}
	l := seq[name]
	l.Filter(uint64(f.Int("active")))
	a := l.Raw()
	for i := range a {
		f.Same(fmt.Sprintf("avenrun%d", i), a[i])
	}
	f.Same("printed", l.String())
}
