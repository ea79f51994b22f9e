package proto

import (
	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/compare"
	"strandscope/sim/jsonc"
)

// maxSettings is how many settings a message may have: what was typed is among them.
const maxSettings = 10_000

// Comparison is what the page is told of two runs beside each other.
type Comparison struct {
	Right   bool   // has the focus
	Level   bool   // both are at the same time
	Differs string // a sentence
	Sides   [2]Side
	Rows    []compare.Row
}

// Side is one of the two.
type Side struct {
	Title    string
	Scenario string // built-in id; "": a document
	Settings []sim.Setting
}

type (
	wireCompare struct {
		Focus   string   `json:"focus"` // "left" or "right"
		Level   bool     `json:"level"`
		Differs string   `json:"differs"`
		Left    wireSide `json:"left"`
		Right   wireSide `json:"right"`
		// Rows are the table's headings, left out until they change; Values are
		// what is left, right, and the difference, row by row.
		Rows   *[]wireFigures  `json:"rows,omitempty"`
		Values [][3]string `json:"values"`
	}
	wireSide struct {
		Title    string        `json:"title"`
		Scenario string        `json:"scenario"`
		Settings []wireSetting `json:"settings"`
	}
	wireFigures struct {
		ID    string `json:"id"`
		Label string `json:"label"`
		Help  string `json:"help"`
	}
)

func (e *Encoder) compareOf(c *Comparison) *wireCompare {
	if c == nil {
		e.figures = "" // the page forgot them
		return nil
	}
	w := &wireCompare{Focus: "left", Level: c.Level, Differs: c.Differs, Left: sideOf(&c.Sides[0]), Right: sideOf(&c.Sides[1])}
	if c.Right {
		w.Focus = "right"
	}
	rows := make([]wireFigures, 0, len(c.Rows))
	w.Values = make([][3]string, 0, len(c.Rows))
	for i := range c.Rows {
		r := &c.Rows[i]
		rows = append(rows, wireFigures{r.ID, r.Label(), r.Help})
		w.Values = append(w.Values, [3]string{r.Text(r.Left), r.Text(r.Right), r.DifferenceText()})
	}
	if changed(&e.figures, rows) {
		w.Rows = &rows
	}
	return w
}

func sideOf(s *Side) wireSide {
	return wireSide{s.Title, s.Scenario, each(s.Settings, func(v sim.Setting) wireSetting { return wireSetting(v) })}
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
