package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"strandscope/sim/clock"
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
	first bool
	err   error
}

type perfettoSpan struct {
	thread sched.ThreadID
	from   clock.Time
	pri    int16
	why    sched.Reason
}

// perfettoEvent is one event of the format.
type perfettoEvent struct {
	Name string          `json:"name"`
	Ph   string          `json:"ph"`
	Ts   json.RawMessage `json:"ts,omitempty"`
	Dur  json.RawMessage `json:"dur,omitempty"`
	PID  int             `json:"pid"`
	TID  int             `json:"tid"`
	S    string          `json:"s,omitempty"`
	Args any             `json:"args,omitempty"`
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
	p.write(&perfettoEvent{Name: "process_name", Ph: "M", PID: perfettoProcess, Args: perfettoName{machine}})
	for i := range p.spans {
		p.spans[i].thread = sched.None
		p.write(&perfettoEvent{Name: "thread_name", Ph: "M", PID: perfettoProcess, TID: i, Args: perfettoName{fmt.Sprintf("cpu%d", i)}})
		p.write(&perfettoEvent{Name: "thread_sort_index", Ph: "M", PID: perfettoProcess, TID: i, Args: perfettoOrder{i}})
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
			Name: label(t), Ph: "i", Ts: micros(int64(e.At)), PID: perfettoProcess, TID: int(e.CPU), S: "t",
			Args: perfettoArgs{PID: pid(t), Priority: &e.Pri, Why: p.tell.Explain(e.Why)},
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
		Name: label(t), Ph: "X", Ts: micros(int64(s.from)), Dur: micros(int64(at.Sub(s.from))),
		PID: perfettoProcess, TID: cpu,
		Args: perfettoArgs{PID: pid(t), Priority: &s.pri, Left: left, Why: p.tell.Explain(s.why)},
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
	text, err := json.Marshal(e)
	if err != nil && p.err == nil {
		p.err = err
	}
	if !p.first {
		p.raw(",")
	}
	p.first = false
	p.raw("\n")
	p.raw(string(text))
}

func (p *Perfetto) raw(text string) {
	if p.err == nil {
		_, p.err = p.w.WriteString(text)
	}
}

// micros writes nanoseconds as microseconds.
func micros(ns int64) json.RawMessage {
	return json.RawMessage(fmt.Sprintf("%d.%03d", ns/1000, ns%1000))
}
