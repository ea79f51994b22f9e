package scenario

import (
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/workload"
)

// events maps the beginning of a member's name to what it does. A member is an
// event when its name begins with one of these (RTAPP.md §3); longer names are
// tried first.
var events = []struct {
	name string
	do   func(b *builder, v value) error
}{
	{"runtime", (*builder).busy},
	{"run", (*builder).run},
	{"sleep", (*builder).sleep},
	{"timer", (*builder).timer},
	{"suspend", (*builder).suspend},
	{"resume", (*builder).resume},
	{"lock", func(b *builder, v value) error { return b.named(v, workload.Lock, "locks ") }},
	{"unlock", func(b *builder, v value) error { return b.named(v, workload.Unlock, "unlocks ") }},
	{"wait", (*builder).wait},
	{"signal", func(b *builder, v value) error { return b.named(v, workload.Signal, "signals ") }},
	{"broad", func(b *builder, v value) error { return b.named(v, workload.Broadcast, "signals all of ") }},
	{"sync", (*builder).sync},
	{"barrier", (*builder).barrier},
	{"memrun", (*builder).memrun},
	{"mem", func(b *builder, v value) error { return b.bytes(v, "memory written") }},
	{"iorun", func(b *builder, v value) error { return b.bytes(v, "written to a device") }},
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
	// barriers are the names of those it comes to, changes the parameters that its
	// phases ask for, and timers its own ones by name.
	barriers []string
	changes  []Change
	timers   map[string]int32
	base     Task // what phases begin from
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

func (b *builder) post(v value) error    { return b.named(v, workload.Post, "posts ") }
func (b *builder) acquire(v value) error { return b.named(v, workload.Acquire, "waits for ") }

// named is a step on something that threads share by name.
func (b *builder) named(v value, op workload.Op, verb string) error {
	name, err := v.text()
	if err != nil {
		return err
	}
	if name == "" {
		return v.errorf("empty, want a name")
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

// busy computes until a time has passed, whoever had the CPU meanwhile.
func (b *builder) busy(v value) error {
	n, err := v.integer(0, maxMicroseconds)
	if err != nil {
		return err
	}
	b.spins = false
	b.Do(workload.Instr{Op: workload.Busy, D: clock.Duration(n) * clock.Microsecond})
	b.words = append(b.words, "is busy for "+inWords(n))
	return nil
}

// timer sleeps until the next release of a timer. One whose name begins with unique
// is the thread's own, any other is shared (RTAPP.md §3).
func (b *builder) timer(v value) error {
	ref, mode := "", "relative"
	period := int64(-1)
	err := v.read(fields{
		"ref": intoText(&ref), "mode": intoWord(&mode, "relative", "absolute"),
		"period": func(v value) (err error) { period, err = v.integer(1, maxMicroseconds); return err },
	}, nil)
	switch {
	case err != nil:
		return err
	case period < 0:
		return v.under("period").errorf("missing, want microseconds")
	case ref == "":
		return v.under("ref").errorf("missing, want a name")
	}
	b.spins = false
	in := workload.Instr{Op: workload.Period, D: clock.Duration(period) * clock.Microsecond, Grid: mode == "absolute", Name: ref}
	if strings.HasPrefix(ref, "unique") {
		in.Name = ""
		if b.timers == nil {
			b.timers = map[string]int32{}
		}
		slot, ok := b.timers[ref]
		if !ok {
			slot = b.NewTimer()
			b.timers[ref] = slot
		}
		in.Slot = slot
	}
	b.Do(in)
	b.words = append(b.words, "comes every "+inWords(period))
	return nil
}

// condition reads what wait and sync name.
func (v value) condition() (ref, mutex string, err error) {
	err = v.read(fields{"ref": intoText(&ref), "mutex": intoText(&mutex)}, nil)
	switch {
	case err != nil:
	case ref == "":
		err = v.under("ref").errorf("missing, want the name of a condition")
	case mutex == "":
		err = v.under("mutex").errorf("missing, want the name of a mutex")
	}
	return ref, mutex, err
}

func (b *builder) wait(v value) error {
	ref, mutex, err := v.condition()
	if err != nil {
		return err
	}
	b.spins = false
	b.await(ref, mutex)
	b.words = append(b.words, "waits for "+ref)
	return nil
}

func (b *builder) await(ref, mutex string) {
	b.Do(workload.Instr{Op: workload.Await, Name: ref, Other: mutex})
	b.Do(workload.Instr{Op: workload.Lock, Name: mutex})
}

// sync locks, signals, waits and unlocks in one.
func (b *builder) sync(v value) error {
	ref, mutex, err := v.condition()
	if err != nil {
		return err
	}
	b.spins = false
	b.Do(workload.Instr{Op: workload.Lock, Name: mutex})
	b.Do(workload.Instr{Op: workload.Signal, Name: ref})
	b.await(ref, mutex)
	b.Do(workload.Instr{Op: workload.Unlock, Name: mutex})
	b.words = append(b.words, "synchronizes by "+ref)
	return nil
}

func (b *builder) barrier(v value) error {
	if err := b.named(v, workload.Barrier, "comes to the barrier "); err != nil {
		return err
	}
	name, _ := v.text()
	b.barriers = append(b.barriers, name)
	return nil
}

// bytes is a short run, as nobody models memory here: a nanosecond for each byte.
func (b *builder) bytes(v value, what string) error {
	n, err := v.integer(0, 1<<40)
	if err != nil {
		return err
	}
	us := (n + 999) / 1000
	v.note("%d bytes %s are read as a run of %s: memory and devices are not modelled", n, what, inWords(us))
	b.spins = false
	b.Do(workload.Instr{Op: workload.Run, D: clock.Duration(us) * clock.Microsecond})
	b.words = append(b.words, "runs "+inWords(us))
	return nil
}

// memrun is left out: what it costs depends on caches that are not modelled.
func (b *builder) memrun(v value) error {
	v.note("left out: memory is not modelled")
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
