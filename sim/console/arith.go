package console

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// arithmetic is the value of $(( … )): whole numbers, + - * / %, comparisons and
// parentheses.
func (x *exec) arithmetic(text string) (int64, error) {
	a := arith{x: x, src: text}
	n, err := a.compare()
	if err == nil && a.peek() != "" {
		err = fmt.Errorf("%s: syntax error in expression", Shorten(strings.TrimSpace(text)))
	}
	return n, err
}

type arith struct {
	x     *exec
	src   string
	depth int
}

var arithOps = []string{"<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "%", "(", ")"}

func (a *arith) peek() string {
	a.src = strings.TrimLeft(a.src, " \t\n")
	for _, op := range arithOps {
		if strings.HasPrefix(a.src, op) {
			return op
		}
	}
	if a.src == "" {
		return ""
	}
	return a.src[:1]
}

func (a *arith) compare() (int64, error) {
	n, err := a.sum()
	for err == nil {
		op := a.peek()
		switch op {
		case "<", ">", "<=", ">=", "==", "!=":
		default:
			return n, nil
		}
		a.src = a.src[len(op):]
		var m int64
		if m, err = a.sum(); err != nil {
			break
		}
		is := map[string]bool{"<": n < m, ">": n > m, "<=": n <= m, ">=": n >= m, "==": n == m, "!=": n != m}[op]
		n = 0
		if is {
			n = 1
		}
	}
	return n, err
}

func (a *arith) sum() (int64, error) {
	n, err := a.product()
	for err == nil {
		op := a.peek()
		if op != "+" && op != "-" {
			break
		}
		a.src = a.src[1:]
		var m int64
		m, err = a.product()
		if op == "-" {
			m = -m
		}
		n += m
	}
	return n, err
}

func (a *arith) product() (int64, error) {
	n, err := a.factor()
	for err == nil {
		op := a.peek()
		if op != "*" && op != "/" && op != "%" {
			break
		}
		a.src = a.src[1:]
		var m int64
		if m, err = a.factor(); err != nil {
			break
		}
		switch {
		case op == "*":
			n *= m
		case m == 0:
			return 0, errors.New("division by 0")
		case op == "/":
			n /= m
		default:
			n %= m
		}
	}
	return n, err
}

func (a *arith) factor() (int64, error) {
	if a.depth++; a.depth > maxDepth {
		return 0, fmt.Errorf("an expression nested more than %d deep", maxDepth)
	}
	defer func() { a.depth-- }()
	switch a.peek() {
	case "-", "+":
		neg := a.src[0] == '-'
		a.src = a.src[1:]
		n, err := a.factor()
		if neg {
			n = -n
		}
		return n, err
	case "(":
		a.src = a.src[1:]
		n, err := a.compare()
		if err == nil && a.peek() != ")" {
			err = errors.New("a parenthesis is not closed")
		}
		a.src = strings.TrimPrefix(a.src, ")")
		return n, err
	}
	var dollar bool
	a.src, dollar = strings.CutPrefix(a.src, "$")
	end := 0
	if dollar && a.src != "" && strings.IndexByte("?!$#", a.src[0]) >= 0 {
		word := a.x.variable(a.src[:1])
		a.src = a.src[1:]
		return wholeNumber(word)
	}
	for end < len(a.src) && isNameByte(a.src[end]) {
		end++
	}
	word := a.src[:end]
	a.src = a.src[end:]
	if word == "" {
		return 0, errors.New("an operand is missing in an expression")
	}
	if word[0] > '9' {
		if word = a.x.variable(word); word == "" {
			return 0, nil
		}
	}
	return wholeNumber(word)
}

func wholeNumber(word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: not a whole number", Shorten(word))
	}
	return n, nil
}
