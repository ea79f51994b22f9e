// Package control is the running page without a page: it owns the session and
// the view, applies commands to them and decides how much simulated time
// passes in each frame.
//
// It is pure Go and takes the time of day as an argument, so that pacing and
// commands are tested without a browser. cmd/strandscope wires it to Ebitengine
// and to the page.
package control
