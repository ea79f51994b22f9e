package record

import "bytes"

// payload goes through the fields of an event's text.
type payload struct {
	r     *Reader
	event []byte
	b     []byte
	bad   bool // a field was missing or wrong, and that has been noted
}

// missing notes that a field is not there, or is wrong.
func (p *payload) missing(field, want string) {
	if !p.bad {
		p.bad = true
		p.r.note(string(p.event)+" without a field "+field, field, "%s in %s; the line is left out", want, clean(p.event))
	}
}

// name reads key=NAME up to the next key, which has a number. A name may hold anything,
// the next key too, but the kernel's have 15 octets at most, so the last place within
// that is the right one.
func (p *payload) name(key, next string) []byte {
	if p.bad {
		return nil
	}
	rest, ok := after(p.b, key)
	if !ok {
		p.missing(key[:len(key)-1], "missing")
		return nil
	}
	end := -1
	for i := 0; i <= 15; {
		k := bytes.Index(rest[i:], []byte(next))
		if k < 0 || k+i > 15 && end >= 0 {
			break
		}
		if v := i + k + len(next); v < len(rest) && (isDigit(rest[v]) || rest[v] == '-') {
			end = i + k
		}
		i += k + 1
	}
	if end < 0 {
		p.missing(trimKey(next), "missing or no number")
		return nil
	}
	p.b = rest[end:]
	return rest[:end]
}

func trimKey(key string) string { return key[1 : len(key)-1] }

// after finds a key at the beginning of a word and gives what follows it. What stands
// before is another field, which is noted.
func after(b []byte, key string) ([]byte, bool) {
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte(key))
		if i < 0 {
			return nil, false
		}
		i += from
		if i == 0 || b[i-1] == ' ' {
			return b[i+len(key):], true
		}
		from = i + 1
	}
}

// word is key=WORD.
func (p *payload) word(key string) []byte {
	if p.bad {
		return nil
	}
	rest, ok := after(p.b, key)
	if !ok {
		p.missing(key[:len(key)-1], "missing")
		return nil
	}
	p.strange(p.b[:len(p.b)-len(rest)-len(key)])
	i := bytes.IndexByte(rest, ' ')
	if i < 0 {
		i = len(rest)
	}
	p.b = rest[i:]
	return rest[:i]
}

// strange notes fields that are not known here; they are left out.
func (p *payload) strange(b []byte) {
	if p.bad {
		return
	}
	for _, f := range bytes.Fields(b) {
		i := bytes.IndexByte(f, '=')
		if i < 1 || i > 32 {
			continue
		}
		name := clean(f[:i])
		p.r.note(string(p.event)+" has a further field "+name, name, "a field of %s that is not known here; it is left out", clean(p.event))
	}
}

// number reads key=NUMBER within a range.
func (p *payload) number(key string, least, most int64) int64 {
	w := p.word(key)
	if p.bad {
		return 0
	}
	n, ok := signed(w, most)
	if !ok || n < least {
		p.missing(key[:len(key)-1], "want a number from "+itoa(least)+" to "+itoa(most)+", not "+shown(w)+",")
	}
	return n
}

func signed(b []byte, most int64) (int64, bool) {
	if len(b) > 1 && b[0] == '-' {
		n, ok := number(b[1:], 1<<40)
		return -n, ok
	}
	return number(b, most)
}

func itoa(n int64) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
