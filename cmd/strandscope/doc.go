// Command strandscope is the program in the page: a session of the simulation
// and the picture of it, run by Ebitengine in the stage frame (web/stage.html).
// All controls are the page's; they arrive as messages (web/proto).
//
// It is built with GOOS=js GOARCH=wasm. With the tag desktop it is the same picture in a
// window of its own, with keys in the place of controls. Else it only says so.
package main
