//go:build !js || full

package app

import (
	"errors"

	"strandscope/sim"
	"strandscope/web/proto"
)

// kernels begins the runs of the comparison of kernels, one a frame.
func (a *App) kernels() {
	err := errors.New("there is no run")
	if s, ok := a.State.Run.(*sim.Session); ok {
		err = s.CompareKernels(sim.KernelSpan)
	}
	a.tellKernels(err)
}

// tellKernels tells the page of the kernels that were run, if somebody asked for them.
func (a *App) tellKernels(err error) {
	var rows []sim.KernelRow
	left := 0
	if s, ok := a.State.Run.(*sim.Session); ok {
		rows, left = s.Kernels()
	}
	if err != nil || len(rows)+left > 0 {
		a.send(proto.Kernels(rows, left, err))
	}
}
