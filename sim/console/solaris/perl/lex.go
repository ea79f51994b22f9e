package perl

import (
	"fmt"
	"strconv"
	"strings"
)

type kind uint8

const (
	end    kind = iota
	number      // n
	text        // a string; n is its value as a number
	word        // an identifier
	scalar      // $name
	array       // @name
	last        // $#name
	symbol
)

type token struct {
	kind kind
	text string
	n    int64
	at   int
}

// symbols, longest first.
var symbols = []string{
	"**=", "||=", "&&=", "<=>", "...", "**", "++", "--", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "&&", "||", "..", "=>", "->", "=~",
	"{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "=", "<", ">", "!", "?", ":", ".", "~", "\\", "&", "|", "^",
}

// Unmodelled is what is Perl, but nothing that is followed here.
type Unmodelled struct{ What string }

func (u Unmodelled) Error() string {
	return u.What + "; what is followed here are numbers, loops, conditions, fork, sleep and exit"
}

func unmodelled(format string, args ...any) error { return Unmodelled{fmt.Sprintf(format, args...)} }

type lexer struct {
	src  string
	list []token
}

func (l *lexer) syntax(at int) error {
	near := strings.TrimRight(l.src[min(at, len(l.src)):], " \t\n")
	if len(near) > 30 {
		near = strings.ToValidUTF8(near[:30], "")
	}
	line := 1 + strings.Count(l.src[:min(at, len(l.src))], "\n")
	if near == "" {
		return fmt.Errorf("syntax error at -e line %d, at EOF", line)
	}
	return fmt.Errorf("syntax error at -e line %d, near %q", line, near)
}

// lex cuts a script into tokens.
func lex(src string) (*lexer, error) {
	l := &lexer{src: src}
	for i := 0; i < len(src); {
		c := src[i]
		switch c {
		case ' ', '\t', '\n', '\r':
			i++
			continue
		case '#':
			for i < len(src) && src[i] != '\n' {
				i++
			}
			continue
		}
		t, n, err := l.token(i)
		if err != nil {
			return nil, err
		}
		t.at = i
		l.list = append(l.list, t)
		i += n
	}
	l.list = append(l.list, token{kind: end, at: len(src)})
	return l, nil
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// name is the length of an identifier at i.
func (l *lexer) name(i int) int {
	n := 0
	for i+n < len(l.src) && (isLetter(l.src[i+n]) || n > 0 && isDigit(l.src[i+n])) {
		n++
	}
	return n
}

func (l *lexer) token(i int) (token, int, error) {
	c := l.src[i]
	switch {
	case isDigit(c):
		return l.number(i)
	case isLetter(c):
		n := l.name(i)
		return token{kind: word, text: l.src[i : i+n]}, n, nil
	case c == '"' || c == '\'':
		return l.quoted(i)
	case c == '$' || c == '@':
		return l.variable(i)
	}
	for _, s := range symbols {
		if strings.HasPrefix(l.src[i:], s) {
			return token{kind: symbol, text: s}, len(s), nil
		}
	}
	return token{}, 0, l.syntax(i)
}

func (l *lexer) number(i int) (token, int, error) {
	j := i
	for j < len(l.src) && (isDigit(l.src[j]) || l.src[j] == '_') {
		j++
	}
	digits, zeros := strings.ReplaceAll(l.src[i:j], "_", ""), 0
	if j+1 < len(l.src) && l.src[j] == '.' && isDigit(l.src[j+1]) {
		return token{}, 0, unmodelled("a number with a fraction is not followed")
	}
	if j < len(l.src) && (l.src[j] == 'e' || l.src[j] == 'E') {
		k := j + 1
		for k < len(l.src) && isDigit(l.src[k]) {
			k++
		}
		var err error
		if zeros, err = strconv.Atoi(l.src[j+1 : k]); err != nil || zeros > 15 {
			return token{}, 0, unmodelled("the number %s is not followed", l.src[i:k])
		}
		j = k
	}
	if j < len(l.src) && isLetter(l.src[j]) || len(digits) > 1 && digits[0] == '0' {
		return token{}, 0, unmodelled("numbers that are not decimal are not followed")
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", zeros), 10, 64)
	if err != nil || n > maxNumber {
		return token{}, 0, unmodelled("numbers beyond 2**53 are not followed")
	}
	return token{kind: number, n: n, text: l.src[i:j]}, j - i, nil
}

func (l *lexer) quoted(i int) (token, int, error) {
	n := strings.IndexByte(l.src[i+1:], l.src[i])
	if n < 0 {
		return token{}, 0, fmt.Errorf("Can't find string terminator %c anywhere before EOF at -e line 1.", l.src[i]) //nolint:revive,staticcheck // as perl says it
	}
	s := l.src[i+1 : i+1+n]
	if strings.ContainsAny(s, `\$@`) && l.src[i] == '"' {
		return token{}, 0, unmodelled("what a string interpolates is not followed")
	}
	return token{kind: text, text: s}, n + 2, nil
}

func (l *lexer) variable(i int) (token, int, error) {
	sigil, rest := l.src[i:i+1], l.src[i+1:]
	if strings.HasPrefix(l.src[i:], "$#") {
		sigil, rest = "$#", l.src[i+2:]
	}
	n := l.name(i + len(sigil))
	switch {
	case n == 0 && strings.HasPrefix(rest, "{"):
		return token{}, 0, unmodelled("references and ${…} are not followed")
	case n == 0 && sigil == "$" && rest != "":
		return token{}, 0, unmodelled("$%s is not followed", rest[:1])
	case n == 0:
		return token{}, 0, l.syntax(i)
	}
	k := map[string]kind{"$": scalar, "@": array, "$#": last}[sigil]
	return token{kind: k, text: rest[:n]}, len(sigil) + n, nil
}
