package record

// maxThreads is how many threads a recording may have.
const maxThreads = 1 << 20

// threads finds the thread of a process id. An id that is used again after its thread
// has ended, or that is forked anew, is another thread.
type threads struct {
	list  []Thread
	byPID map[int32]int32 // looked up only
	gone  map[int32]bool  // pids whose thread has ended; looked up only
	full  bool
}

func (t *threads) init() { t.byPID, t.gone = map[int32]int32{}, map[int32]bool{} }

// get is the thread of a pid; name may be nil where the line does not tell it, or tells
// it wrongly. Pid 0 is the idle loop of its CPU.
func (t *threads) get(pid int32, name []byte) int32 {
	if pid == 0 {
		return None
	}
	i, ok := t.byPID[pid]
	if !ok {
		return t.add(pid, name)
	}
	if name != nil {
		t.name(i, name)
	}
	return i
}

func (t *threads) name(i int32, name []byte) {
	x := &t.list[i]
	if x.Name == string(name) || len(name) == 0 {
		return
	}
	x.Name = clean(name)
	if x.First == "" {
		x.First = x.Name
	}
}

func (t *threads) add(pid int32, name []byte) int32 {
	if len(t.list) == maxThreads {
		t.full = true
		return None
	}
	i := int32(len(t.list))
	t.list = append(t.list, Thread{PID: pid, Parent: None, Prio: -1})
	t.byPID[pid] = i
	if name != nil {
		t.name(i, name)
	}
	return i
}

// born is a thread that begins now, under a pid that may have been another's.
func (t *threads) born(pid int32, name []byte) int32 {
	i, ok := t.byPID[pid]
	if !ok || t.gone[pid] || !t.list[i].Born {
		delete(t.gone, pid)
		if i = t.add(pid, name); i != None {
			t.list[i].Born = true
		}
		return i
	}
	if name != nil {
		t.name(i, name)
	}
	return i
}

func (t *threads) died(i int32) {
	if i != None {
		t.gone[t.list[i].PID] = true
	}
}

// clean makes a name fit to be shown: valid text without control characters, of at most
// 64 bytes. The kernel's own have 15.
func clean(name []byte) string {
	const most = 64
	b := make([]byte, 0, min(len(name), most))
	for _, r := range string(name[:min(len(name), most)]) {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			r = '?'
		}
		b = append(b, string(r)...)
	}
	return string(b)
}
