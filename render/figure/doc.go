// Package figure makes a figure of a run: chosen panels, or the whole picture, with
// a caption, the source and a link below, as one display list that is written as SVG.
// Command line and page call it alike, so that both give the same octets.
//
// It imports render and render/svg and nothing that draws.
package figure
