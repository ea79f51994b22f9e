package recorded_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/record"
	"strandscope/sim/recorded"
)

// generator writes ftrace text of any length: hogs on four CPUs that take turns, and
// sleepers that are woken among them.
type generator struct {
	n    int64
	line []byte
}

func (g *generator) next() []byte {
	cpu := g.n % 4
	us := g.n * 997 / 4
	at := func(extra int64) string {
		return fmt.Sprintf("%5d.%06d", (us+extra)/1_000_000+10, (us+extra)%1_000_000)
	}
	a, b := g.n/4%50, (g.n/4+1)%50
	pid := func(i int64) int64 { return 100 + cpu*50 + i }
	g.line = g.line[:0]
	if g.n%8 < 4 {
		g.line = fmt.Appendf(g.line, "           hog%d-%d     [%03d] dNh3. %s: sched_wakeup: comm=hog%d pid=%d prio=120 target_cpu=%03d\n",
			a, pid(a), cpu, at(0), b, pid(b), cpu)
	}
	state := "R"
	if g.n%8 < 4 {
		state = "S"
	}
	g.line = fmt.Appendf(g.line, "           hog%d-%d     [%03d] d..2. %s: sched_switch: prev_comm=hog%d prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=hog%d next_pid=%d next_prio=120\n",
		a, pid(a), cpu, at(1), a, pid(a), state, b, pid(b))
	g.n++
	return g.line
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A large file needs its index and what the observers keep, which does not grow: the heap
// per record is that of the index. IMPORT_MB is how large; 100 takes some seconds.
func TestMemoryIsFlatBeyondTheIndex(t *testing.T) {
	megabytes := 6
	if text := os.Getenv("IMPORT_MB"); text != "" {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		megabytes = n
	}
	before := heap()
	r := record.NewReader()
	var g generator
	var piece []byte
	size := 0
	most := uint64(0)
	for size < megabytes<<20 {
		piece = piece[:0]
		for len(piece) < 256<<10 {
			piece = append(piece, g.next()...)
		}
		size += len(piece)
		require.NoError(t, r.Feed(piece))
		if size>>23 != (size-len(piece))>>23 { // each 8 MB
			most = max(most, heap()-before-uint64(r.Records())*32)
		}
	}
	tr, err := r.Close()
	require.NoError(t, err)
	assert.Empty(t, tr.Notes.List)
	index := int64(tr.Len()) * 32
	spent := int64(heap()-before) - index
	assert.Less(t, spent, int64(1<<20), "beyond the index")
	run, err := recorded.New(tr, recorded.Options{})
	require.NoError(t, err)
	require.NoError(t, run.AdvanceTo(run.End()))
	require.NoError(t, run.Finish())
	all := int64(heap()-before) - index
	// Marks, grids and plots of the timeline have 37 MB at most (ARCHITECTURE, The past).
	assert.Less(t, all, int64(45<<20), "beyond the index, with all observers")
	assert.Less(t, most, uint64(2<<20), "while it was read")
	t.Logf("%d MB, %d records, index %d MB, other heap %d kB after reading, %d MB with observers",
		size>>20, tr.Len(), index>>20, spent>>10, all>>20)
	runtime.KeepAlive(run)
}
