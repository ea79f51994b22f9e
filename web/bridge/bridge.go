//go:build js

package bridge

import "syscall/js"

// host is the object that stage.js leaves for the program.
var host = js.Global().Get("strandscopeHost")

// Send hands one message to the page.
func Send(json string) { host.Call("send", json) }

// Subscribe calls fn for each message of the page, in order, from now on. fn
// runs inside a browser event: it must only take note and return.
func Subscribe(fn func(json string)) {
	host.Call("subscribe", js.FuncOf(func(_ js.Value, args []js.Value) any {
		// Anything but text never leaves stage.js; a program that dies of an
		// odd argument would be the worse for trusting that.
		if len(args) == 1 && args[0].Type() == js.TypeString {
			fn(args[0].String())
		}
		return nil
	}))
}

// Words is what the page says in the reader's language, or nil where that is English.
// Each text is asked for once.
func Words() func(string) string {
	if !host.Get("say").Truthy() {
		return nil
	}
	known := map[string]string{}
	return func(s string) string {
		said, ok := known[s]
		if !ok {
			if len(known) > 4000 { // figures change for hours
				clear(known)
			}
			said = host.Call("say", s).String()
			known[s] = said
		}
		return said
	}
}
