package proto

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"strandscope/render/act"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/jsonc"
	"strandscope/sim/machine"
	"strandscope/sim/order"
	"strandscope/sim/sched"
)

// Version of the language; a message of another version is refused.
const Version = 1

// Limits of messages.
const (
	MaxMessage = 16 << 20        // bytes of one message, scenario document included
	maxName    = 256             // bytes of a name or key
	maxLine    = 4096            // bytes of a command line that runs by itself
	maxValue   = console.MaxLine // of a setting: that may be a line typed at the prompt
	maxSteps   = 1000
	maxThreads = 100_000
	maxPixels  = 16384 // device pixels of either side of the canvas
	maxScale   = 10_000
	maxDepth   = 10 // of lists and objects within each other; no message has any
)

// MaxSeek is the latest time a message may ask for: 30 simulated days. A run
// is replayed up to it event by event, so it has to end some day.
const MaxSeek = act.MaxTime

// Message is one decoded message. Exactly one of Command, Input, Export and Ask is set.
type Message struct {
	Seq     int64 // the sender's number of the message, 0 where it gave none
	Command act.Command
	Input   *Input
	Export  *Export
	Ask     Ask
	Text    string // to be completed; of AskPolicies the quantum; of AskRecording what is asked
	Seed, N int64  // of AskExercises
	// Of AskRecording, "" where it does not matter.
	Kernel, Machine string
}

// Ask is a question that changes nothing.
type Ask uint8

// The questions.
const (
	AskNothing   Ask = iota
	AskState         // send the whole state again
	AskCells         // where each strand is drawn: tests sample the picture there
	AskComplete      // what the last word of Text may become
	AskPolicies      // the job list under every textbook policy
	AskKernels       // the scenario on every kernel that it offers
	AskExercises     // N exercises drawn from Seed
	AskRecording     // what the recording that is shown would be on another kernel
)

// Input is what the stage's canvas hears: it is not an intent yet, since only
// the screen knows what lies under a point.
type Input struct {
	Kind  InputKind
	X, Y  int    // device pixels
	Key   string // as KeyboardEvent.key names it
	Shift bool   // held, of Key and Drag
	On    bool   // of OnView; of Drag: it is over
	// Of a drag: where it began, and how far it went since the last message.
	FromX, FromY, DX int
	Notches          int // of Turn: positive zoom in
}

// InputKind says what was heard.
type InputKind uint8

// The kinds of input.
const (
	Tap    InputKind = iota // a press and release at X, Y
	Hover                   // the pointer is at X, Y
	Leave                   // the pointer is gone
	Key                     // Key went down while the canvas had the focus
	OnView                  // the canvas is (On) or is not within view
	Drag                    // the pointer moves from FromX, FromY while pressed
	Turn                    // the wheel turns at X, Y with Ctrl held
)

// decoders is the closed set of commands.
var decoders = map[string]func(f *fields, m *Message){
	"load":             func(f *fields, m *Message) { m.Command = act.Load{Scenario: f.text("scenario", maxName)} },
	"reset":            func(_ *fields, m *Message) { m.Command = act.Reset{} },
	"play":             func(_ *fields, m *Message) { m.Command = act.Play{} },
	"pause":            func(_ *fields, m *Message) { m.Command = act.Pause{} },
	"step":             func(_ *fields, m *Message) { m.Command = act.Step{} },
	"stepBack":         func(_ *fields, m *Message) { m.Command = act.StepBack{} },
	"stepDecision":     func(_ *fields, m *Message) { m.Command = act.StepDecision{} },
	"stepDecisionBack": func(_ *fields, m *Message) { m.Command = act.StepDecisionBack{} },
	"stop":             func(_ *fields, m *Message) { m.Command = act.Stop{} },
	"undo":             func(_ *fields, m *Message) { m.Command = act.Undo{} },
	"redo":             func(_ *fields, m *Message) { m.Command = act.Redo{} },
	"runTo":            decodeRunTo,
	"loadText": func(f *fields, m *Message) {
		m.Command = act.LoadText{Name: f.text("name", maxName), Text: f.text("text", MaxMessage)}
	},
	"set": func(f *fields, m *Message) {
		m.Command = act.Set{Key: f.text("key", maxName), Value: f.text("value", maxValue), Both: f.both()}
	},
	"speed": func(f *fields, m *Message) {
		m.Command = act.Speed{Permille: f.number("permille", act.MinSpeed, act.MaxSpeed)}
	},
	"seek": func(f *fields, m *Message) { m.Command = act.Seek{At: f.time("atNs")} },
	"do":   func(f *fields, m *Message) { m.Command = act.Do{Line: f.text("line", maxLine), Both: f.both()} },
	// How long a line may be is for the console to say: it answers where one looks.
	"type":      func(f *fields, m *Message) { m.Command = act.Type{Line: f.text("line", MaxMessage)} },
	"interrupt": func(_ *fields, m *Message) { m.Command = act.Interrupt{} },
	"finish":    func(_ *fields, m *Message) { m.Command = act.Finish{} },
	"tell":      func(f *fields, m *Message) { m.Command = act.Tell{Step: int(f.number("step", 0, maxSteps-1))} },
	"complete":  func(f *fields, m *Message) { m.Ask, m.Text = AskComplete, f.text("text", maxValue) },
	"policies":  func(f *fields, m *Message) { m.Ask, m.Text = AskPolicies, f.text("quantum", maxName) },
	"exercises": func(f *fields, m *Message) {
		m.Ask, m.Seed, m.N = AskExercises, f.number("seed", 0, 1<<31-1), f.number("count", 1, 50)
	},
	"select": decodeSelect,
	"theme":  func(f *fields, m *Message) { m.Command = act.Theme{Name: f.oneOf("name", theme.Names...)} },
	"resize": func(f *fields, m *Message) {
		m.Command = act.Resize{
			Width:         int(f.number("width", 1, maxPixels)),
			Height:        int(f.number("height", 1, maxPixels)),
			ScalePermille: int(f.number("scale", 100, maxScale)),
		}
	},
	"compare":   decodeCompare,
	"fork":      decodeFork,
	"swap":      func(_ *fields, m *Message) { m.Command = act.Swap{} },
	"focus":     func(f *fields, m *Message) { m.Command = act.Focus{Right: f.side()} },
	"uncompare": func(_ *fields, m *Message) { m.Command = act.Uncompare{} },
	"show":      func(f *fields, m *Message) { m.Command = act.Show{Visible: f.flag("visible")} },
	"zoom":      func(f *fields, m *Message) { m.Command = act.Zoom{From: f.time("fromNs"), To: f.time("toNs")} },
	"follow":    func(f *fields, m *Message) { m.Command = act.Follow{Last: clock.Duration(f.time("lastNs"))} },
	"freeze":    func(f *fields, m *Message) { m.Command = act.Freeze{On: f.flag("on")} },
	"point":     decodePoint,
	"plots":     decodePlots,
	"cores":     func(f *fields, m *Message) { m.Command = act.Cores{On: f.flag("on")} },
	"export":    decodeExport,
	"quiet":     func(f *fields, m *Message) { m.Command = act.Quiet{On: f.flag("on")} },
	"panels":    decodePanels,
	"input":     decodeInput,
	"kernels":   func(_ *fields, m *Message) { m.Ask = AskKernels },
	"recording": decodeRecording,
	"hello":     func(_ *fields, m *Message) { m.Ask = AskState },
	"cells":     func(_ *fields, m *Message) { m.Ask = AskCells },
}

// decodeRecording reads what is asked about a recording: "kernel" says whose it is,
// "derive" wants to hear what a workload derived from it would be, "document" wants that
// for a kernel and a machine, and "stop" ends the work on the answer.
func decodeRecording(f *fields, m *Message) {
	m.Ask, m.Text = AskRecording, f.oneOf("do", "kernel", "derive", "document", "stop")
	if m.Text == "kernel" || m.Text == "document" {
		m.Kernel = f.text("kernel", maxName)
	}
	if m.Text == "document" {
		m.Machine = f.text("machine", maxName)
	}
}

// decodeRunTo reads {"to":"load1 > 3.5"}, and {"forNs":"…"} where it is not to give
// up after an hour.
func decodeRunTo(f *fields, m *Message) {
	c := act.RunTo{For: clock.Hour}
	to, err := sim.ParseCondition(f.text("to", maxLine))
	if err != nil {
		f.fail("%v", err)
	}
	if c.To = to; f.has("forNs") {
		c.For = clock.Duration(f.time("forNs"))
	}
	m.Command = c
}

func decodeSelect(f *fields, m *Message) {
	s := act.Select{}
	switch {
	case f.has("strand"):
		s.Kind, s.CPU = act.StrandSelection, int(f.number("strand", 0, machine.MaxStrands-1))
	case f.has("thread"):
		s.Kind, s.Thread = act.ThreadSelection, sched.ThreadID(f.number("thread", 0, maxThreads-1))
	}
	m.Command = s
}

// decodePoint reads a cursor; one without a strand takes the cursor away.
func decodePoint(f *fields, m *Message) {
	c := sim.Cursor{On: f.has("strand")}
	if c.On {
		c.CPU, c.At = int(f.number("strand", 0, machine.MaxStrands-1)), f.time("atNs")
	}
	m.Command = act.Point{Cursor: c}
}

// decodePlots reads what time plots show: the timeline's, or the last so much.
func decodePlots(f *fields, m *Message) {
	var r act.PlotRange
	if f.has("same") {
		r.Same = f.flag("same")
	} else {
		r.Last = clock.Duration(f.time("lastNs"))
	}
	m.Command = act.Plots{PlotRange: r}
}

func decodeInput(f *fields, m *Message) {
	in := &Input{}
	switch f.oneOf("kind", "tap", "hover", "leave", "key", "view", "drag", "turn") {
	case "tap":
		in.Kind = Tap
	case "hover":
		in.Kind = Hover
	case "leave":
		in.Kind = Leave
	case "key":
		in.Kind, in.Key = Key, f.text("key", maxName)
		in.Shift = f.has("shift") && f.flag("shift")
	case "view":
		in.Kind, in.On = OnView, f.flag("on")
	case "drag":
		in.Kind, in.On, in.Shift = Drag, f.flag("done"), f.flag("shift")
		in.FromX, in.FromY = int(f.number("fromX", 0, maxPixels)), int(f.number("fromY", 0, maxPixels))
		in.DX = int(f.number("dx", -maxPixels, maxPixels))
	case "turn":
		in.Kind, in.Notches = Turn, int(f.number("notches", -100, 100))
	}
	switch in.Kind {
	case Tap, Hover, Drag, Turn:
		in.X = int(f.number("x", 0, maxPixels))
		in.Y = int(f.number("y", 0, maxPixels))
	case Leave, Key, OnView:
	}
	m.Input = in
}

// Decode reads one message. On an error the message's number is still given
// where it could be read, so that the sender learns which one failed.
func Decode(text []byte) (Message, error) {
	var m Message
	if len(text) > MaxMessage {
		return m, fmt.Errorf("message: %d bytes, at most %d are accepted", len(text), MaxMessage)
	}
	if !utf8.Valid(text) {
		return m, fmt.Errorf("message: not UTF-8 text")
	}
	object, err := jsonc.Dialect{Depth: maxDepth}.Parse(text)
	if err != nil {
		return m, fmt.Errorf("message: want one JSON object: %w", err)
	}
	if object.Kind() != '{' {
		return m, fmt.Errorf("message: want one JSON object, not %s", short(object))
	}
	f := &fields{values: map[string]jsonc.Value{}}
	for _, member := range object.Members {
		f.values[member.Name] = member.Value
	}
	if f.has("n") {
		m.Seq = f.number("n", 0, 1<<53)
	}
	f.number("v", Version, Version)
	name := f.text("cmd", maxName)
	if f.err != nil {
		return m, f.err
	}
	decode, ok := decoders[name]
	if !ok {
		return m, fmt.Errorf("message: cmd %s is not known%s", quote(name), nearest(name, order.Keys(decoders)))
	}
	f.cmd = name
	decode(f, &m)
	if err := f.done(); err != nil {
		return Message{Seq: m.Seq}, err
	}
	return m, nil
}

func (f *fields) time(key string) clock.Time {
	s := f.text(key, 20)
	if f.err != nil {
		return 0
	}
	ns, err := strconv.ParseInt(s, 10, 64)
	if err != nil || ns < 0 || clock.Time(ns) > MaxSeek {
		f.fail("%s is %s, want whole nanoseconds from 0 to %d in quotes", key, quote(s), int64(MaxSeek))
		return 0
	}
	return clock.Time(ns)
}
