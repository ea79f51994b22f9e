package record

import "strandscope/sim/jsonc"

// jsonScan finds the objects of a Chrome trace in a stream: those in the list
// traceEvents, in any list called events, or in a list that is the whole file. Only one
// of them is in memory at a time. A text called systemTraceEvents is ftrace's, and its
// lines are read as such.
type jsonScan struct {
	r *Reader

	levels   []level
	deep     int // levels beyond those that are kept
	inText   bool
	escaped  bool
	wantsKey bool
	inKey    bool
	key      []byte // of the present member

	object   []byte // that is being captured
	inside   int    // its open brackets; 0: none is captured
	tooLong  bool
	objects  int64
	embedded bool
	hex      int // digits of \uXXXX that are to come
	code     rune
	out      [256]byte
	n        int

	tracks chromeTracks
}

type level struct {
	open byte
	list bool // of events
}

const (
	maxLevels = 64
	maxObject = 1 << 20
)

func newJSONScan(r *Reader) *jsonScan {
	s := &jsonScan{r: r, tracks: newChromeTracks()}
	r.t.Lines = 1
	return s
}

func (s *jsonScan) feed(p []byte) error {
	for _, c := range p {
		if s.inside > 0 {
			if len(s.object) < maxObject {
				s.object = append(s.object, c)
			} else {
				s.tooLong = true
			}
		}
		if s.inText {
			s.text(c)
			continue
		}
		switch c {
		case '\n':
			s.r.t.Lines++
		case '"':
			s.inText, s.escaped = true, false
			if s.inside == 0 {
				s.inKey = s.wantsKey
				if s.inKey {
					s.key = s.key[:0]
				} else {
					s.embedded = string(s.key) == "systemTraceEvents" && s.top() == '{'
				}
			}
		case '{', '[':
			s.open(c)
		case '}', ']':
			s.close1()
		case ',':
			s.wantsKey = s.inside == 0 && s.top() == '{'
		case ':':
			s.wantsKey = false
		}
	}
	return nil
}

func (s *jsonScan) top() byte {
	if s.deep > 0 || len(s.levels) == 0 {
		return 0
	}
	return s.levels[len(s.levels)-1].open
}

// text is a byte within quotes.
func (s *jsonScan) text(c byte) {
	end := false
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
		if s.embedded {
			s.hex = -1 // an escape begins
			return
		}
	case c == '"':
		end = true
	}
	if s.embedded {
		s.embed(c, end)
	}
	if s.inKey && !end && len(s.key) < 32 {
		s.key = append(s.key, c)
	}
	if end {
		s.inText, s.inKey, s.embedded = false, false, false
	}
}

// embed passes a byte of ftrace text on to the lines.
func (s *jsonScan) embed(c byte, end bool) {
	switch {
	case end:
		s.pass('\n')
		s.flush()
		s.r.t.Format = "Chrome trace JSON with ftrace text"
		return
	case s.hex > 0:
		s.code = s.code<<4 | rune(unhex(c))
		if s.hex--; s.hex == 0 {
			for _, b := range []byte(string(s.code)) {
				s.pass(b)
			}
		}
		return
	case s.hex == -1:
		s.hex = 0
		switch c {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r', 'b', 'f':
			c = ' '
		case 'u':
			s.hex, s.code = 4, 0
			return
		}
	}
	s.pass(c)
}

func unhex(c byte) byte {
	switch {
	case isDigit(c):
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 0
}

func (s *jsonScan) pass(c byte) {
	s.out[s.n] = c
	if s.n++; s.n == len(s.out) {
		s.flush()
	}
}

func (s *jsonScan) flush() {
	_ = s.r.lines(s.out[:s.n]) // text that is embedded is never refused
	s.n = 0
}

func (s *jsonScan) open(c byte) {
	if s.inside > 0 {
		s.inside++
		return
	}
	if c == '{' && s.deep == 0 && len(s.levels) > 0 && s.levels[len(s.levels)-1].list {
		s.inside, s.tooLong = 1, false
		s.object = append(s.object[:0], c)
		return
	}
	if len(s.levels) == maxLevels {
		s.deep++
		return
	}
	l := level{open: c}
	if c == '[' {
		l.list = len(s.levels) == 0 || s.top() == '{' && (string(s.key) == "traceEvents" || string(s.key) == "events")
	}
	s.levels = append(s.levels, l)
	s.wantsKey = c == '{'
}

func (s *jsonScan) close1() {
	switch {
	case s.inside > 1:
		s.inside--
	case s.inside == 1:
		s.inside = 0
		s.done()
	case s.deep > 0:
		s.deep--
	case len(s.levels) > 0:
		s.levels = s.levels[:len(s.levels)-1]
		s.wantsKey = false
	}
}

// done reads an object that is whole.
func (s *jsonScan) done() {
	s.objects++
	if s.tooLong {
		s.r.note("an object that is too long", "traceEvents", "object %d has more than %d bytes; it is left out", s.objects, maxObject)
		return
	}
	v, err := jsonc.Dialect{Depth: maxLevels}.Parse(s.object)
	if err != nil {
		s.r.note("an object that is no JSON", "traceEvents", "object %d: %v; it is left out", s.objects, err)
		return
	}
	s.event(v)
}

// close ends the file.
func (s *jsonScan) close() {
	if s.embedded {
		s.pass('\n')
		s.flush()
	}
	if s.inside > 0 || s.inText || s.top() == '{' {
		s.r.note("cut", "", "the file ends in the middle of an object; what came before is read")
	}
	s.tracks.end(s.r)
}
