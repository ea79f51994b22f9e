package app

import (
	"errors"
	"slices"
	"sync"
	"time"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/web/control"
	"strandscope/web/proto"
)

// Screen is what the app asks of the picture.
type Screen interface {
	// Height is the height in CSS pixels that the picture would like to have.
	Height(f *sim.Frame, v *act.View) int
	// Hit says which command a click at a point means, nil for none.
	Hit(x, y int, f *sim.Frame, v *act.View) act.Command
	// Under says what lies under the pointer.
	Under(x, y int, f *sim.Frame, v *act.View) act.Selection
	// Look says what a frame drawn at now has to hold, going by the last one.
	Look(f *sim.Frame, v *act.View, now clock.Time) sim.Look
	// LookBeside is Look for the frame beside that one.
	LookBeside(f *sim.Frame, v *act.View, now clock.Time) sim.Look
	// SideAt says whether a point belongs to the right side of a comparison.
	SideAt(x, y int, f *sim.Frame, v *act.View) bool
	// PointAt says which moment of the run lies under the pointer.
	PointAt(x, y int, f *sim.Frame, v *act.View) act.Pointing
	// Key, Drag and Wheel say which command that means, nil for none.
	Key(key string, shift bool, f *sim.Frame, v *act.View) act.Command
	Drag(in *proto.Input, f *sim.Frame, v *act.View) act.Command
	Wheel(x, y, notches int, f *sim.Frame, v *act.View) act.Command
	// Describe tells what the picture shows, in words.
	Describe(f *sim.Frame, v *act.View) string
	// Panels lists the panels and what each shows, in words.
	Panels(f *sim.Frame, v *act.View) []proto.Panel
	// Cells says where each strand is painted, for tests of the pixels.
	Cells(f *sim.Frame, v *act.View) []proto.Cell
}

// reportEvery is how often the page hears of a run that moves.
const reportEvery = 150 * time.Millisecond

// App is the program.
type App struct {
	State *control.State

	screen Screen
	send   func(json []byte)
	clock  func() time.Duration

	mu    sync.Mutex
	inbox []func() // messages and what else is to be done between frames, in order
	wake  chan struct{}

	rec      recording
	encoder  proto.Encoder
	frame    *sim.Frame
	seq      int64
	draws    int64
	reported time.Duration
	pointer  *[2]int // where it is over the picture; nil: elsewhere
	painted  [2]int  // size last painted on
	dirty    bool    // the picture is not what the state is
	owed     bool    // the page has to hear of a change
	inView   bool    // the canvas is within the window
	picture  bool    // there is something to paint on
}

// New makes the program. send gets each message for the page; clock is real
// time since any moment.
func New(state *control.State, screen Screen, send func([]byte), clock func() time.Duration) *App {
	return &App{
		State: state, screen: screen, send: send, clock: clock,
		wake: make(chan struct{}, 1), dirty: true, owed: true, inView: true, picture: true,
	}
}

// Receive takes a message of the page. It only notes it, and may be called
// from any goroutine.
func (a *App) Receive(text string) { a.call(func() { a.message(text) }) }

// call lets a function run between two messages. It may be called from any goroutine.
func (a *App) call(f func()) {
	a.mu.Lock()
	a.inbox = append(a.inbox, f)
	a.mu.Unlock()
	select {
	case a.wake <- struct{}{}:
	default: // it is awake, or will be
	}
}

// Blind tells that nothing can be painted: the run goes on in words.
func (a *App) Blind() {
	a.picture = false
	a.owed = true
}

// Layout tells the size in device pixels of the canvas as it will be painted.
// A canvas of a new size is empty, so it is painted again. The page's resize
// message says the same but may come a frame earlier or later; what counts is
// the size that was last painted on.
func (a *App) Layout(width, height int) {
	if a.painted != [2]int{width, height} {
		a.State.View.Width, a.State.View.Height = width, height
		a.dirty, a.owed = true, true
	}
}

// Update does the work of one frame. While nothing moves and nothing changed
// it does not return: Ebitengine asks the browser for the next frame only after
// it did, so a paused page costs nothing.
func (a *App) Update() {
	for !a.Turn() {
		<-a.wake
	}
}

// Turn is Update that always returns: what a window needs, which has events of its own
// to look for. It reports whether something is to be painted or moves.
func (a *App) Turn() bool {
	a.take()
	moving := a.State.Moving()
	if a.State.Plotting() {
		a.State.Plot()
		a.changed()
		a.tellKernels(nil)
	}
	if moving {
		a.State.Advance(a.clock)
		a.dirty = true
		a.owed = a.owed || !a.State.Moving()
	}
	if a.dirty || a.owed {
		a.frame = a.look()
	}
	if a.Wants() {
		return true
	}
	a.dirty = false // nobody looks
	a.report()
	return moving || a.State.Plotting()
}

// look takes a frame that holds what the picture shows. A frame of another
// machine, or for a picture of another size, is taken again.
func (a *App) look() *sim.Frame {
	run, v := a.State.Run, &a.State.View
	v.Sides = a.State.Sides()
	if p := a.pointer; p != nil && a.frame != nil {
		v.Pointing = a.screen.PointAt(p[0], p[1], a.frame, v)
	}
	l := a.screen.Look(a.frame, v, run.Now())
	run.Look(l)
	f := run.Frame()
	a.lookBeside(f, v)
	fits := a.screen.Look(f, v, f.Now)
	if l.Timeline.Columns != fits.Timeline.Columns || !slices.Equal(l.Timeline.Rows, fits.Timeline.Rows) {
		run.Look(fits)
		f = run.Frame()
		a.lookBeside(f, v)
	}
	return f
}

// lookBeside gives a frame that of the run beside it, where two are compared.
func (a *App) lookBeside(f *sim.Frame, v *act.View) {
	run := a.State.Beside()
	if run == nil {
		return
	}
	f.Beside = run.Frame() // for the layout
	run.Look(a.screen.LookBeside(f, v, run.Now()))
	f.Beside = run.Frame()
}

// focus gives the focus to the side of a comparison that was touched.
func (a *App) focus(x, y int) {
	v := &a.State.View
	if right := a.screen.SideAt(x, y, a.frame, v); a.State.Beside() != nil && right != v.Sides.Right {
		a.State.Apply(act.Focus{Right: right})
		a.frame = a.look()
	}
}

// Wants reports whether the picture has to be painted.
func (a *App) Wants() bool {
	v := &a.State.View
	return a.dirty && a.picture && a.inView && v.Visible && v.Width > 0
}

// Frame is the picture of the run to be painted.
func (a *App) Frame() *sim.Frame { return a.frame }

// Begin tells what size the surface has that is about to be painted on.
func (a *App) Begin(width, height int) {
	a.painted = [2]int{width, height}
	a.State.View.Width, a.State.View.Height = width, height
}

// Drawn tells that the frame was painted.
func (a *App) Drawn() {
	a.dirty = false
	a.draws++
	a.report()
}

// take deals with the messages that came.
func (a *App) take() {
	a.mu.Lock()
	due := a.inbox
	a.inbox = nil
	a.mu.Unlock()
	for _, f := range due {
		f()
	}
}

// message deals with one of the page's.
func (a *App) message(text string) {
	m, err := proto.Decode([]byte(text))
	a.seq = max(a.seq, m.Seq)
	switch {
	case err != nil:
		a.State.Refuse(err)
		a.owed = true
	case m.Command != nil:
		a.State.Apply(m.Command)
		a.changed()
	case m.Input != nil:
		a.input(m.Input)
	case m.Export != nil:
		a.export(m.Seq, m.Export)
	case m.Ask == proto.AskState:
		a.encoder.Forget()
		a.owed = true
	case m.Ask == proto.AskComplete:
		a.send(proto.Offers(m.Seq, m.Text, a.State.Complete(m.Text)))
		a.owed = true // a broken run would have to be told
	case m.Ask == proto.AskPolicies:
		rows, err := a.policies(m.Text)
		a.send(proto.Policies(m.Seq, rows, err))
	case m.Ask == proto.AskKernels:
		a.kernels()
	case m.Ask == proto.AskRecording:
		a.askRecording(&m)
	case m.Ask == proto.AskExercises:
		list, err := sim.Exercises(uint64(m.Seed), int(m.N))
		a.send(proto.Exercises(m.Seq, list, err))
	case m.Ask == proto.AskCells:
		f := a.look()
		a.send(proto.Cells(a.State.View.ScalePermille, a.screen.Cells(f, &a.State.View)))
	}
	if m.Seq > 0 {
		a.owed = true // its sender waits for the number
	}
}

// policies runs the job list under every textbook policy, where the run has one.
func (a *App) policies(quantum string) ([]sim.PolicyRow, error) {
	s, ok := a.State.Run.(*sim.Session)
	if !ok {
		return nil, errors.New("there is no run")
	}
	return s.Policies(quantum)
}

func (a *App) changed() { a.dirty, a.owed = true, true }

func (a *App) input(in *proto.Input) {
	v := &a.State.View
	f := a.frame
	if f == nil || f.Now != a.State.Run.Now() {
		f = a.look()
	}
	switch in.Kind {
	case proto.Tap:
		a.frame = f
		a.focus(in.X, in.Y)
		f = a.frame
		c := a.screen.Hit(in.X, in.Y, f, v)
		if c == nil {
			c = act.Select{} // a click beside everything selects nothing
		}
		a.State.Apply(c)
		if p := a.screen.PointAt(in.X, in.Y, f, v); p.On && !p.Plot {
			a.State.Apply(act.Point{Cursor: sim.Cursor{On: true, CPU: p.CPU, At: p.At}})
		} else {
			a.State.Apply(act.Point{})
		}
		a.changed()
	case proto.Hover, proto.Leave:
		under, at := act.Selection{}, act.Pointing{}
		a.pointer = nil
		if in.Kind == proto.Hover {
			a.pointer = &[2]int{in.X, in.Y}
			under, at = a.screen.Under(in.X, in.Y, f, v), a.screen.PointAt(in.X, in.Y, f, v)
		}
		if under != v.Hover || at != v.Pointing {
			v.Hover, v.Pointing = under, at
			a.dirty = true
		}
	case proto.Drag:
		a.obey(a.screen.Drag(in, f, v))
	case proto.Turn:
		a.obey(a.screen.Wheel(in.X, in.Y, in.Notches, f, v))
	case proto.Key:
		v.Pointing, a.pointer = act.Pointing{}, nil // keys count now
		c := a.screen.Key(in.Key, in.Shift, f, v)
		if c == nil {
			c = strandKey(in.Key, f, v)
		}
		a.obey(c)
	case proto.OnView:
		a.dirty = a.dirty || in.On && !a.inView
		a.inView = in.On
	}
}

// obey obeys a command, if there is one.
func (a *App) obey(c act.Command) {
	if c != nil {
		a.State.Apply(c)
		a.changed()
	}
}

func typed(lines []control.Line) []proto.Typed {
	list := make([]proto.Typed, 0, len(lines))
	for _, l := range lines {
		list = append(list, proto.Typed(l))
	}
	return list
}

func comparison(c *control.Comparison) *proto.Comparison {
	if c == nil {
		return nil
	}
	w := &proto.Comparison{Right: c.Right, Level: c.Level, Titles: c.Titles, Facts: c.Facts, Figures: c.Figures, Settings: c.Settings}
	for i := range c.Typed {
		w.Typed[i] = typed(c.Typed[i])
	}
	return w
}

func terminal(t control.Terminal) proto.Console {
	found := make([]proto.Found, 0, len(t.Told.Found))
	for _, f := range t.Told.Found {
		found = append(found, proto.Found(f))
	}
	return proto.Console{
		Epoch: t.Epoch, Log: t.Log, Prompt: t.Prompt, Busy: t.Busy, Front: t.Front, Screen: t.Screen,
		Told: proto.Told{Step: t.Told.Step, Pending: t.Told.Pending, Found: found},
	}
}

// report tells the page how things stand, if it has to be told by now.
func (a *App) report() {
	now := a.clock()
	if !a.owed && (!a.State.Moving() || now-a.reported < reportEvery) {
		return
	}
	a.owed, a.reported = false, now
	a.mu.Lock()
	waiting := len(a.inbox)
	a.mu.Unlock()
	why := a.State.Why()
	a.send(a.encoder.State(&proto.State{
		Frame: a.frame, View: a.State.View, Seq: a.seq,
		Idle:      waiting == 0 && !a.dirty && !a.State.Seeking() && !a.State.Plotting(),
		Effective: a.State.Effective(), Seeking: a.State.Seeking(), Found: a.State.Found, Furthest: a.State.Furthest(), Undo: a.State.Undoable(), Redo: a.State.Redoable(), Settings: a.State.Kept(),
		Typed: typed(a.State.Typed()), Console: terminal(a.State.Terminal()), Choices: a.State.Choices, Text: a.screen.Describe(a.frame, &a.State.View), Why: why,
		Error: a.State.Error, Fault: a.State.Fault,
		Height: a.screen.Height(a.frame, &a.State.View), Draws: a.draws, Picture: a.picture,
		Panels: a.screen.Panels(a.frame, &a.State.View), Compare: comparison(a.State.Comparison()),
	}))
}
