package solaris

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/console"
)

// options are the letters in front of a command's arguments, as getopt(3C) reads
// them.
type options struct {
	set  []option
	rest []string
}

type option struct {
	letter byte
	value  string
}

// getopt reads options; a letter of spec with a colon behind it takes a value.
func getopt(args []string, spec string) (options, error) {
	var o options
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		word := args[0][1:]
		args = args[1:]
		if word == "-" {
			break
		}
		for i := 0; i < len(word); i++ {
			at := strings.IndexByte(spec, word[i])
			if at < 0 || word[i] == ':' {
				return o, fmt.Errorf("illegal option -- %s", console.Printable(word[i:i+1]))
			}
			x := option{letter: word[i]}
			if at+1 < len(spec) && spec[at+1] == ':' {
				x.value = word[i+1:]
				i = len(word)
				if x.value == "" {
					if len(args) == 0 {
						return o, fmt.Errorf("option requires an argument -- %c", x.letter)
					}
					x.value, args = args[0], args[1:]
				}
			}
			o.set = append(o.set, x)
		}
	}
	o.rest = args
	return o, nil
}

func (o *options) has(letter byte) bool {
	_, ok := o.value(letter)
	return ok
}

// value is the last value given to a letter.
func (o *options) value(letter byte) (string, bool) {
	for i := len(o.set) - 1; i >= 0; i-- {
		if o.set[i].letter == letter {
			return o.set[i].value, true
		}
	}
	return "", false
}

// one returns which of some letters was given; it is an error if none or several
// were.
func (o *options) one(letters string) (byte, error) {
	var found byte
	for _, x := range o.set {
		switch {
		case strings.IndexByte(letters, x.letter) < 0 || x.letter == found:
		case found != 0:
			return 0, fmt.Errorf("-%c and -%c exclude each other", found, x.letter)
		default:
			found = x.letter
		}
	}
	if found == 0 {
		return 0, fmt.Errorf("one of %s is needed", dashed(letters))
	}
	return found, nil
}

func dashed(letters string) string {
	var list []string
	for _, l := range letters {
		list = append(list, "-"+string(l))
	}
	n := len(list) - 1
	return strings.Join(list[:n], ", ") + " and " + list[n]
}

// integer reads a whole number between two limits, both allowed.
func integer(what, text string, from, to int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < from || n > to {
		return 0, fmt.Errorf("%s %q, want a whole number from %d to %d", what, console.Shown(text), from, to)
	}
	return n, nil
}

// misused reports an error in how a command was called, and how it is called.
func misused(e *console.Env, err error, c string) (status int) {
	if err != nil {
		e.Errorf("%s", err)
	}
	lines := strings.Split(c, "\n")
	for i := range lines {
		if i == 0 {
			lines[i] = "usage: " + lines[i]
		} else {
			lines[i] = "       " + lines[i]
		}
	}
	return e.Usage(lines...)
}

// reason is an error without the name of the package that found it.
func reason(err error) error {
	text := err.Error()
	for _, p := range []string{"engine: ", "solaris: "} {
		text = strings.TrimPrefix(text, p)
	}
	return errors.New(text)
}
