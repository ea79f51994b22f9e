//go:build !full

package policy

// Later kernels are not in the page's first program, which would weigh 2.07 MB under
// gzip with them. The page fetches a fuller one, built with the tag full, for what needs
// them.
func Later() []Kernel { return nil }
