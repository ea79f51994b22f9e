//go:build !js

package main

import (
	"fmt"
	"io"
	"os"

	"strandscope/sim/clock"
)

// The same without a browser: a request on standard input, the file on standard output.
func main() {
	out := &printer{}
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		_, err = write(text, out)
	}
	if err == nil {
		err = out.err
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "strandtool:", err)
		os.Exit(1)
	}
}

type printer struct{ err error }

func (p *printer) chunk(b []byte) {
	if p.err == nil {
		_, p.err = os.Stdout.Write(b)
	}
}

func (*printer) progress(clock.Time, int) {}
