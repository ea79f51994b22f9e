package linux6

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/golden"
	"strandscope/sim/policy/linuxcfs6"
	"strandscope/sim/policy/linuxeevdf"
	fair "strandscope/sim/policy/linuxfair"
)

// Vectors are answers of single functions, told apart by their columns.
type Vectors struct{}

// reader compares one row. The kernel's version comes from the folder's name.
type reader func(f *golden.Fields, v linuxeevdf.Version)

var readers = golden.ByHead[reader]{
	{"nice,weight,inv_weight", weightRow},
	{"nice,delta_ns,virtual_ns", virtualRow},
	{"nice,slice,V,vruntime,vlag", lagRow},
	{"nice,vruntime,deadline,slice,custom,base_slice", deadlineRow},
	{"queue(vruntime:nice),curr(vruntime:nice),base_slice", placeRow},
	{"queue(vruntime:deadline:nice),curr", pickRow},
	{"factor,queued_nices,nice,on_rq", sliceRow},
	{"factor,queued_nices,min_vruntime", placeCFSRow},
	{"wakeup_granularity_ns,curr_minus_woken", aheadRow},
	{"wakeup_granularity_ns,queue", pickCFSRow},
}

// Claims implements golden.Format.
func (Vectors) Claims(path string, head []byte) bool {
	if !strings.HasSuffix(path, ".csv") {
		return false
	}
	_, ok := readers.Find(head)
	return ok
}

// Verify implements golden.Format.
func (Vectors) Verify(path string) (int, error) {
	raw, err := golden.Read(path)
	if err != nil {
		return 0, err
	}
	read, _ := readers.Find(raw)
	v := linuxeevdf.V612
	if strings.Contains(path, "6.18") {
		v = linuxeevdf.V618
	}
	return golden.EachRow(csv.NewReader(strings.NewReader(string(raw))), func(f *golden.Fields) { read(f, v) })
}

func entity(nice, v, d int64, f *golden.Fields) *fair.Entity {
	e := &fair.Entity{V: v, D: d}
	if nice < -20 || nice > 19 {
		fail(f, fmt.Errorf("nice %d, want -20 to 19", nice))
		nice = 0
	}
	e.SetNice(int(nice), false)
	return e
}

func fail(f *golden.Fields, err error) {
	if f.Err == nil {
		f.Err = err
	}
}

// numbers splits a field at spaces and colons.
func numbers(f *golden.Fields, field string) (rows [][]int64) {
	for _, word := range strings.Fields(f.Text(field)) {
		var row []int64
		for _, n := range strings.Split(word, ":") {
			x, err := strconv.ParseInt(n, 10, 64)
			if err != nil {
				fail(f, fmt.Errorf("column %s: %w", field, err))
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	return rows
}

// entities are numbers of so many parts each.
func entities(f *golden.Fields, field string, parts int) (list []*fair.Entity, rows [][]int64) {
	rows = numbers(f, field)
	for _, n := range rows {
		if len(n) != parts {
			fail(f, fmt.Errorf("column %s: %d numbers in a group, want %d", field, len(n), parts))
			return nil, nil
		}
		switch parts {
		case 2:
			list = append(list, entity(n[1], n[0], 0, f))
		default:
			list = append(list, entity(n[2], n[0], n[1], f))
		}
	}
	return list, rows
}

func weightRow(f *golden.Fields, _ linuxeevdf.Version) {
	e := entity(f.Int("nice"), 0, 0, f)
	f.Same("weight", e.Weight)
	f.Same("inv_weight", e.Inverse)
}

func virtualRow(f *golden.Fields, _ linuxeevdf.Version) {
	f.Same("virtual_ns", entity(f.Int("nice"), 0, 0, f).Virtual(f.Int("delta_ns")))
}

func lagRow(f *golden.Fields, v linuxeevdf.Version) {
	q := linuxeevdf.New(v, 700_000)
	q.Zero = f.Int("V")
	e := entity(f.Int("nice"), f.Int("vruntime"), 0, f)
	e.Slice = f.Int("slice")
	f.Same("vlag", q.LagOf(e))
}

func deadlineRow(f *golden.Fields, v linuxeevdf.Version) {
	q := linuxeevdf.New(v, f.Int("base_slice"))
	e := entity(f.Int("nice"), f.Int("vruntime"), f.Int("deadline"), f)
	e.Slice, e.Custom = f.Int("slice"), f.Int("custom") == 1
	expired := 0
	if q.UpdateDeadline(e) {
		expired = 1
	}
	f.Same("expired", expired)
	f.Same("new_deadline", e.D)
	f.Same("new_slice", e.Slice)
}

// fill puts recorded entities into a queue as they are; curr is on the CPU.
func fill(q *linuxeevdf.Queue, queue, curr []*fair.Entity) {
	for _, e := range queue {
		q.Restore(e)
	}
	for _, e := range curr {
		e.OnRQ = true
		q.Curr = e
		q.N++
	}
}

func placeRow(f *golden.Fields, v linuxeevdf.Version) {
	q := linuxeevdf.New(v, f.Int("base_slice"))
	queue, _ := entities(f, "queue(vruntime:nice)", 2)
	curr, _ := entities(f, "curr(vruntime:nice)", 2)
	fill(q, queue, curr)
	if q.N == 0 {
		q.Zero = f.Int("V")
	}
	f.Same("V", q.Mean())
	e := entity(f.Int("nice"), 0, 0, f)
	e.Lag = f.Int("vlag")
	if f.Text("custom_slice") != "" {
		e.Slice, e.Custom = f.Int("custom_slice"), true
	}
	if f.Text("rel_deadline") != "" {
		e.D, e.Rel = f.Int("rel_deadline"), true
	}
	q.Place(e, f.Int("initial") == 1)
	f.Same("vruntime", e.V)
	f.Same("deadline", e.D)
	f.Same("slice", e.Slice)
}

func pickRow(f *golden.Fields, v linuxeevdf.Version) {
	q := linuxeevdf.New(v, 700_000)
	queue, _ := entities(f, "queue(vruntime:deadline:nice)", 3)
	curr, rows := entities(f, "curr(vruntime:deadline:nice:protected)", 4)
	fill(q, queue, curr)
	for i, e := range curr {
		// Protection ends at the deadline of 6.12, before a virtual time of 6.18.
		switch protected := rows[i][3] == 1; {
		case v == linuxeevdf.V612 && protected:
			e.Protect = e.D
		case v == linuxeevdf.V612:
			e.Protect = e.D + 1
		case protected:
			e.Protect = e.V + 1
		default:
			e.Protect = e.V
		}
	}
	f.Same("V", q.Mean())
	flags := ""
	for _, e := range append(append([]*fair.Entity{}, queue...), curr...) {
		if q.Eligible(e) {
			flags += "1"
		} else {
			flags += "0"
		}
	}
	f.Same("eligible(queue then curr)", flags)
	f.Same("picked(0-based index in queue; -1 curr)", indexOf(queue, q.Chosen()))
}

// indexOf is where an entity is in the queue, −1 for the current one, −2 for none.
func indexOf(queue []*fair.Entity, e *fair.Entity) int {
	if e == nil {
		return -2
	}
	for i, x := range queue {
		if x == e {
			return i
		}
	}
	return -1
}

// queueCFS is a queue with tasks of recorded nice values in it.
func queueCFS(f *golden.Fields) (*linuxcfs6.Queue, []*fair.Entity) {
	q := linuxcfs6.New(linuxcfs6.Defaults(f.Int("factor")))
	var list []*fair.Entity
	for _, n := range numbers(f, "queued_nices") {
		e := entity(n[0], 0, 0, f)
		q.Restore(e)
		list = append(list, e)
	}
	return q, list
}

func sliceRow(f *golden.Fields, _ linuxeevdf.Version) {
	q, list := queueCFS(f)
	e := entity(f.Int("nice"), 0, 0, f)
	if f.Int("on_rq") == 1 {
		if len(list) == 0 || list[0].Nice != e.Nice {
			fail(f, fmt.Errorf("the task is not the first of those queued"))
			return
		}
		e = list[0]
	}
	f.Same("slice_ns", q.SliceOf(e))
	f.Same("vslice_ns", q.VirtualSlice(e))
}

func placeCFSRow(f *golden.Fields, _ linuxeevdf.Version) {
	q, _ := queueCFS(f)
	q.Min = f.Int("min_vruntime")
	e := entity(f.Int("nice"), f.Int("vruntime_before"), 0, f)
	q.Place(e, f.Int("initial") == 1)
	f.Same("vruntime_after", e.V)
}

func aheadRow(f *golden.Fields, _ linuxeevdf.Version) {
	q := linuxcfs6.New(linuxcfs6.Tunables{WakeupGranularity: f.Int("wakeup_granularity_ns")})
	curr, woken := entity(0, f.Int("curr_minus_woken_vruntime"), 0, f), entity(f.Int("woken_nice"), 0, 0, f)
	f.Same("result", q.Ahead(curr, woken))
}

func pickCFSRow(f *golden.Fields, _ linuxeevdf.Version) {
	t := linuxcfs6.Defaults(1)
	t.WakeupGranularity = f.Int("wakeup_granularity_ns")
	q := linuxcfs6.New(t)
	queue, _ := entities(f, "queue(vruntime:nice)", 2)
	curr, _ := entities(f, "curr(vruntime:nice)", 2)
	for _, e := range queue {
		q.Restore(e)
	}
	for _, e := range curr {
		q.Restore(e)
		q.Tree.Remove(e)
		q.Curr = e
	}
	mark := func(field string) *fair.Entity {
		if f.Text(field) == "" {
			return nil
		}
		switch i := f.Int(field); {
		case i >= 0 && int(i) < len(queue):
			return queue[i]
		case i == -1 && q.Curr != nil:
			return q.Curr
		}
		fail(f, fmt.Errorf("column %s: nobody is at %s", field, f.Text(field)))
		return nil
	}
	q.Next, q.Last, q.Skip = mark("next"), mark("last"), mark("skip(0-based index in queue; -1 curr; empty none)")
	f.Same("picked", indexOf(queue, q.Pick()))
}
