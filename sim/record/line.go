package record

import "bytes"

// head is what every line of text begins with.
type head struct {
	name []byte
	pid  int32
	cpu  int
	at   int64 // ns
	perf bool  // the pid stands apart from the name, as perf has it
	// flags are the letters of the kernel's flags column, empty where there is none.
	flags []byte
	event []byte
	rest  []byte
}

// Why a line could not be read.
type trouble uint8

const (
	fine trouble = iota
	noLine
	badCPU
	badTime
)

// parseHead reads TASK-PID [(TGID)] [CPU] [FLAGS] TIME: EVENT: …, or perf's form with
// the pid apart. A name may hold anything, brackets, colons and digits too, so what
// tells the CPU from it is what stands before and behind: a pid and a time.
func parseHead(line []byte, h *head) trouble {
	worst := noLine
	for from := 0; ; {
		i := bytes.IndexByte(line[from:], '[')
		if i < 0 {
			return worst
		}
		i += from
		from = i + 1
		end := i + 1
		for end < len(line) && isDigit(line[end]) {
			end++
		}
		if end == i+1 || end == len(line) || line[end] != ']' {
			continue
		}
		if !parseTask(line[:i], h) {
			continue
		}
		cpu, ok := number(line[i+1:end], maxCPU)
		if !ok {
			worst = badCPU
			continue
		}
		h.cpu = int(cpu)
		switch got := parseTail(line[end+1:], h); got {
		case fine:
			return fine
		case noLine:
		default:
			worst = got
		}
	}
}

// parseTask reads what stands before the CPU.
func parseTask(b []byte, h *head) bool {
	b = trimRight(b)
	if n := len(b); n > 0 && b[n-1] == ')' {
		o := bytes.LastIndexByte(b, '(')
		if o < 0 {
			return false
		}
		for _, c := range b[o+1 : n-1] {
			if !isDigit(c) && c != '-' && c != ' ' {
				return false
			}
		}
		b = trimRight(b[:o])
	}
	i := len(b)
	for i > 0 && isDigit(b[i-1]) {
		i--
	}
	pid, ok := number(b[i:], 1<<31-1)
	if !ok || i == 0 {
		return false
	}
	h.pid, h.perf = int32(pid), false
	switch b[i-1] {
	case '-':
		h.name = trimLeft(b[:i-1])
		return len(h.name) > 0
	case '/': // pid/tid
		i--
		for i > 0 && isDigit(b[i-1]) {
			i--
		}
		if i == 0 || b[i-1] != ' ' {
			return false
		}
	case ' ':
	default:
		return false
	}
	h.name, h.perf = trim(b[:i]), true
	return len(h.name) > 0
}

// parseTail reads what stands behind the CPU.
func parseTail(b []byte, h *head) trouble {
	h.flags = nil
	for range 2 {
		b = trimLeft(b)
		i := bytes.IndexByte(b, ' ')
		if i < 0 {
			i = len(b)
		}
		word := b[:i]
		if n := len(word); n > 1 && word[n-1] == ':' && isDigit(word[0]) {
			at, ok := seconds(word[:n-1])
			if !ok {
				return badTime
			}
			h.at = at
			return parseEvent(b[i:], h)
		}
		if h.flags != nil || len(word) == 0 || len(word) > 12 {
			return noLine
		}
		h.flags, b = word, b[i:]
	}
	return noLine
}

// parseEvent reads the name of the event, in perf with its group before it.
func parseEvent(b []byte, h *head) trouble {
	b = trimLeft(b)
	i := bytes.IndexByte(b, ' ')
	if i < 0 {
		i = len(b)
	}
	word := b[:i]
	h.rest = trimLeft(b[i:])
	if n := len(word); n > 1 && word[n-1] == ':' {
		word = word[:n-1]
		if c := bytes.LastIndexByte(word, ':'); c >= 0 {
			word = word[c+1:]
		}
		h.event = word
		return fine
	}
	h.event = nil
	return fine
}

// seconds reads a number of seconds with up to nine decimals as nanoseconds.
func seconds(b []byte) (int64, bool) {
	dot := bytes.IndexByte(b, '.')
	if dot < 1 {
		return 0, false
	}
	whole, ok := number(b[:dot], 4_000_000_000)
	frac := b[dot+1:]
	if !ok || len(frac) == 0 || len(frac) > 9 {
		return 0, false
	}
	part, ok := number(frac, 999_999_999)
	if !ok {
		return 0, false
	}
	for range 9 - len(frac) {
		part *= 10
	}
	return whole*1_000_000_000 + part, true
}

// number reads decimal digits up to a most.
func number(b []byte, most int64) (int64, bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	n := int64(0)
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, n <= most
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func trimLeft(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

func trimRight(b []byte) []byte {
	for n := len(b); n > 0 && (b[n-1] == ' ' || b[n-1] == '\t'); n-- {
		b = b[:n-1]
	}
	return b
}

func trim(b []byte) []byte { return trimLeft(trimRight(b)) }
