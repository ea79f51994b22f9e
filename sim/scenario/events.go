package scenario

import (
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/workload"
)

// events maps the beginning of a member's name to what it does. A member is an
// event when its name begins with one of these (RTAPP.md §3); longer names are
// tried first. A nil reader is an event of rt-app that is not built yet.
var events = []struct {
	name string
	do   func(b *builder, v value) error
}{
	{"runtime", nil},
	{"run", (*builder).run},
	{"sleep", (*builder).sleep},
	{"timer", nil},
	{"suspend", (*builder).suspend},
	{"resume", (*builder).resume},
	{"lock", nil},
	{"unlock", nil},
	{"wait", nil},
	{"signal", nil},
	{"broad", nil},
	{"sync", nil},
	{"barrier", nil},
	{"memrun", nil},
	{"mem", nil},
	{"iorun", nil},
	{"yield", (*builder).yield},
	{"fork", (*builder).fork},
	{"sem_post", (*builder).post},
	{"sem_wait", (*builder).acquire},
}

// eventNames are the names of all events.
var eventNames = func() []string {
	names := make([]string, 0, len(events))
	for _, e := range events {
		names = append(names, e.name)
	}
	return names
}()

// builder makes a task's program and the words that describe it.
type builder struct {
	workload.Builder
	name  string // of the task
	words []string
	forks []forkRef
	wakes []forkRef // whom it resumes
	spins bool      // so far nothing but running
}

func (b *builder) run(v value) error {
	n, err := v.integer(0, maxMicroseconds)
	if err != nil {
		return err
	}
	b.Do(workload.Instr{Op: workload.Run, D: clock.Duration(n) * clock.Microsecond})
	b.words = append(b.words, "runs "+inWords(n))
	return nil
}

func (b *builder) sleep(v value) error {
	n, err := v.integer(0, maxMicroseconds)
	if err != nil {
		return err
	}
	b.spins = false
	b.Do(workload.Instr{Op: workload.Sleep, D: clock.Duration(n) * clock.Microsecond})
	b.words = append(b.words, "sleeps "+inWords(n))
	return nil
}

// suspend waits until somebody resumes its task. Its value says nothing, as in
// rt-app (RTAPP.md §3).
func (b *builder) suspend(value) error {
	b.spins = false
	b.Do(workload.Instr{Op: workload.Suspend, Name: b.name})
	b.words = append(b.words, "waits to be resumed")
	return nil
}

func (b *builder) resume(v value) error {
	name, err := v.text()
	if err != nil {
		return err
	}
	b.spins = false
	b.wakes = append(b.wakes, forkRef{b.Len(), name, v})
	b.Do(workload.Instr{Op: workload.Resume, Name: name})
	b.words = append(b.words, "resumes "+name)
	return nil
}

func (b *builder) post(v value) error    { return b.semaphore(v, workload.Post, "posts ") }
func (b *builder) acquire(v value) error { return b.semaphore(v, workload.Acquire, "waits for ") }

func (b *builder) semaphore(v value, op workload.Op, verb string) error {
	name, err := v.text()
	if err != nil {
		return err
	}
	if name == "" {
		return v.errorf("a semaphore needs a name")
	}
	b.spins = false
	b.Do(workload.Instr{Op: op, Name: name})
	b.words = append(b.words, verb+name)
	return nil
}

// forkRef is a reference to a task that may stand further down in the file.
type forkRef struct {
	step int
	name string
	at   value
}

// fork starts a further thread that does what the named task does. It inherits
// class and parameters from its parent, as fork does, not from its task.
func (b *builder) fork(v value) error {
	name, err := v.text()
	if err != nil {
		return err
	}
	b.spins = false
	b.forks = append(b.forks, forkRef{b.Len(), name, v})
	b.Do(workload.Instr{Op: workload.Fork, Name: name})
	b.words = append(b.words, "forks "+name)
	return nil
}

func (b *builder) yield(value) error {
	b.spins = false
	b.Do(workload.Instr{Op: workload.Yield})
	b.words = append(b.words, "yields")
	return nil
}

// inWords writes microseconds as people would.
func inWords(us int64) string {
	switch {
	case us >= 1_000_000 && us%100_000 == 0:
		return strconv.FormatFloat(float64(us)/1e6, 'g', -1, 64) + " s"
	case us >= 1000 && us%100 == 0:
		return strconv.FormatFloat(float64(us)/1e3, 'g', -1, 64) + " ms"
	}
	return strconv.FormatInt(us, 10) + " µs"
}

func findEvent(name string) *struct {
	name string
	do   func(b *builder, v value) error
} {
	for i := range events {
		if strings.HasPrefix(name, events[i].name) {
			return &events[i]
		}
	}
	return nil
}
