//go:build !full

package app

// No scenario of the page's first program offers kernels to compare.
func (a *App) kernels() {}

func (a *App) tellKernels(error) {}
