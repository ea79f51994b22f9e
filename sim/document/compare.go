package document

import (
	"fmt"
	"strings"
)

// Line is a line that the machine printed.
type Line struct {
	Text string
	// Decoration is what is not compared: pairs of byte offsets.
	Decoration []int
}

// Mark is a field of ours that the document prints otherwise.
type Mark struct {
	Line     int // of ours
	From, To int // byte offsets
	Printed  string
	Figure   bool // else a word
}

// Result is what a comparison found.
type Result struct {
	Marks []Mark
	// Figures that were compared, and how many are as printed.
	Figures, Same int
	// Words that were compared, and how many are as printed.
	Words, SameWords int
	// Left are figures that are not compared, since ours are decoration.
	Left int
	// Missing are lines of the document to which ours has none.
	Missing []string
	told    []string // differences in words
}

// field is what stands between blanks.
type field struct {
	from, to int
	text     string
	deco     bool
}

// Compare compares lines that a document prints with ours.
func Compare(printed []string, ours []Line) Result {
	var r Result
	theirs := make([][]field, len(printed))
	for i, l := range printed {
		theirs[i] = split(Line{Text: l})
	}
	mine := make([][]field, len(ours))
	for i, l := range ours {
		mine[i] = split(l)
	}
	for _, p := range align(len(theirs), len(mine), func(i, j int) int { return likeness(theirs[i], mine[j]) }) {
		switch {
		case p[0] < 0 || p[1] < 0 && len(theirs[p[0]]) == 0:
		case p[1] < 0:
			r.missing(printed[p[0]], theirs[p[0]])
		default:
			r.line(p[1], theirs[p[0]], mine[p[1]])
		}
	}
	return r
}

func (r *Result) missing(text string, fields []field) {
	r.Missing = append(r.Missing, strings.TrimSpace(text))
	for _, f := range fields {
		r.count(figure(f.text), false)
	}
}

func (r *Result) count(figure, same bool) {
	n := 0
	if same {
		n = 1
	}
	if figure {
		r.Figures++
		r.Same += n
	} else {
		r.Words++
		r.SameWords += n
	}
}

// line compares two lines.
func (r *Result) line(at int, theirs, mine []field) {
	for _, p := range pairs(theirs, mine) {
		if p[0] < 0 {
			continue // ours says more
		}
		t := theirs[p[0]]
		isFigure := figure(t.text)
		if p[1] < 0 {
			r.count(isFigure, false)
			r.tell(t.text, "nothing")
			continue
		}
		m := mine[p[1]]
		switch {
		case m.deco && isFigure:
			r.Left++
		case m.deco:
		case m.text == t.text:
			r.count(isFigure, true)
		default:
			r.count(isFigure, false)
			r.tell(t.text, m.text)
			r.Marks = append(r.Marks, Mark{Line: at, From: m.from, To: m.to, Printed: t.text, Figure: isFigure})
		}
	}
}

func (r *Result) tell(printed, here string) {
	r.told = append(r.told, fmt.Sprintf("%s (printed %s)", trim(here), trim(printed)))
}

// pairs pairs the fields of two lines: by their place where there are equally
// many, else like with like.
func pairs(theirs, mine []field) [][2]int {
	if len(theirs) == len(mine) {
		list := make([][2]int, len(mine))
		for i := range list {
			list[i] = [2]int{i, i}
		}
		return list
	}
	return align(len(theirs), len(mine), func(i, j int) int {
		switch {
		case theirs[i].text == mine[j].text:
			return 4
		case shape(theirs[i].text) == shape(mine[j].text):
			return 3
		case figure(theirs[i].text) && figure(mine[j].text):
			return 2
		}
		return 0
	})
}

// Summary says in a sentence what was found.
func (r *Result) Summary() string {
	if r.Figures+r.Words+r.Left == 0 {
		return "Nothing to compare."
	}
	what, same, all := "figures", r.Same, r.Figures
	if all == 0 {
		what, same, all = "words", r.SameWords, r.Words
	}
	s := fmt.Sprintf("%d of %d %s as printed", same, all, what)
	if all == 0 {
		s = "no figure to compare"
	}
	if n := r.Figures - r.Same + r.Words - r.SameWords; n > 0 {
		verb := "differ"
		if n == 1 {
			verb = "differs"
		}
		s += fmt.Sprintf("; %d %s", n, verb)
		if len(r.told) > 0 {
			s += ": " + list(r.told)
		}
		if len(r.Missing) > 0 {
			s += fmt.Sprintf("; not here: %s", list(r.Missing))
		}
	}
	if r.Left > 0 {
		s += fmt.Sprintf("; %d not compared, the model has none (grey)", r.Left)
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// list names the first few.
func list(all []string) string {
	const most = 4
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", len(all)-most)
}

// split cuts a line at its blanks.
func split(l Line) []field {
	var fields []field
	text := l.Text
	for at := 0; at < len(text); {
		if blank(text[at]) {
			at++
			continue
		}
		end := at
		for end < len(text) && !blank(text[end]) {
			end++
		}
		f := field{from: at, to: end, text: text[at:end]}
		for i := 0; i+1 < len(l.Decoration); i += 2 {
			f.deco = f.deco || l.Decoration[i] < end && l.Decoration[i+1] > at
		}
		fields = append(fields, f)
		at = end
	}
	return fields
}

func blank(b byte) bool { return b == ' ' || b == '\t' }

func digit(b byte) bool { return b >= '0' && b <= '9' }

// figure reports whether a field is a figure: 37, -0, 250.09, 0:19, time=0.2,
// 515636K.
func figure(text string) bool {
	if _, after, ok := strings.Cut(text, "="); ok {
		text = after
	}
	text = strings.TrimLeft(text, "(+-[")
	return text != "" && digit(text[0])
}

// trim takes off what belongs to the sentence rather than to the figure.
func trim(text string) string { return strings.TrimRight(text, ",;") }

// shape is a text with each run of digits made one.
func shape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if !digit(text[i]) {
			b.WriteByte(text[i])
		} else if i == 0 || !digit(text[i-1]) {
			b.WriteByte('0')
		}
	}
	return b.String()
}
