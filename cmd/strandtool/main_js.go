//go:build js

package main

import (
	"strconv"
	"syscall/js"

	"strandscope/sim/clock"
)

// host is the object that toolworker.js leaves for the program: the request, and what
// to call with the answer.
var host = js.Global().Get("strandtoolHost")

func main() {
	digest, err := write([]byte(host.Get("request").String()), worker{})
	if err != nil {
		host.Call("refuse", err.Error())
		return
	}
	host.Call("done", digest)
}

// worker is the worker that runs the program.
type worker struct{}

func (worker) chunk(b []byte) {
	bytes := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(bytes, b)
	host.Call("chunk", bytes)
}

func (worker) progress(now clock.Time, size int) {
	host.Call("progress", strconv.FormatInt(int64(now), 10), size)
}
