package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"strandscope/sim/jsonc"
	"strandscope/sim/order"
)

// value is a JSON value with the path that leads to it, for messages.
type value struct {
	path  string
	v     jsonc.Value
	notes *notes // of the whole document
}

// notes is what was read otherwise than it stands there.
type notes struct {
	loose bool // keys that are not known are noted, not refused
	list  []string
	more  int
}

// maxNotes is how many notes are kept; the others are counted.
const maxNotes = 20

// note remembers something that whoever runs the document should know.
func (v value) note(format string, args ...any) {
	switch n := v.notes; {
	case n == nil:
	case len(n.list) < maxNotes:
		n.list = append(n.list, v.errorf(format, args...).Error())
	default:
		n.more++
	}
}

// member is a named value of an object. Names may repeat.
type member struct {
	name string
	val  value
}

func parse(text []byte) (value, error) {
	if len(text) > MaxBytes {
		return value{}, fmt.Errorf("%d bytes; at most %d are accepted", len(text), MaxBytes)
	}
	v, err := jsonc.Dialect{Depth: maxDepth, Comments: true, Bare: true}.Parse(text)
	if err != nil {
		return value{}, fmt.Errorf("not JSON: %w", err)
	}
	return value{v: v, notes: &notes{}}, nil
}

func (v value) at(name string) string {
	if v.path == "" {
		return clip(name)
	}
	return v.path + "." + clip(name)
}

// under is a member of the value that is missing or at fault, for messages.
func (v value) under(name string) value { return value{path: v.at(name), notes: v.notes} }

// maxName is the longest name, in bytes, that messages repeat in full and that
// a name from a document may have.
const maxName = 64

// clip shortens what a document says so that a message stays readable.
func clip(s string) string {
	if len(s) <= maxName {
		return s
	}
	return strings.ToValidUTF8(s[:maxName], "") + "…"
}

func (v value) errorf(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if v.path == "" {
		return fmt.Errorf("%s", text)
	}
	return fmt.Errorf("%s: %s", v.path, text)
}

// kind names what the value is.
func (v value) kind() string {
	switch v.v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 't', 'f':
		return "true or false"
	}
	return "null"
}

func (v value) members() ([]member, error) {
	if v.v.Kind() != '{' {
		return nil, v.errorf("%s, want an object", v.kind())
	}
	ms := make([]member, 0, len(v.v.Members))
	for _, m := range v.v.Members {
		ms = append(ms, member{m.Name, value{v.at(m.Name), m.Value, v.notes}})
	}
	return ms, nil
}

func (v value) list() ([]value, error) {
	if v.v.Kind() != '[' {
		return nil, v.errorf("%s, want a list", v.kind())
	}
	vs := make([]value, 0, len(v.v.Elements))
	for i, e := range v.v.Elements {
		vs = append(vs, value{v.path + "[" + strconv.Itoa(i) + "]", e, v.notes})
	}
	return vs, nil
}

func (v value) text() (string, error) {
	if v.v.Kind() != '"' {
		return "", v.errorf("%s, want a text", v.kind())
	}
	return v.v.Text(), nil
}

// integer reads a whole number in [lo, hi].
func (v value) integer(lo, hi int64) (int64, error) {
	if v.v.Kind() != '0' {
		return 0, v.errorf("%s, want a number", v.kind())
	}
	raw := string(v.v.Raw)
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(raw, 64)
		if ferr != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return 0, v.errorf("%s, want a whole number from %d to %d", clip(raw), lo, hi)
		}
		n = int64(f)
	}
	if n < lo || n > hi {
		return 0, v.errorf("%d, want %d to %d", n, lo, hi)
	}
	return n, nil
}

// decimal reads a number as thousandths, in [lo, hi].
func (v value) decimal(lo, hi int64) (int64, error) {
	if v.v.Kind() != '0' {
		return 0, v.errorf("%s, want a number", v.kind())
	}
	raw := string(v.v.Raw)
	f, err := strconv.ParseFloat(raw, 64)
	if n := math.Round(f * 1000); err == nil && n >= float64(lo) && n <= float64(hi) {
		return int64(n), nil
	}
	return 0, v.errorf("%s, want %s to %s", raw, plain(lo), plain(hi))
}

// plain writes thousandths without an exponent.
func plain(thousandths int64) string {
	return strconv.FormatFloat(float64(thousandths)/1000, 'f', -1, 64)
}

// fields maps the keys that an object may have to what reads them.
type fields map[string]func(v value) error

// read reads an object whose keys are all known; other handles the rest and
// may be nil, and also names what it may take, for hints. Keys are visited in
// file order.
func (v value) read(known fields, other func(m member) (bool, error), also ...string) error {
	ms, err := v.members()
	if err != nil {
		return err
	}
	for _, m := range ms {
		if f, ok := known[m.name]; ok {
			if err := f(m.val); err != nil {
				return err
			}
			continue
		}
		if other != nil {
			taken, err := other(m)
			if err != nil {
				return err
			}
			if taken {
				continue
			}
		}
		meant := hint(m.name, known, also) // a slip of the pen is one in any document
		if meant == "" && v.notes != nil && v.notes.loose {
			m.val.note("not known here, and left out")
			continue
		}
		return m.val.errorf("unknown key%s", meant)
	}
	return nil
}

func hint[T any](name string, known map[string]T, also []string) string {
	if n := Nearest(name, append(order.Keys(known), also...)); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// Nearest is the candidate that is most like name, or "" if none is like it.
// Of equally near ones it is the first in alphabetical order.
func Nearest(name string, candidates []string) string {
	if len(name) > maxName {
		return "" // nothing is like it, and finding that out would take long
	}
	best, bestD := "", max(2, len(name)/3)+1
	for _, c := range candidates {
		d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(c))
		if d < bestD || d == bestD && best != "" && c < best {
			best, bestD = c, d
		}
	}
	return best
}

// Readers of common kinds of fields.

func intoText(p *string) func(value) error {
	return func(v value) (err error) { *p, err = v.text(); return err }
}

// intoName reads a text that names something: a preset, a class.
func intoName(p *string) func(value) error {
	return func(v value) error {
		text, err := v.text()
		if err == nil && len(text) > maxName {
			return v.errorf("%d bytes long, want a name of at most %d", len(text), maxName)
		}
		*p = text
		return err
	}
}

func intoInt(p *int, lo, hi int64) func(value) error {
	return func(v value) error {
		n, err := v.integer(lo, hi)
		*p = int(n)
		return err
	}
}

func intoBool(p *bool) func(value) error {
	return func(v value) error {
		switch v.v.Kind() {
		case 't', 'f':
			*p = v.v.Kind() == 't'
			return nil
		}
		return v.errorf("%s, want true or false", v.kind())
	}
}
