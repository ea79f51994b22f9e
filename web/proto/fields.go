package proto

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/jsonc"
	"strandscope/sim/order"
)

// fields reads the keys of one message by name and remembers the first thing
// that is wrong. Each key has to be asked for: what is left over is an error.
type fields struct {
	cmd    string
	values map[string]jsonc.Value
	used   []string
	err    error
}

func (f *fields) fail(format string, args ...any) {
	if f.err != nil {
		return
	}
	where := "message"
	if f.cmd != "" {
		where += " " + strconv.Quote(f.cmd)
	}
	f.err = fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...))
}

func (f *fields) has(key string) bool {
	_, ok := f.values[key]
	return ok
}

func (f *fields) value(key, want string) (jsonc.Value, bool) {
	f.used = append(f.used, key)
	v, ok := f.values[key]
	if !ok {
		f.fail("%s is missing, want %s", key, want)
	}
	return v, ok
}

func (f *fields) text(key string, limit int) string {
	want := fmt.Sprintf("text of at most %d bytes", limit)
	v, ok := f.value(key, want)
	if !ok {
		return ""
	}
	if v.Kind() != '"' {
		f.fail("%s is %s, want %s", key, short(v), want)
		return ""
	}
	s := v.Text()
	if len(s) > limit {
		f.fail("%s has %d bytes, want %s", key, len(s), want)
		return ""
	}
	return s
}

func (f *fields) number(key string, low, high int64) int64 {
	want := fmt.Sprintf("a whole number from %d to %d", low, high)
	if low == high {
		want = strconv.FormatInt(low, 10)
	}
	v, ok := f.value(key, want)
	if !ok {
		return low
	}
	n, err := strconv.ParseInt(string(v.Raw), 10, 64)
	if err != nil || n < low || n > high {
		f.fail("%s is %s, want %s", key, short(v), want)
		return low
	}
	return n
}

func (f *fields) flag(key string) bool {
	v, ok := f.value(key, "true or false")
	if !ok {
		return false
	}
	switch v.Kind() {
	case 't', 'f':
		return v.Kind() == 't'
	}
	f.fail("%s is %s, want true or false", key, short(v))
	return false
}

func (f *fields) oneOf(key string, allowed ...string) string {
	s := f.text(key, maxName)
	if f.err == nil && !slices.Contains(allowed, s) {
		f.fail("%s is %s, want one of %s", key, quote(s), strings.Join(allowed, ", "))
	}
	return s
}

// done reports the first fault, or else a key nobody asked for.
func (f *fields) done() error {
	if f.err != nil {
		return f.err
	}
	for _, key := range order.Keys(f.values) {
		if key != "n" && !slices.Contains(f.used, key) {
			f.fail("key %s is not known%s", quote(key), nearest(key, f.used))
			return f.err
		}
	}
	return nil
}

// quote shows at most the head of a value of any length.
func quote(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return strconv.Quote(s)
}

func short(v jsonc.Value) string {
	if len(v.Raw) > 60 {
		return strings.ToValidUTF8(string(v.Raw[:60]), "") + "…"
	}
	return string(v.Raw)
}

// nearest offers the allowed word that differs least, or lists them all.
func nearest(word string, allowed []string) string {
	best, at := "", 3
	for _, a := range allowed {
		if d := distance(word, a, at); d < at {
			best, at = a, d
		}
	}
	if best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ", want one of " + strings.Join(allowed, ", ")
}

// distance is the number of edits between two words, or limit where it is not
// less than that. Long words are never near.
func distance(a, b string, limit int) int {
	if len(a) > 40 || len(b) > 40 {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return min(row[len(b)], limit)
}
