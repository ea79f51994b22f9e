package proto

import "strandscope/sim/jsonc"

// Cell says where a strand is painted and how: tests look at the picture there.
type Cell struct {
	CPU   int    `json:"cpu"`
	X     int    `json:"x"` // device pixels
	Y     int    `json:"y"`
	W     int    `json:"w"`
	H     int    `json:"h"`
	Busy  bool   `json:"busy"`
	Color string `json:"color"` // of the cell's ground, "#rrggbb"
}

// Cells writes the answer to AskCells.
func Cells(scalePermille int, cells []Cell) []byte {
	return jsonc.Append(nil, struct {
		V     int    `json:"v"`
		Type  string `json:"type"`
		Scale int    `json:"scale"`
		Cells []Cell `json:"cells"`
	}{Version, "cells", scalePermille, cells})
}
