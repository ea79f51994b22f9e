package stats

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/trace"
)

// LoadAverage is a kernel's load average as an observer.
type LoadAverage interface {
	trace.Observer
	// Avenrun are the averages of 1, 5 and 15 minutes in 1/256 threads.
	Avenrun() [3]int64
}

// Ring and scale of the load average (uts/common/os/clock.c: clock, loadavg,
// genloadavg, calcloadavg; shared/reference/solaris/FACTS.md §9).
const (
	ringSize   = 11
	ringUsed   = 10
	nsPer128th = 7_812_500 // ns of CPU and wait in a second for 1/128 thread
)

// weights of the 1, 5 and 15 minute averages.
var weights = [3]int64{135, 27, 9}

// SolarisFilter is the arithmetic behind the load average: a moving average of
// ten seconds, then three exponential filters in 48.16 fixed point.
type SolarisFilter struct {
	ring [ringSize]int64
	n    int // seconds that went through the ring
	next int
	hp   [3]int64
}

// Second takes the CPU time and run-queue wait of one second, in ns.
func (f *SolarisFilter) Second(delta int64) {
	f.ring[f.next] = delta
	f.next = (f.next + 1) % ringSize
	f.n++
	f.Step(f.average())
}

// average is the load of the last seconds in 1/128 threads.
func (f *SolarisFilter) average() int64 {
	n := min(f.n, ringUsed)
	if n == 0 {
		return 0
	}
	var sum int64
	for i := 1; i <= n; i++ {
		sum += f.ring[(f.next-i+ringSize)%ringSize]
	}
	return sum / int64(n) / nsPer128th
}

// Load is the load of the last seconds in 1/128 threads, as filtered last.
func (f *SolarisFilter) Load() int64 { return f.average() }

// Step filters one load in 1/128 threads (calcloadavg).
func (f *SolarisFilter) Step(load int64) {
	for i, w := range weights {
		h := f.hp[i]
		q := (h >> 16) * 128
		r := (h & 65535) * 128
		f.hp[i] = h + (((load-q)*w - ((r * w) >> 16)) >> 4)
	}
}

// HP are the raw 48.16 values, SetHP stores them.
func (f *SolarisFilter) HP() [3]int64 { return f.hp }

// SetHP stores raw values.
func (f *SolarisFilter) SetHP(hp [3]int64) { f.hp = hp }

// Avenrun are the averages in 1/256 threads.
func (f *SolarisFilter) Avenrun() [3]int64 {
	var a [3]int64
	for i, h := range f.hp {
		a[i] = min(h>>8, 0x7fffffff)
	}
	return a
}

// LoadText prints an average in 1/256 threads as uptime does: "%.2f".
func LoadText(avenrun int64) string { return fmt.Sprintf("%.2f", float64(avenrun)/256) }

// SolarisLoad is the load average as an observer: once a second it adds up what
// every CPU's time and run-queue wait grew by.
type SolarisLoad struct {
	SolarisFilter
	time *CPUTime
	last []clock.Duration
	// read: the CPUs' totals have been read before. A CPU that was never read
	// adds nothing in its first second.
	read bool
}

// NewSolarisLoad returns a load average that reads the given accounts. The
// accounts must observe each event before it does.
func NewSolarisLoad(time *CPUTime, cpus int) *SolarisLoad {
	return &SolarisLoad{time: time, last: make([]clock.Duration, cpus)}
}

// Booted lets the machine have been up and idle for so many seconds: the ring
// is full of zeros and every CPU's total has been read.
func (l *SolarisLoad) Booted(seconds int) {
	for range seconds {
		l.Second(0)
	}
	l.read = true
}

// Kinds implements trace.Chooser.
func (*SolarisLoad) Kinds() trace.Kinds {
	return trace.Of(trace.Second)
}

// Observe implements trace.Observer.
func (l *SolarisLoad) Observe(e *trace.Event) {
	if e.Kind != trace.Second {
		return
	}
	var sum clock.Duration
	for i, last := range l.last {
		total := l.time.Closed(i, trace.UserMode) + l.time.Closed(i, trace.SystemMode) + l.time.Wait(i)
		if last != 0 || l.read {
			sum += total - last
		}
		l.last[i] = total
	}
	l.Second(int64(sum))
}
