package trace

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"strandscope/sim/clock"
	"strandscope/sim/jsonc"
	"strandscope/sim/sched"
)

// Perfetto writes a run as Chrome trace JSON, which ui.perfetto.dev and
// chrome://tracing open: a track for each CPU with a complete event for each
// span in which a thread ran there, and instant events for what the policy
// noted. It is written as the run goes on. Times are microseconds with
// nanoseconds as decimals.
type Perfetto struct {
	w     *bufio.Writer
	tell  Teller
	spans []perfettoSpan // by CPU
	text  []byte         // of one event, used again and again
	first bool
	err   error
}

type perfettoSpan struct {
	thread sched.ThreadID
	from   clock.Time
	pri    int16
	why    sched.Reason
}

// perfettoEvent is one event of the format. Metadata have no time, and only complete
// events a length.
type perfettoEvent struct {
	name string
	ph   string
	ts   clock.Time
	dur  clock.Duration
	tid  int
	args any
}

type perfettoArgs struct {
	PID      int32  `json:"pid,omitempty"`
	Priority *int16 `json:"priority,omitempty"`
	Left     string `json:"left,omitempty"`
	Why      string `json:"why,omitempty"`
}

type perfettoName struct {
	Name string `json:"name"`
}

type perfettoOrder struct {
	Order int `json:"sort_index"`
}

// perfettoProcess is the one process of the trace: the machine.
const perfettoProcess = 1

// NewPerfetto begins a trace of a machine of so many CPUs.
func NewPerfetto(w io.Writer, tell Teller, machine string, cpus int) *Perfetto {
	p := &Perfetto{w: bufio.NewWriter(w), tell: tell, spans: make([]perfettoSpan, cpus), first: true}
	p.raw(`{"displayTimeUnit":"ms","traceEvents":[`)
	p.write(&perfettoEvent{name: "process_name", ph: "M", args: perfettoName{machine}})
	for i := range p.spans {
		p.spans[i].thread = sched.None
		p.write(&perfettoEvent{name: "thread_name", ph: "M", tid: i, args: perfettoName{fmt.Sprintf("cpu%d", i)}})
		p.write(&perfettoEvent{name: "thread_sort_index", ph: "M", tid: i, args: perfettoOrder{i}})
	}
	return p
}

// Observe implements Observer.
func (p *Perfetto) Observe(e *Event) {
	switch e.Kind {
	case On:
		p.spans[e.CPU] = perfettoSpan{e.Thread, e.At, e.Pri, e.Why}
	case Off:
		p.end(int(e.CPU), e.At, e.Cause.String())
	case Note:
		t := p.tell.Thread(e.Thread)
		p.write(&perfettoEvent{
			name: label(t), ph: "i", ts: e.At, tid: int(e.CPU),
			args: perfettoArgs{PID: pid(t), Priority: &e.Pri, Why: p.tell.Explain(e.Why)},
		})
	default:
	}
}

// end closes the span on a CPU.
func (p *Perfetto) end(cpu int, at clock.Time, left string) {
	s := &p.spans[cpu]
	if s.thread == sched.None {
		return
	}
	t := p.tell.Thread(s.thread)
	p.write(&perfettoEvent{
		name: label(t), ph: "X", ts: s.from, dur: at.Sub(s.from), tid: cpu,
		args: perfettoArgs{PID: pid(t), Priority: &s.pri, Left: left, Why: p.tell.Explain(s.why)},
	})
	s.thread = sched.None
}

// Close ends the trace at the given time: what runs is closed there.
func (p *Perfetto) Close(at clock.Time) error {
	for cpu := range p.spans {
		p.end(cpu, at, "")
	}
	p.raw("\n]}\n")
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

func label(t *sched.Thread) string {
	if t.PID == 0 {
		return t.Name
	}
	return fmt.Sprintf("%s %d", t.Name, t.PID)
}

func (p *Perfetto) write(e *perfettoEvent) {
	b := p.text[:0]
	if !p.first {
		b = append(b, ',')
	}
	p.first = false
	b = jsonc.Append(append(b, "\n{\"name\":"...), e.name)
	b = jsonc.Append(append(b, `,"ph":`...), e.ph)
	if e.ph != "M" {
		b = appendMicros(append(b, `,"ts":`...), int64(e.ts))
	}
	if e.ph == "X" {
		b = appendMicros(append(b, `,"dur":`...), int64(e.dur))
	}
	b = strconv.AppendInt(append(b, `,"pid":`...), perfettoProcess, 10)
	b = strconv.AppendInt(append(b, `,"tid":`...), int64(e.tid), 10)
	if e.ph == "i" {
		b = append(b, `,"s":"t"`...) // it belongs to its track alone
	}
	b = append(jsonc.Append(append(b, `,"args":`...), e.args), '}')
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
	p.text = b
}

func (p *Perfetto) raw(text string) {
	if p.err == nil {
		_, p.err = p.w.WriteString(text)
	}
}

// appendMicros writes nanoseconds as microseconds.
func appendMicros(b []byte, ns int64) []byte { return fmt.Appendf(b, "%d.%03d", ns/1000, ns%1000) }
