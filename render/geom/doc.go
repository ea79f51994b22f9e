// Package geom holds points, sizes, rectangles and the time scale, all in whole
// device pixels, so that what is laid out is what is drawn: no edge ever falls
// between two pixels.
//
// It imports sim/clock and nothing else of the project.
package geom
