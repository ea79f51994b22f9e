// Package plot draws figures over time into a display list: axes with round
// ticks, lines and areas from stats.Series, legends.
//
// A series has more samples than a plot has pixels. Every pixel column keeps
// the least and the greatest sample in it, so a spike never vanishes and the
// curve does not change its shape while one zooms.
//
// It imports render/scene, render/geom and sim/stats; it knows no panel.
package plot
