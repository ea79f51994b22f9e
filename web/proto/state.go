package proto

import (
	"fmt"
	"strconv"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/jsonc"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// State is what the page is told: several times a second while the run moves,
// at each change, and never when nothing changed.
type State struct {
	Frame     *sim.Frame
	View      act.View
	Seq       int64         // the last message dealt with
	Idle      bool          // every message dealt with, and the frame drawn
	Effective int64         // speed reached, per thousand
	Seeking   bool          // on the way to a time asked for
	Settings  []sim.Setting // as changed since the scenario was loaded
	Typed     []Typed       // into the console, by time
	Console   Console
	Choices   sim.Choices
	Text      string     // the text twin
	Why       sim.Answer // about the selection
	Found     string     // what the last RunTo came to, one sentence
	Furthest  clock.Time // the run has come so far
	Undo      string     // the line that an undo would take back; "": none
	Redo      string
	Error     string      // the last message that was refused, one sentence
	Fault     string      // why the run stopped for good
	Height    int         // CSS pixels the picture would like to have
	Draws     int64       // frames drawn so far
	Panels    []Panel     // of the picture, in their order
	Picture   bool        // false: there is no WebGL, the run goes on in words
	Compare   *Comparison // nil: there is only one run
}

// Typed is a line typed into the machine's console. Key is that of the setting
// that types it again.
type Typed struct {
	At      clock.Time
	Key, Do string
}

type wireState struct {
	V              int           `json:"v"`
	Type           string        `json:"type"`
	Ready          bool          `json:"ready"`
	Idle           bool          `json:"idle"`
	Seq            int64         `json:"seq"`
	Playing        bool          `json:"playing"`
	Seeking        bool          `json:"seeking"`
	Speed          int64         `json:"speed"`
	EffectiveSpeed int64         `json:"effectiveSpeed"`
	Now            string        `json:"now"`
	NowNs          string        `json:"nowNs"`
	Scenario       *wireScenario `json:"scenario,omitempty"`
	Machine        string        `json:"machine"`
	Strands        int           `json:"strands"`
	Choices        *wireChoices  `json:"choices,omitempty"`
	Threads        *[]wireThread `json:"threads,omitempty"`
	Settings       []wireSetting `json:"settings"`
	Typed          *[]wireTyped  `json:"typed,omitempty"`
	Console        wireConsole   `json:"console"`
	Tasks          *[]wireTask   `json:"tasks,omitempty"`
	Projects       *[]wireShare  `json:"projects,omitempty"`
	Totals         wireTotals    `json:"totals"`
	Vmstat         wireVmstat    `json:"vmstat"`
	Load           [3]string     `json:"load"`
	Top            wireTop       `json:"top"`
	Work           string        `json:"work"`
	Printed        []wireFigure  `json:"printed"`
	Text           string        `json:"text"`
	Why            wireWhy       `json:"why"`
	Selected       wireSelected  `json:"selected"`
	Digest         string        `json:"digest"`
	Events         int64         `json:"events"`
	Found          string        `json:"found"`
	FurthestNs     string        `json:"furthestNs"`
	TickNs         string        `json:"tickNs"`
	Undo           string        `json:"undo"`
	Redo           string        `json:"redo"`
	Started        *[]wireStart  `json:"started,omitempty"`
	Error          string        `json:"error"`
	Fault          string        `json:"fault"`
	Height         int           `json:"height"`
	Draws          int64         `json:"draws"`
	Picture        bool          `json:"picture"`
	Pixels         [2]int        `json:"pixels"` // size of the canvas as drawn
	// Map stands in for the picture where there is none: one letter a strand.
	Map    string     `json:"map,omitempty"`
	Cores  []int      `json:"cores,omitempty"` // strands of each core
	Theme  string     `json:"theme"`
	Range  wireRange  `json:"range"`
	Panels wirePanels `json:"panels"`
	Book   *wireBook  `json:"book,omitempty"` // told anew when it has changed
	Jobs   bool       `json:"jobs"`           // there is a job list
	// Compare is null while there is only one run.
	Compare *wireCompare `json:"compare"`
}

type (
	wireScenario struct {
		ID          string         `json:"id"`
		Title       string         `json:"title"`
		SourceTitle string         `json:"sourceTitle"`
		SourceNote  string         `json:"sourceNote"`
		Kernel      string         `json:"kernel"`
		Class       string         `json:"class"`
		Explanation string         `json:"explanation"`
		Note        string         `json:"note"`
		PrintedNote string         `json:"printedNote"`
		Groups      []wireGroup    `json:"groups"`
		Questions   []wireQuestion `json:"questions"`
		Commands    []wireCommand  `json:"commands"`
		Prompt      bool           `json:"prompt"` // one types here
		Recorded    bool           `json:"recorded"`
		List        string         `json:"list"` // of jobs
		Notes       []string       `json:"notes"`
		Document    []wireStep     `json:"document"`
	}
	wireGroup struct {
		Name    string `json:"name"`
		Count   int    `json:"count"`
		Class   string `json:"class"`
		Nice    int    `json:"nice"`
		Text    string `json:"text"`
		Project string `json:"project,omitempty"`
	}
	wireQuestion struct {
		Ask     string   `json:"ask"`
		Choices []string `json:"choices"`
		Answer  int      `json:"answer"`
		Why     string   `json:"why"`
	}
	wireCommand struct {
		At   string `json:"at"`
		Line string `json:"line"`
	}
	wireTyped struct {
		At   string `json:"at"`
		Key  string `json:"key"`
		Line string `json:"line"`
	}
	wireChoices struct {
		Scenarios    []wireChoice `json:"scenarios"`
		Classes      []wireChoice `json:"classes"`
		Explanations []wireChoice `json:"explanations"`
		Kernels      []wireChoice `json:"kernels"`
	}
	wireChoice struct {
		Value string `json:"value"`
		Label string `json:"label"`
		Hint  string `json:"hint,omitempty"`
		Help  string `json:"help,omitempty"`
	}
	wireThread struct {
		ID    int32  `json:"id"`
		Label string `json:"label"`
	}
	wireSetting struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	wireTotals struct {
		Strands        int `json:"strands"`
		Busy           int `json:"busy"`
		Cores          int `json:"cores"`
		BusyCores      int `json:"busyCores"`
		Running        int `json:"running"`
		Waiting        int `json:"waiting"`
		Sleeping       int `json:"sleeping"`
		Gone           int `json:"gone"`
		IdleBesideWork int `json:"idleBesideWork"`
	}
	wireVmstat struct {
		R     int      `json:"r"`
		Us    int      `json:"us"`
		Sy    int      `json:"sy"`
		ID    int      `json:"id"`
		Table []string `json:"table"`
	}
	wireTop struct {
		Lines []string `json:"lines"`
		Span  string   `json:"span"` // what they cover
	}
	wireFigure struct {
		Label     string `json:"label"`
		Printed   string `json:"printed"`
		Simulated string `json:"simulated"`
		Agrees    bool   `json:"agrees"`
		Pending   bool   `json:"pending"`
	}
	wireWhy struct {
		Title   string      `json:"title"`
		Lines   []string    `json:"lines"`
		Source  string      `json:"source"`
		Tables  []wireTable `json:"tables"`
		Unknown string      `json:"unknown"`
		AtNs    string      `json:"atNs"` // of a moment before the present; "": it is about now
		Strand  int         `json:"strand"`
	}
	wireSelected struct {
		Strand int  `json:"strand"` // -1: none
		Thread int  `json:"thread"` // -1: none
		Online bool `json:"online"` // of the strand
		// Of the thread.
		PID   int32  `json:"pid"`
		Name  string `json:"name"`
		Class string `json:"class"`
		Nice  int    `json:"nice"`
		Alive bool   `json:"alive"`
	}
)

// Encoder writes state messages. The scenario, the choices, the threads, the
// groups' state, the shares and what was typed seldom change and are left out until
// they do; the page keeps what it was told last. Of the console's log only lines go
// that the page does not have.
type Encoder struct {
	scenario, choices, threads, tasks, shares, started, book string

	typed []Typed
	told  bool  // typed was told
	epoch int64 // of the log that the page has
	next  int   // number of the line that it wants next
}

// Forget makes the next message a whole one.
func (e *Encoder) Forget() { *e = Encoder{} }

// State writes one state message.
func (e *Encoder) State(s *State) []byte { return jsonc.Append(nil, e.wire(s)) }

func (e *Encoder) wire(s *State) *wireState {
	f := s.Frame
	w := wireState{
		V: Version, Type: "state", Ready: true, Idle: s.Idle, Seq: s.Seq,
		Playing: s.View.Playing, Seeking: s.Seeking,
		Speed: s.View.SpeedPermille, EffectiveSpeed: s.Effective,
		Now: f.Now.String(), NowNs: strconv.FormatInt(int64(f.Now), 10),
		Totals: totals(f.Totals), Vmstat: vmstat(f.Vmstat), Load: f.Load.Text,
		Printed: each(f.Printed, func(p sim.Figure) wireFigure { return wireFigure(p) }),
		Text:    s.Text, Why: whyOf(&s.Why),
		Selected: selected(s.View.Selected, f),
		Digest:   fmt.Sprintf("%016x", f.Digest), Events: f.Events,
		Found: s.Found, FurthestNs: strconv.FormatInt(int64(s.Furthest), 10), TickNs: strconv.FormatInt(int64(f.Tick), 10), Undo: s.Undo, Redo: s.Redo, Error: s.Error, Fault: s.Fault, Height: s.Height, Draws: s.Draws,
		Picture: s.Picture, Theme: s.View.Theme, Pixels: [2]int{s.View.Width, s.View.Height},
		Range:    rangeOf(&s.View, f.Now),
		Panels:   panelsOf(s),
		Settings: each(s.Settings, func(v sim.Setting) wireSetting { return wireSetting(v) }),
	}
	w.Typed = e.typedOf(s.Typed)
	w.Console = e.consoleOf(&s.Console)
	w.Compare = compareOf(s.Compare)
	w.Top = wireTop{Lines: each(f.Top, same)}
	if len(f.Top) > 0 {
		w.Top.Span = stats.Seconds(f.TopSpan, 1) + " s"
	}
	if f.Work != nil {
		w.Work = f.Work.Text(f.Now, len(f.CPUs))
	}
	if f.Machine != nil {
		w.Machine, w.Strands = f.Machine.Title, len(f.Machine.CPUs)
	}
	if !s.Picture {
		w.Map, w.Cores = strandMap(f)
	}
	scenario, choices := scenarioOf(f.Scenario), choicesOf(s.Choices)
	if changed(&e.scenario, scenario) {
		w.Scenario = scenario
	}
	if changed(&e.choices, choices) {
		w.Choices = choices
	}
	if threads := threadsOf(f.Threads); changed(&e.threads, threads) {
		w.Threads = &threads
	}
	if tasks := tasksOf(f); changed(&e.tasks, tasks) {
		w.Tasks = &tasks
	}
	if started := startedOf(f); changed(&e.started, started) {
		w.Started = &started
	}
	if shares := sharesOf(f); changed(&e.shares, shares) {
		w.Projects = &shares
	}
	if f.Book != nil {
		w.Jobs = true
		if book := bookOf(&f.Book.JobTable); changed(&e.book, book) {
			w.Book = book
		}
	}
	return &w
}

// strandMap gives each strand's letter (b: busy, i: idle, w: idle while work
// waits, x: off-line) and how many strands each core has.
func strandMap(f *sim.Frame) (string, []int) {
	letters := make([]byte, len(f.CPUs))
	for i, c := range f.CPUs {
		switch {
		case !c.Online:
			letters[i] = 'x'
		case c.Thread != sched.None:
			letters[i] = 'b'
		case c.IdleBesideWork:
			letters[i] = 'w'
		default:
			letters[i] = 'i'
		}
	}
	var cores []int
	if f.Machine != nil {
		cores = each(f.Machine.Cores, func(strands []int) int { return len(strands) })
	}
	return string(letters), cores
}

func changed(last *string, now any) bool {
	text := string(jsonc.Append(nil, now))
	if text == *last {
		return false
	}
	*last = text
	return true
}

// each maps a slice; none becomes an empty list, not null.
func each[A, B any](as []A, f func(A) B) []B {
	bs := make([]B, 0, len(as))
	for _, a := range as {
		bs = append(bs, f(a))
	}
	return bs
}

func same(s string) string { return s }

func scenarioOf(i sim.Info) *wireScenario {
	return &wireScenario{
		ID: i.ID, Title: i.Title, SourceTitle: i.SourceTitle, SourceNote: i.SourceNote,
		Kernel: i.Kernel, Class: i.Class, Explanation: i.Explanation, Note: i.Note,
		PrintedNote: i.PrintedNote,
		Groups: each(i.Groups, func(g sim.Group) wireGroup {
			return wireGroup{g.Name, g.Count, g.Class, g.Nice, g.Text, projectName(i.Projects, g.Project)}
		}),
		Commands: each(i.Commands, func(c sim.Command) wireCommand { return wireCommand{c.At.String(), c.Line} }),
		Prompt:   i.Prompt, Recorded: i.Recorded, List: i.List, Notes: each(i.Notes, same), Document: each(i.Document, stepOf),
		Questions: each(i.Questions, func(q sim.Question) wireQuestion { return wireQuestion(q) }),
	}
}

func choicesOf(c sim.Choices) *wireChoices {
	one := func(c sim.Choice) wireChoice { return wireChoice(c) }
	return &wireChoices{each(c.Scenarios, one), each(c.Classes, one), each(c.Explanations, one), each(c.Kernels, one)}
}

// maxListed is how many threads the page's list of them holds: no one reads
// more, and the picture reaches the rest.
const maxListed = 300

func threadsOf(all []sim.Thread) []wireThread {
	list := make([]wireThread, 0, min(len(all), maxListed))
	for i := range all {
		t := &all[i]
		if t.Kernel || t.State == sched.Embryo || t.State == sched.Gone {
			continue
		}
		if len(list) == maxListed {
			break
		}
		list = append(list, wireThread{int32(t.ID), t.Name + " " + strconv.Itoa(int(t.PID))})
	}
	return list
}

func totals(t sim.Totals) wireTotals {
	return wireTotals{
		Strands: t.Strands, Busy: t.Busy, Cores: t.Cores, BusyCores: t.BusyCores,
		Running: t.Running, Waiting: t.Waiting, Sleeping: t.Sleeping, Gone: t.Gone,
		IdleBesideWork: t.IdleBesideWork,
	}
}

func vmstat(v sim.Vmstat) wireVmstat {
	return wireVmstat{R: v.Runnable, Us: v.User, Sy: v.System, ID: v.Idle, Table: each(v.Table, same)}
}

func selected(s act.Selection, f *sim.Frame) wireSelected {
	w := wireSelected{Strand: -1, Thread: -1}
	switch s.Kind {
	case act.NoSelection:
	case act.StrandSelection:
		w.Strand = s.CPU
		w.Online = s.CPU < len(f.CPUs) && f.CPUs[s.CPU].Online
	case act.ThreadSelection:
		w.Thread = int(s.Thread)
		if w.Thread >= 0 && w.Thread < len(f.Threads) {
			t := &f.Threads[w.Thread]
			w.PID, w.Name, w.Class, w.Nice, w.Alive = t.PID, t.Name, t.Class, t.Nice, !t.Kernel && t.State != sched.Gone
		}
	}
	return w
}
