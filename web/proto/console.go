package proto

import (
	"slices"
	"strconv"

	"strandscope/sim/console"
	"strandscope/sim/document"
	"strandscope/sim/jsonc"
	"strandscope/sim/scenario"
)

// Console is what the page is told of the machine's console.
type Console struct {
	Epoch  int64        // another number: the log began anew
	Log    *console.Log // nil: nothing was shown yet
	Prompt string
	Busy   bool     // a command is in front
	Front  string   // the line that is, shortened
	Screen []string // of a program that fills it; nil: the log is shown
	Told   Told
}

// Told says how far the document was told, and what the comparisons found.
type Told struct {
	Step    int  // the last one; −1: none yet
	Pending bool // its command is still in front
	Found   []Found
}

// Found is the result of comparing one step's lines.
type Found struct {
	Step   int
	First  int // number of the log's line that its line 0 is
	Marks  []document.Mark
	Result string // one sentence
}

// mostLines is how much of a log goes in one message: the page keeps no more.
const mostLines = 2000

type (
	wireConsole struct {
		Epoch  int64      `json:"epoch"`
		First  int        `json:"first"` // lines before it are forgotten
		From   int        `json:"from"`  // number of the first of Lines
		Lines  []wireLine `json:"lines"`
		Prompt string     `json:"prompt"`
		Busy   bool       `json:"busy"`
		Front  string     `json:"front"`
		Screen []wireLine `json:"screen"` // null: none
		Told   wireTold   `json:"told"`
	}
	wireLine struct {
		At   string `json:"at"`
		Kind string `json:"kind"`
		Text string `json:"text"`
		// Deco are pairs of offsets in UTF-16, as scripts count.
		Deco []int `json:"deco,omitempty"`
	}
	wireStep struct {
		Remark string   `json:"remark,omitempty"`
		Type   string   `json:"type,omitempty"`
		Prints []string `json:"prints,omitempty"`
		Watch  string   `json:"watchNs"`
	}
	wireTold struct {
		Step    int         `json:"step"`
		Pending bool        `json:"pending"`
		Found   []wireFound `json:"found"`
	}
	wireFound struct {
		Step   int        `json:"step"`
		First  int        `json:"first"`
		Marks  []wireMark `json:"marks"`
		Result string     `json:"result"`
	}
	wireMark struct {
		Line    int    `json:"line"`
		From    int    `json:"from"` // in UTF-16
		To      int    `json:"to"`
		Printed string `json:"printed"`
	}
)

// consoleOf is the console with the lines that the page does not have.
func (e *Encoder) consoleOf(c *Console) wireConsole {
	w := wireConsole{
		Epoch: c.Epoch, Lines: []wireLine{}, Prompt: c.Prompt, Busy: c.Busy, Front: c.Front,
		Told: wireTold{c.Told.Step, c.Told.Pending, each(c.Told.Found, c.found)},
	}
	if c.Screen != nil {
		w.Screen = each(c.Screen, func(l string) wireLine {
			text, deco := console.Marked(l)
			return wireLine{Kind: console.Output.String(), Text: text, Deco: units(text, deco)}
		})
	}
	if c.Log == nil {
		e.epoch, e.next = c.Epoch, 0
		return w
	}
	if c.Epoch != e.epoch || c.Log.Next() < e.next {
		e.epoch, e.next = c.Epoch, 0
	}
	all, _ := c.Log.From(0)
	w.First = c.Log.Next() - len(all)
	from := max(e.next, c.Log.Next()-mostLines)
	lines, from := c.Log.From(from)
	w.From, e.next = from, from+len(lines)
	w.Lines = each(lines, wireLineOf)
	return w
}

func wireLineOf(l console.Line) wireLine {
	return wireLine{l.At.String(), l.Kind.String(), l.Text, units(l.Text, l.Decoration)}
}

// found translates the offsets of marks, as far as their lines are known.
func (c *Console) found(f Found) wireFound {
	return wireFound{f.Step, f.First, each(f.Marks, func(m document.Mark) wireMark {
		text := ""
		if c.Log != nil {
			if lines, from := c.Log.From(f.First + m.Line); from == f.First+m.Line && len(lines) > 0 {
				text = lines[0].Text
			}
		}
		at := units(text, []int{m.From, m.To})
		return wireMark{m.Line, at[0], at[1], m.Printed}
	}), f.Result}
}

// units turns byte offsets into offsets in UTF-16.
func units(text string, offsets []int) []int {
	if len(offsets) == 0 {
		return nil
	}
	out := make([]int, len(offsets))
	for i, o := range offsets {
		n := 0
		for _, r := range text[:min(max(o, 0), len(text))] {
			n++
			if r > 0xffff {
				n++
			}
		}
		out[i] = n
	}
	return out
}

// typedOf is what was typed, if the page does not have it.
func (e *Encoder) typedOf(typed []Typed) *[]wireTyped {
	if e.told && slices.Equal(e.typed, typed) {
		return nil
	}
	e.typed, e.told = slices.Clone(typed), true
	w := each(typed, typedLine)
	return &w
}

func typedLine(t Typed) wireTyped { return wireTyped{t.At.String(), t.Key, t.Do} }

func stepOf(s scenario.Step) wireStep {
	return wireStep{s.Remark, s.Type, s.Prints, strconv.FormatInt(int64(s.Watch), 10)}
}

// maxOffers is how many completions are told; nobody reads more.
const maxOffers = 400

// Offers writes the answer to AskComplete: what the last word of a text may become.
func Offers(seq int64, text string, words []string) []byte {
	more := max(0, len(words)-maxOffers)
	return jsonc.Append(nil, struct {
		V     int      `json:"v"`
		Type  string   `json:"type"`
		N     int64    `json:"n"`
		Text  string   `json:"text"`
		Words []string `json:"words"`
		More  int      `json:"more"`
	}{Version, "offers", seq, text, each(words[:len(words)-more], same), more})
}
