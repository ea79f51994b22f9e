// Package scene is the display list: what is to be drawn, as plain values that
// can be printed and compared. Panels append to a List; a painter turns it into
// pixels, an exporter into SVG. The order of the list is the order of drawing.
//
// A List reuses its storage: after a few frames drawing allocates nothing.
// Text is measured by one interface, Metrics, which the painter implements; so
// layout and pixels agree. A Fixed metrics serves tests and is the same
// everywhere.
//
// It imports render/geom and nothing that draws.
package scene
