// Package panel holds the panels of the picture, one file each, and their
// ordered list All. A panel is pure: the same frame, view and rectangle give
// the same list, the same answers to input and the same words.
//
// To add a panel: write one file with a type that implements Panel, and add it
// to All. Colours come from render/theme by role, never as literals, and no
// colour alone carries a meaning: beside it stands a word, a dash or a hatch.
//
// It imports render/{act,geom,plot,scene,theme} and sim, and nothing that
// draws pixels.
package panel
