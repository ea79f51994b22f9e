package proto

import (
	"strconv"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/compare"
	"strandscope/sim/jsonc"
)

// maxSettings is how many settings a message may have: what was typed is among them.
const maxSettings = 10_000

// Comparison is what the page is told of two runs beside each other: left, right.
type Comparison struct {
	Right    bool // has the focus
	Level    bool // both are at the same time
	Titles   [2]string
	Facts    [2]sim.RunFacts
	Figures  [2]compare.Figures
	Settings [2][]sim.Setting // without what was typed
	Typed    [2][]Typed
}

type (
	wireCompare struct {
		Focus string   `json:"focus"` // "left" or "right"
		Level bool     `json:"level"`
		Left  wireSide `json:"left"`
		Right wireSide `json:"right"`
	}
	wireSide struct {
		Title    string        `json:"title"`
		Scenario string        `json:"scenario"` // built-in id; "": a document
		Settings []wireSetting `json:"settings"`
		Typed    []wireTyped   `json:"typed"`
		// Facts are title of the scenario, machine, kernel, class and explanation.
		Facts [5]string `json:"facts"`
		// Figures are whole numbers with blanks between them, too large for a number of
		// the page's; web/figures.js has their order and makes the table of them.
		Figures  string       `json:"figures"`
		Projects []wireNumber `json:"projects"`
	}
	wireNumber struct {
		Name    string `json:"name"`
		Figures string `json:"figures"`
	}
)

func compareOf(c *Comparison) *wireCompare {
	if c == nil {
		return nil
	}
	w := &wireCompare{Focus: "left", Level: c.Level, Left: c.side(0), Right: c.side(1)}
	if c.Right {
		w.Focus = "right"
	}
	return w
}

func (c *Comparison) side(i int) wireSide {
	x, f := &c.Facts[i], &c.Figures[i]
	w := wireSide{
		Title: c.Titles[i], Scenario: x.ID, Facts: [5]string{x.Scenario, x.Machine, x.Kernel, x.Class, x.Explanation},
		Settings: each(c.Settings[i], func(v sim.Setting) wireSetting { return wireSetting(v) }),
		Typed:    each(c.Typed[i], typedLine),
		Figures:  figuresOf(f),
		Projects: []wireNumber{},
	}
	for _, p := range f.Projects {
		fair := int64(0)
		if p.Fair {
			fair = 1
		}
		w.Projects = append(w.Projects, wireNumber{p.Name, numbers(int64(p.ID), fair, p.Shares, int64(p.Entitled), int64(p.Received))})
	}
	return w
}

func figuresOf(f *compare.Figures) string {
	return numbers(
		int64(f.Now), f.Strands, f.Busy, f.Waiting, f.Slots, f.Load[0], f.Load[1], f.Load[2],
		int64(f.OnlineTime), int64(f.BusyTime), int64(f.UserTime), int64(f.SystemTime), int64(f.CoreTime), int64(f.BusyCoreTime),
		int64(f.Waited), int64(f.IdleBeside), int64(f.Work), f.Switches, f.Involuntary, f.Moves, f.Wakes, int64(f.P50), int64(f.P99),
	)
}

func numbers(list ...int64) string {
	var b []byte
	for _, n := range list {
		b = append(strconv.AppendInt(b, n, 10), ' ')
	}
	return string(b)
}

// decodeCompare reads {"settings":[{"key":"class","value":"FSS"}]} and "scenario"
// where the right side is another one.
func decodeCompare(f *fields, m *Message) {
	var c act.Compare
	if f.has("scenario") {
		c.Scenario = f.text("scenario", maxName)
	}
	c.Settings = f.settings("settings")
	c.Alone = f.has("alone") && f.flag("alone")
	m.Command = c
}

// decodeFork reads what the fork changes: a line, a setting, or nothing yet.
func decodeFork(f *fields, m *Message) {
	var c act.Fork
	switch {
	case f.has("line"):
		c.Line = f.text("line", maxLine)
	case f.has("key"):
		c.Key, c.Value = f.text("key", maxName), f.text("value", maxValue)
	}
	m.Command = c
}

// side reads which side is meant: true is the right one.
func (f *fields) side() bool { return f.oneOf("side", "left", "right") == "right" }

// both reads whether a command is for both sides; unless told it is not.
func (f *fields) both() bool { return f.has("both") && f.flag("both") }

func (f *fields) settings(key string) []sim.Setting {
	list, ok := f.value(key, "a list of settings")
	if !ok {
		return nil
	}
	if list.Kind() != '[' || len(list.Elements) > maxSettings {
		f.fail("%s is %s, want a list of at most %d settings", key, short(list), maxSettings)
		return nil
	}
	var set []sim.Setting
	for i, x := range list.Elements {
		one := fields{values: map[string]jsonc.Value{}}
		for _, m := range x.Members {
			one.values[m.Name] = m.Value
		}
		set = append(set, sim.Setting{Key: one.text("key", maxName), Value: one.text("value", maxValue)})
		if one.done() != nil {
			f.fail("%s[%d] is not a setting, want key of at most %d bytes and value of at most %d", key, i, maxName, maxValue)
			return nil
		}
	}
	return set
}
