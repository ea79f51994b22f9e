//go:build !full

package sim

// In the page's first program kernels are not compared: it has those of 1999 alone.
type ages struct{}

func (s *Session) aging() bool { return false }

// NextKernel does nothing here.
func (s *Session) NextKernel() error { return nil }
