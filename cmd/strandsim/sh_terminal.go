package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"strandscope/sim/clock"
	"strandscope/sim/console"
)

// Keys that the terminal is not asked about.
const (
	ctrlC  = 3
	escape = 27
)

// terminal is a shell in front of somebody: with history, completion, Ctrl-C,
// programs that fill the screen, and time that passes at a pace.
type terminal struct {
	*shell
	keys  <-chan []byte // closed when no more will come
	ahead []byte        // pressed while a command was in front
	line  *term.Terminal
	// frame waits for the next moment at which to look; it returns the real time
	// that has passed.
	frame func() <-chan time.Duration
	pace  float64 // simulated seconds in a real one; 0: as fast as it can
	drawn string  // what the screen shows
	gone  bool    // no keys are left
	cut   bool    // Ctrl-C at the prompt
}

// onTerminal runs the shell on the terminal that standard input is, if it is one.
func onTerminal(sh *shell, in io.Reader, pace float64) (ran bool, err error) {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false, nil
	}
	old, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return true, err
	}
	defer func() { _ = term.Restore(int(f.Fd()), old) }()
	keys := make(chan []byte)
	go func() {
		defer close(keys)
		for {
			buf := make([]byte, 256)
			n, err := f.Read(buf)
			if err != nil {
				return
			}
			keys <- buf[:n]
		}
	}()
	t := newTerminal(sh, keys, pace)
	if w, h, err := term.GetSize(int(f.Fd())); err == nil {
		_ = t.line.SetSize(w, h)
	}
	return true, t.run()
}

// frameEvery is how often a running command is looked at.
const frameEvery = 50 * time.Millisecond

func newTerminal(sh *shell, keys <-chan []byte, pace float64) *terminal {
	t := &terminal{shell: sh, keys: keys, pace: pace}
	t.frame = func() <-chan time.Duration {
		c := make(chan time.Duration, 1)
		time.AfterFunc(frameEvery, func() { c <- frameEvery })
		return c
	}
	t.line = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{reader{t}, sh.out}, "")
	t.line.AutoCompleteCallback = t.complete
	sh.out, sh.err = t.line, t.line
	return t
}

// reader gives the line editor its keys.
type reader struct{ t *terminal }

func (r reader) Read(p []byte) (int, error) {
	if len(r.t.ahead) == 0 {
		b, ok := <-r.t.keys
		if !ok {
			r.t.gone = true
			return 0, io.EOF
		}
		r.t.ahead = b
	}
	if i := bytes.IndexByte(r.t.ahead, ctrlC); i >= 0 && !r.t.cut {
		// The editor would end, and keep the line that is broken off.
		r.t.cut = true
		r.t.ahead = slices.Concat([]byte(clearLine), r.t.ahead[i+1:])
	}
	n := copy(p, r.t.ahead)
	r.t.ahead = r.t.ahead[n:]
	return n, nil
}

// clearLine goes to the end of the line, removes all before it, and enters
// nothing.
const clearLine = "\x05\x15\r"

func (t *terminal) run() error {
	con := t.s.Console()
	fmt.Fprintln(t.out, "Simulated time passes while a command waits. help lists the commands, exit leaves.")
	for !con.Exited() && !t.gone {
		t.line.SetPrompt(con.Prompt())
		line, err := t.line.ReadLine()
		switch {
		case t.cut:
			t.cut = false
			t.s.Interrupt()
			fmt.Fprintln(t.out, "^C")
			continue
		case errors.Is(err, term.ErrPasteIndicator):
		case err != nil:
			return nil // Ctrl-D, or nobody is there any more
		}
		t.s.Type(line)
		if err := t.wait(); err != nil {
			return err
		}
	}
	return nil
}

// wait lets time pass until the prompt is to be shown again.
func (t *terminal) wait() error {
	con := t.s.Console()
	for {
		t.drain()
		t.draw()
		if !con.Busy() {
			return nil
		}
		select {
		case b, ok := <-t.keys:
			if !ok {
				t.gone = true
				t.keys = nil
				t.s.Interrupt()
				continue
			}
			t.press(b)
		case spent := <-t.frame():
			if err := t.pass(spent); err != nil {
				return err
			}
		}
	}
}

// press hands keys to what is in front.
func (t *terminal) press(b []byte) {
	for i, k := range b {
		switch {
		case k == ctrlC:
			t.s.Interrupt()
			t.ahead = nil
		case t.s.Console().Screen() != nil:
			if k != escape {
				t.s.Type(string(rune(k)))
			}
		default:
			t.ahead = append(t.ahead, b[i:]...)
			return
		}
	}
}

// pass lets simulated time pass for a stretch of real time.
func (t *terminal) pass(spent time.Duration) error {
	con := t.s.Console()
	to := t.s.Now().Add(clock.Duration(t.pace * float64(spent)))
	if t.pace == 0 {
		to = t.s.Now().Add(clock.Second)
		if at, ok := con.Next(); ok {
			to = max(at, t.s.Now())
		}
	}
	for t.s.Now() < to && con.Busy() {
		if err := t.s.AdvanceToNext(to); err != nil {
			return err
		}
	}
	return nil
}

// draw shows the program that fills the screen, if there is one and it has
// changed.
func (t *terminal) draw() {
	lines := t.s.Console().Screen()
	text := ""
	if lines != nil {
		text = console.Plain(strings.Join(lines, "\n")) + "\n"
	}
	if text == t.drawn {
		return
	}
	t.drawn = text
	fmt.Fprint(t.out, "\x1b[H\x1b[2J"+text)
}

// complete is the editor's question at each key.
func (t *terminal) complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	offers := t.s.Console().Complete(line[:pos])
	if len(offers) == 0 {
		return line, pos, true
	}
	last := strings.LastIndexAny(line[:pos], " ;|&(\n`") + 1
	word, end := common(offers), ""
	if len(offers) == 1 {
		end = " "
	} else if word == line[last:pos] {
		fmt.Fprintln(t.out, strings.Join(offers, "  "))
	}
	next := line[:last] + word + end
	return next + line[pos:], len(next), true
}

// common is what all texts begin with.
func common(texts []string) string {
	word := texts[0]
	for _, t := range texts[1:] {
		for !strings.HasPrefix(t, word) {
			word = word[:len(word)-1]
		}
	}
	return word
}
