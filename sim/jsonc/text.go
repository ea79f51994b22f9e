package jsonc

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Pairs of what follows a backslash and what it stands for.
const (
	escapes = `"\/bfnrt`
	escaped = "\"\\/\b\f\n\r\t"
)

// quoted goes past a text in quotes.
func (p *parser) quoted() error {
	p.at++
	for {
		switch {
		case p.take(`"`):
			return nil
		case p.take(`\`):
			if err := p.escape(); err != nil {
				return err
			}
		case p.next() < ' ':
			return p.want("a closing quote")
		default:
			p.at++
		}
	}
}

func (p *parser) escape() error {
	if p.take(escapes) {
		return nil
	}
	if !p.take("u") {
		return p.want(`one of ` + escapes + `u after \`)
	}
	for range 4 {
		if !p.take("0123456789abcdefABCDEF") {
			return p.want(`four hexadecimal digits after \u`)
		}
	}
	return nil
}

// Text is the text that a value of kind '"' holds. What is no UTF-8, and half a
// surrogate pair, become U+FFFD.
func (v Value) Text() string {
	raw := string(v.Raw[1 : len(v.Raw)-1])
	if strings.IndexByte(raw, '\\') < 0 && utf8.ValidString(raw) {
		return raw
	}
	b := make([]byte, 0, len(raw))
	for raw != "" {
		switch {
		case raw[0] != '\\':
			r, n := utf8.DecodeRuneInString(raw)
			b, raw = utf8.AppendRune(b, r), raw[n:]
		case raw[1] == 'u':
			r, n := unescape(raw)
			b, raw = utf8.AppendRune(b, r), raw[n:]
		default:
			b, raw = append(b, escaped[strings.IndexByte(escapes, raw[1])]), raw[2:]
		}
	}
	return string(b)
}

// unescape reads \uXXXX, or two of them that are a surrogate pair.
func unescape(s string) (r rune, n int) {
	const long = len(`\uXXXX`)
	r = hex(s[2:long])
	if !utf16.IsSurrogate(r) {
		return r, long
	}
	if rest := s[long:]; strings.HasPrefix(rest, `\u`) {
		if pair := utf16.DecodeRune(r, hex(rest[2:long])); pair != utf8.RuneError {
			return pair, 2 * long
		}
	}
	return utf8.RuneError, long
}

func hex(digits string) rune {
	n, _ := strconv.ParseUint(digits, 16, 16) // the parser saw to it that it is one
	return rune(n)
}
