package sim

import (
	"fmt"
	"sort"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// Probe is how quickly the wake-ups of a probing task were served: a ping, a
// shell at which somebody types.
type Probe struct {
	Name string
	Wakes
	// Alone is the same probe on the same machine with nothing else to do; empty
	// where the scenario has nothing else anyway.
	Alone Wakes
}

// Wakes are the served wake-ups of a task.
type Wakes struct {
	Count, InTick int64 // those served within the clock tick's length
	Max           clock.Duration
	Bins          [WakeBins]int64 // by wake-to-run time, see WakeBin
	// Recent are the last ones, oldest first.
	Recent []Wake
}

// Wake is one wake-up and how long it took to get a CPU.
type Wake struct {
	At   clock.Time
	Wait clock.Duration
}

// WakeBins is the number of bins: at once, and five decades from 0.1 ms to more
// than 1 s.
const WakeBins = 6

// wakeBins are the exclusive upper bounds of the bins after the first.
var wakeBins = [WakeBins - 2]clock.Duration{clock.Millisecond, 10 * clock.Millisecond, 100 * clock.Millisecond, clock.Second}

// WakeBin says what a bin counts.
func WakeBin(i int) string {
	return [...]string{"at once", "< 1 ms", "< 10 ms", "< 100 ms", "< 1 s", "1 s and more"}[i]
}

// WakeBinOf is the bin of a wait.
func WakeBinOf(wait clock.Duration) int {
	if wait <= 0 {
		return 0
	}
	bin := 1
	for bin < WakeBins-1 && wait >= wakeBins[bin-1] {
		bin++
	}
	return bin
}

// keepWakes is how many wake-ups a probe remembers one by one.
const keepWakes = 120

func (w *Wakes) add(at clock.Time, wait, tick clock.Duration) {
	w.Count++
	if wait < tick {
		w.InTick++
	}
	w.Max = max(w.Max, wait)
	w.Bins[WakeBinOf(wait)]++
	if len(w.Recent) == keepWakes {
		copy(w.Recent, w.Recent[1:])
		w.Recent = w.Recent[:keepWakes-1]
	}
	w.Recent = append(w.Recent, Wake{at, wait})
}

// Quantile is that of the waits in Recent, in percent from 0 to 99; 0 of none.
func (w *Wakes) Quantile(percent int) clock.Duration {
	if len(w.Recent) == 0 {
		return 0
	}
	waits := make([]clock.Duration, len(w.Recent))
	for i := range waits {
		waits[i] = w.Recent[i].Wait
	}
	sort.Slice(waits, func(i, j int) bool { return waits[i] < waits[j] })
	return waits[len(waits)*percent/100]
}

// snapshot copies w for a frame; Recent is written into the frame's own slice.
func (w *Wakes) snapshot(into *Wakes) {
	recent := into.Recent[:0]
	*into = *w
	into.Recent = append(recent, w.Recent...) //nolint:gocritic // the frame keeps its own storage
}

// probes watches the probing tasks of a run, and of one in which they are alone.
type probes struct {
	ledger *stats.Ledger // observes each event before
	eng    *engine.Engine
	tick   clock.Duration
	names  []string
	of     []int32      // by thread: its probe, −1 none
	woke   []clock.Time // by thread
	late   []late       // by thread: the last wake-up that was served too late
	wakes  []Wakes      // by probe
	alone  *Session     // nil: they are alone already
}

// late is a wake-up that was not served within the clock tick, and why.
type late struct {
	Wake
	placed, chosen sched.Reason
}

// watchProbes returns nil where the scenario has none.
func (s *Session) watchProbes() (*probes, error) {
	tasks := s.sc.Probes()
	if len(tasks) == 0 {
		return nil, nil
	}
	p := &probes{
		ledger: s.watch.ledger,
		eng:    s.eng,
		tick:   s.eng.Tick(), wakes: make([]Wakes, len(tasks)),
	}
	for _, t := range tasks {
		p.names = append(p.names, t.Name)
	}
	if len(tasks) < len(s.sc.Tasks) {
		p.alone = &Session{}
		if err := p.alone.start(s.sc.Alone()); err != nil {
			return nil, err
		}
		p.alone.watch.spans.KeepLittle() // nobody looks at it
	}
	return p, nil
}

// Observe implements trace.Observer.
func (p *probes) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Woke:
		if e.Cause != sched.Woken {
			return
		}
		p.grow(e.Thread)
		p.woke[e.Thread] = e.At
	case trace.On:
		p.grow(e.Thread)
		p.served(e)
	default:
	}
}

func (p *probes) served(e *trace.Event) {
	woke, i := p.woke[e.Thread], p.of[e.Thread]
	p.woke[e.Thread] = -1
	if woke < 0 || i < 0 {
		return
	}
	wait := e.At.Sub(woke)
	p.wakes[i].add(woke, wait, p.tick)
	if wait >= p.tick {
		p.late[e.Thread] = late{Wake{woke, wait}, p.ledger.Entry(e.Thread).Came, e.Why}
	}
}

// why tells why a probe's last late wake-up was late, "" if there was none.
func (p *probes) why(id sched.ThreadID, explain func(sched.Reason) string) []string {
	if p == nil || int(id) >= len(p.late) || p.late[id].Wait == 0 {
		return nil
	}
	l := &p.late[id]
	return []string{
		fmt.Sprintf("Served late the last time at %v, after %s.", l.At, Span(l.Wait)),
		"Then: " + explain(l.placed) + " Whoever looked in between found another task worth more, until: " + explain(l.chosen),
	}
}

// grow makes room for a thread, and finds out what it probes.
func (p *probes) grow(id sched.ThreadID) {
	for n := len(p.woke); n <= int(id); n++ {
		p.woke = append(p.woke, -1)
		p.late = append(p.late, late{})
		of := int32(-1)
		for i, name := range p.names {
			if t := p.eng.Threads()[n]; !t.Kernel && t.Name == name {
				of = int32(i)
			}
		}
		p.of = append(p.of, of)
	}
}

// snapshot writes the probes into a frame.
func (p *probes) snapshot(f *Frame) {
	if p == nil {
		f.Probes = nil
		return
	}
	if len(f.Probes) != len(p.names) {
		f.Probes = make([]Probe, len(p.names))
	}
	if p.alone != nil {
		// It can only fail where the run itself has failed.
		_ = p.alone.AdvanceTo(f.Now)
	}
	for i, name := range p.names {
		f.Probes[i].Name = name
		p.wakes[i].snapshot(&f.Probes[i].Wakes)
		if p.alone != nil {
			p.alone.probes.wakes[i].snapshot(&f.Probes[i].Alone)
		}
	}
}
