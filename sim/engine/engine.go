package engine

import (
	"errors"
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Timing says what one interrupt is. See the package comment.
type Timing uint8

// The timings.
const (
	Clock Timing = iota
	Local
	Precise
	Unison
	Hires
)

func (t Timing) String() string {
	return [...]string{"clock", "local", "precise", "unison", "hires"}[t]
}

// MaxThreads is the largest number of threads that is accepted, kernel threads
// left out.
const MaxThreads = 100_000

// maxServe bounds how often one instant may serve CPUs before the engine says
// that the policy never settles.
const maxServe = 1_000_000

// Set is a processor set: its CPUs leave the default set 0.
type Set struct {
	ID   int
	CPUs []int
}

// Config is what a run is made of.
type Config struct {
	Machine  *machine.Machine
	Policy   sched.Policy
	Timing   Timing
	HZ       int // clock ticks a second
	ClockCPU int // the CPU that takes the clock interrupt
	Seed     uint64
	Sets     []Set
	// LocalPhase is how long after the timer chip's interrupt each CPU's own comes
	// (Local timing); LocalOrder is the order of those of one instant. Empty: at
	// once, by id.
	LocalPhase []clock.Duration
	LocalOrder []int
	// SleepTicks is how many ticks a sleep takes, where the kernel counts whole
	// ticks from the present one on.
	SleepTicks func(d clock.Duration) int64
	// OwnTimers, under Local timing: a sleep ends in the clock interrupt of the CPU on
	// which it began, after that CPU's tick, and so does the policy's balancing.
	OwnTimers bool
	// NewestFirst: of the sleeps that end in one tick, the one begun last wakes
	// first.
	NewestFirst bool
	// SleepOnTicks: a sleep ends on the first clock tick that is not too
	// early, as in kernels whose timeouts live in the clock interrupt.
	SleepOnTicks bool
	// EveryTick: no clock tick is skipped, and each observer is told of each event. It
	// takes longer, and nothing else is different.
	EveryTick bool
	Observers []trace.Observer
}

// Engine is one run. It is not safe for concurrent use.
type Engine struct {
	cfg   Config
	m     *machine.Machine
	pol   sched.Policy
	idler sched.Idler
	retur sched.Returner
	expir sched.Expirer
	balan sched.Balancer
	prior sched.Prioritizer
	pacer sched.Pacer

	skipper sched.Skipper
	grain   clock.Duration // 0: bursts end when their work is done

	now    clock.Time
	tick   clock.Duration
	ticks  int64
	clocks ticks
	events clock.Queue[event]
	orders *[evLocal + 1]clock.Order
	prune  int // length at which stale events are dropped
	rand   clock.Rand

	cpus    []*sched.CPU
	state   []cpuState
	slots   []machine.Permille // issue slots used, by pipeline
	cpis    []machine.CPI      // scratch of retime
	speeds  []machine.Permille
	threads []*sched.Thread
	kernels int // kernel threads among them
	tasks   []task
	timers  []timer

	suspended, semaphores map[string]*waitQueue // never walked
	sync                  sync

	pending pendingCPUs
	here    *sched.CPU
	context sched.Context

	inTick  *sched.CPU // whose clock interrupt this is, where CPUs have own timers
	wakes   int32      // sleeps begun so far
	giveWay *sched.CPU
	obs     []trace.Observer
	told    [trace.NumKinds][]trace.Observer // of obs, who is told of a kind
	event   trace.Event                      // the one being observed
	count   int64                            // events emitted
	handled int64                            // events and ticks dealt with
	err     error
	halt    bool // AdvanceSome returns after this instant
}

type eventKind uint8

const (
	evTick eventKind = iota
	evDone
	evWake
	evStart
	evTimer
	evSlice
	evLocal
)

// event is what waits in the queue: what to do to which CPU, thread or timer.
// gen makes a stale event harmless: it no longer matches its owner's.
type event struct {
	kind eventKind
	id   int32
	gen  uint32
}

// contexts of the events that are served alone.
var contexts = [...]sched.Context{
	evTick: sched.InTimer, evTimer: sched.InTimer, evWake: sched.InTimer, evStart: sched.InTimer,
	evLocal: sched.InTick, evDone: sched.InTimer, evSlice: sched.InTick,
}

// The order of kinds within one instant, by timing.
var orders = [...][evLocal + 1]clock.Order{
	Clock:   {evTick: 0, evDone: 1, evTimer: 2, evWake: 3, evSlice: 4, evStart: 5, evLocal: 6},
	Local:   {evTick: 0, evTimer: 1, evWake: 2, evLocal: 3, evDone: 4, evSlice: 5, evStart: 6},
	Precise: {evTick: 0, evDone: 1, evTimer: 2, evWake: 3, evSlice: 4, evStart: 5, evLocal: 6},
	// Textbooks close a unit before they open the next: what ran ends, then
	// arrivals enter by number, then those whose I/O is complete.
	Unison: {evTick: 0, evDone: 1, evSlice: 2, evTimer: 3, evStart: 4, evWake: 5, evLocal: 6},
	// High-resolution timers: the tick is the last of them.
	Hires: {evDone: 0, evTimer: 1, evStart: 2, evWake: 3, evTick: 4, evSlice: 5, evLocal: 6},
}

// New boots a policy on a machine. No thread exists yet but the policy's own.
func New(cfg Config) (*Engine, error) {
	if cfg.Machine == nil || cfg.Policy == nil {
		return nil, errors.New("engine: a machine and a policy are needed")
	}
	if cfg.HZ < 1 || cfg.HZ > 10_000 {
		return nil, fmt.Errorf("engine: hz %d, want 1 to 10000", cfg.HZ)
	}
	n := len(cfg.Machine.CPUs)
	if cfg.ClockCPU < 0 || cfg.ClockCPU >= n {
		return nil, fmt.Errorf("engine: clock CPU %d, the machine has 0 to %d", cfg.ClockCPU, n-1)
	}
	e := &Engine{
		cfg: cfg, m: cfg.Machine, pol: cfg.Policy,
		tick:   clock.Second / clock.Duration(cfg.HZ),
		orders: &orders[cfg.Timing],
		rand:   clock.NewRand(cfg.Seed, 1<<32),
		state:  make([]cpuState, n),
		slots:  make([]machine.Permille, len(cfg.Machine.Pipelines)),
	}
	e.observers(cfg.Observers)
	e.idler, _ = cfg.Policy.(sched.Idler)
	e.retur, _ = cfg.Policy.(sched.Returner)
	e.expir, _ = cfg.Policy.(sched.Expirer)
	e.balan, _ = cfg.Policy.(sched.Balancer)
	e.prior, _ = cfg.Policy.(sched.Prioritizer)
	e.pacer, _ = cfg.Policy.(sched.Pacer)
	if !cfg.EveryTick {
		e.skipper, _ = cfg.Policy.(sched.Skipper)
	}
	if g, ok := cfg.Policy.(sched.Grainer); ok {
		e.grain = g.Grain()
	}
	if f, ok := cfg.Policy.(sched.Foreseer); ok {
		f.Foresee(oracle{e})
	}
	store := make([]sched.CPU, n)
	for i := range store {
		store[i] = sched.CPU{ID: i, Core: cfg.Machine.CPUs[i].Core, Online: true}
		e.cpus = append(e.cpus, &store[i])
		e.state[i].pipe = cfg.Machine.CPUs[i].Pipeline
		e.state[i].rate, e.state[i].base, e.state[i].pace = 1000, 1000, 1000
	}
	if err := e.makeSets(); err != nil {
		return nil, err
	}
	e.pending.init(n, cfg.Timing == Clock)
	e.here = e.cpus[cfg.ClockCPU]
	if err := e.pol.Boot(kernel{e}); err != nil {
		return nil, err
	}
	e.armTicks()
	if e.idler != nil {
		for _, c := range e.cpus {
			e.wakeIdle(c)
		}
	}
	e.settleInterrupt(e.here, sched.InBoot)
	return e, e.err
}

func (e *Engine) makeSets() error {
	for _, s := range e.cfg.Sets {
		if s.ID < 1 {
			return fmt.Errorf("engine: processor set %d, ids begin at 1", s.ID)
		}
		for _, id := range s.CPUs {
			if id < 0 || id >= len(e.cpus) {
				return fmt.Errorf("engine: processor set %d: CPU %d, the machine has 0 to %d", s.ID, id, len(e.cpus)-1)
			}
			if e.cpus[id].Set != 0 {
				return fmt.Errorf("engine: CPU %d is in processor sets %d and %d", id, e.cpus[id].Set, s.ID)
			}
			e.cpus[id].Set = s.ID
		}
	}
	if _, ok := e.firstCPU(0); !ok {
		return errors.New("engine: the default processor set must keep a CPU")
	}
	return nil
}

// firstCPU is the lowest on-line CPU of a processor set; ok is false when it has none.
func (e *Engine) firstCPU(set int) (int, bool) {
	for _, c := range e.cpus {
		if c.Set == set && c.Online {
			return c.ID, true
		}
	}
	return 0, false
}

// Now is the time reached.
func (e *Engine) Now() clock.Time { return e.now }

// Machine is what the run runs on.
func (e *Engine) Machine() *machine.Machine { return e.m }

// Tick is the length of a clock tick.
func (e *Engine) Tick() clock.Duration { return e.tick }

// Next is the time of the next instant at which anything happens; clock.Never if
// there is none.
func (e *Engine) Next() clock.Time {
	key, _ := e.events.Peek()
	return min(key.At, e.clocks.next())
}

// Done measures how much was done so far: events emitted, and those dealt with.
func (e *Engine) Done() int64 { return e.count + e.handled }

// Events is the number of events emitted so far.
func (e *Engine) Events() int64 { return e.count }

// CPUs are listed by id. They are only to be read.
func (e *Engine) CPUs() []*sched.CPU { return e.cpus }

// Threads are listed by id. They are only to be read.
func (e *Engine) Threads() []*sched.Thread { return e.threads }

// Observe adds an observer from now on.
func (e *Engine) Observe(o trace.Observer) {
	e.observers(append(e.obs[:len(e.obs):len(e.obs)], o))
}

// Unobserve takes an observer away that Observe was given.
func (e *Engine) Unobserve(o trace.Observer) {
	var rest []trace.Observer
	for _, x := range e.obs {
		if x != o {
			rest = append(rest, x)
		}
	}
	e.observers(rest)
}

// observers tells these of events, in order. The lists are new ones: this may be asked
// for while the old are walked.
func (e *Engine) observers(obs []trace.Observer) {
	e.obs = obs
	e.told = [trace.NumKinds][]trace.Observer{}
	for _, o := range obs {
		kinds := ^trace.Kinds(0)
		if c, ok := o.(trace.Chooser); ok && !e.cfg.EveryTick {
			kinds = c.Kinds()
		}
		for k := range e.told {
			if kinds.Has(trace.Kind(k)) {
				e.told[k] = append(e.told[k], o)
			}
		}
	}
}

// Halt makes AdvanceSome return when the present instant is over. An observer
// may call it.
func (e *Engine) Halt() { e.halt = true }

// AdvanceTo lets time pass up to and including t.
func (e *Engine) AdvanceTo(t clock.Time) error {
	_, err := e.AdvanceSome(t, 1<<62)
	return err
}

// AdvanceSome is AdvanceTo, but it returns early once about so many events were
// emitted or, where bursts end without one, dealt with, and when Halt was called.
// It reports whether t was reached. Wherever it stops, the same events follow.
func (e *Engine) AdvanceSome(t clock.Time, events int64) (bool, error) {
	stop := e.Done() + events
	for e.err == nil {
		e.skip(t)
		at := e.Next()
		if at > t {
			e.now = max(e.now, t)
			return true, nil
		}
		if e.Done() >= stop {
			return false, nil
		}
		e.instant(at)
		if e.halt {
			e.halt = false
			return false, e.err
		}
	}
	return false, e.err
}

// instant runs all events of one time, in order.
func (e *Engine) instant(at clock.Time) {
	e.now = at
	e.here = e.cpus[e.cfg.ClockCPU]
	dirty := false
	for e.err == nil {
		ev, ok := e.take(at)
		if !ok {
			break
		}
		e.handled++
		together := e.grouped(ev.kind)
		if !together && dirty {
			e.settleInterrupt(e.cpus[e.cfg.ClockCPU], sched.InTimer)
		}
		e.handle(ev)
		dirty = together
		if !together && !e.tickGoesOn(ev) {
			e.settleInterrupt(e.here, contexts[ev.kind])
		}
	}
	if dirty {
		e.settleInterrupt(e.cpus[e.cfg.ClockCPU], sched.InTimer)
	}
}

// take is the next event of one time; ok is false when there is none.
func (e *Engine) take(at clock.Time) (event, bool) {
	if e.clocks.next() == at {
		if ev, ok := e.takeTick(at); ok {
			return ev, true
		}
	}
	if key, _ := e.events.Peek(); key.At != at {
		return event{}, false
	}
	_, ev := e.events.Pop()
	return ev, true
}

func (e *Engine) handle(ev event) {
	// Serving CPUs may have moved on from the CPU that takes interrupts.
	e.here = e.cpus[e.cfg.ClockCPU]
	switch ev.kind {
	case evTick:
		e.clockTick()
	case evDone:
		if e.isLive(ev) {
			e.burstDone(e.cpus[ev.id])
		}
	case evWake:
		t := e.threads[ev.id]
		if e.inTick != nil {
			e.here = e.inTick
		} else if (e.cfg.OwnTimers || e.cfg.Timing == Hires) && e.isLive(ev) {
			e.here = e.cpus[t.CPU] // its timer is where it went to sleep
		}
		if e.isLive(ev) {
			e.wake(t)
		}
	case evStart:
		e.start(e.threads[ev.id])
	case evTimer:
		e.fireTimer(int(ev.id))
	case evLocal:
		e.localTick(e.cpus[ev.id])
	case evSlice:
		if e.isLive(ev) && e.expir != nil && !e.stopping(e.cpus[ev.id]) {
			e.here = e.cpus[ev.id]
			e.expir.Expire(e.cpus[ev.id])
		}
	}
}

func (e *Engine) clockTick() {
	e.ticks++
	e.second()
	if e.ticks%(int64(e.cfg.HZ)*settleEvery) == 0 {
		for _, c := range e.cpus {
			e.settle(c)
		}
	}
	if e.cfg.Timing != Local {
		for _, c := range e.cpus {
			e.pol.Tick(c)
			e.chargeTick(c)
		}
	}
}

func (e *Engine) push(at clock.Time, kind eventKind, id int32, gen uint32) {
	order, tie := e.orders[kind], id
	switch {
	case kind == evWake && e.cfg.NewestFirst:
		e.wakes++
		tie = -e.wakes
	case kind == evWake && e.cfg.Timing == Hires:
		tie = 0 // who went to sleep first
	case kind == evWake && e.cfg.OwnTimers:
		order, tie = e.orders[evLocal], 2*e.clocks.localOrder[e.threads[id].CPU]+1
	}
	if e.events.Len() >= e.prune {
		e.events.Prune(e.isLive)
		e.prune = max(minPrune, 2*e.events.Len())
	}
	e.events.Push(at, order, tie, event{kind, id, gen})
}

// minPrune is the length from which on the queue of events is pruned. Bursts
// that are timed anew leave their old end behind, perhaps hours ahead.
const minPrune = 4096

// settleEvery is after how many seconds all bursts are settled, so that the
// work of one that is never disturbed does not overflow its count.
const settleEvery = 24 * 3600

// isLive reports whether an event still matches its owner.
func (e *Engine) isLive(ev event) bool {
	switch ev.kind {
	case evDone:
		return e.state[ev.id].gen == ev.gen
	case evSlice:
		return e.state[ev.id].sliceGen == ev.gen
	case evWake:
		return e.tasks[ev.id].sleepGen == ev.gen
	default:
		return true
	}
}

func (e *Engine) emit(ev trace.Event) {
	// Observers get a pointer, and a pointer to a local would be allocated anew
	// for every event.
	e.event = ev
	p := &e.event
	p.At = e.now
	p.Pri = -1
	if p.Thread >= 0 && e.prior != nil {
		p.Pri = int16(e.prior.Priority(e.threads[p.Thread]))
	}
	e.count++
	for _, o := range e.told[p.Kind] {
		o.Observe(p)
	}
}

// fail stops the run: an invariant is broken, by the engine or by its policy.
func (e *Engine) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("engine: at %v: "+format, append([]any{e.now}, args...)...)
	}
}
