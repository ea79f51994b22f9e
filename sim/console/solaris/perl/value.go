package perl

import "fmt"

type valueKind uint8

const (
	undefined valueKind = iota
	numeric
	truthy  // a string that is true; n is its value as a number
	falsy   // an empty string
	process // what fork returns to the parent: an id that nobody knows yet
)

type value struct {
	kind valueKind
	n    int64
}

func num(n int64) value { return value{numeric, n} }

func truth(is bool) value {
	if is {
		return num(1)
	}
	return value{kind: falsy}
}

// ofText is the value of a word or string: Perl takes the number at its front.
func ofText(s string) value {
	i, n, neg := 0, int64(0), false
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	for ; i < len(s) && isDigit(s[i]) && n <= maxNumber; i++ {
		n = n*10 + int64(s[i]-'0')
	}
	if neg {
		n = -n
	}
	switch s {
	case "":
		return value{kind: falsy}
	case "0":
		return num(0)
	}
	return value{truthy, n}
}

func (v value) isTrue() bool {
	switch v.kind {
	case numeric:
		return v.n != 0
	case truthy, process:
		return true
	case undefined, falsy:
	}
	return false
}

// number is what a value counts as.
func (v value) number() (int64, error) {
	if v.kind == process {
		return 0, unmodelled("to reckon with the process id that fork returns is not followed")
	}
	if v.n > maxNumber || v.n < -maxNumber {
		return 0, unmodelled("numbers beyond 2**53 are not followed")
	}
	return v.n, nil
}

// compared is the order of two values; that of process ids among each other is
// not known, but each is more than 0 and less than a billion.
func compared(a, b value) (int, error) {
	const most = 1_000_000_000
	low := func(v value) bool { return v.kind != process && v.n <= 0 }
	high := func(v value) bool { return v.kind != process && v.n >= most }
	switch {
	case a.kind == process && low(b), b.kind == process && high(a):
		return 1, nil
	case a.kind == process && high(b), b.kind == process && low(a):
		return -1, nil
	}
	x, err := a.number()
	if err != nil {
		return 0, err
	}
	y, err := b.number()
	switch {
	case err != nil:
		return 0, err
	case x < y:
		return -1, nil
	case x > y:
		return 1, nil
	}
	return 0, nil
}

func binary(op string, a, b value) (value, error) {
	switch op {
	case "==", "!=", "<", ">", "<=", ">=", "<=>":
		c, err := compared(a, b)
		if err != nil || op == "<=>" {
			return num(int64(c)), err
		}
		is := map[string]bool{"==": c == 0, "!=": c != 0, "<": c < 0, ">": c > 0, "<=": c <= 0, ">=": c >= 0}[op]
		return truth(is), nil
	}
	x, err := a.number()
	if err != nil {
		return num(0), err
	}
	y, err := b.number()
	if err != nil {
		return num(0), err
	}
	return reckon(op, x, y)
}

func reckon(op string, x, y int64) (value, error) {
	n := int64(0)
	switch op {
	case "+":
		n = x + y
	case "-":
		n = x - y
	case "*":
		n = x * y
		if x != 0 && (n/x != y || x == -1 && n == -n && n != 0) {
			n = maxNumber + 1
		}
	case "/", "%":
		switch {
		case y == 0 && op == "/":
			return num(0), fmt.Errorf("Illegal division by zero at -e line 1.") //nolint:revive,staticcheck // as perl says it
		case y == 0:
			return num(0), fmt.Errorf("Illegal modulus zero at -e line 1.") //nolint:revive,staticcheck // as perl says it
		case op == "%":
			n = x % y
			if n != 0 && (n < 0) != (y < 0) {
				n += y // Perl's has the sign of the right side
			}
		case x%y != 0:
			return num(0), unmodelled("a division with a rest is not followed")
		default:
			n = x / y
		}
	case "**":
		n = 1
		for range min(max(y, 0), 64) {
			if n *= x; n > maxNumber || n < -maxNumber {
				break
			}
		}
		if y < 0 {
			return num(0), unmodelled("a negative power is not followed")
		}
	}
	if n > maxNumber || n < -maxNumber {
		return num(0), unmodelled("numbers beyond 2**53 are not followed")
	}
	return num(n), nil
}
