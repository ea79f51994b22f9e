// Package fake makes frames without a simulation, for tests of the renderer:
// figures are plausible, not computed.
package fake
