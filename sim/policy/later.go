//go:build !js || full

package policy

import "strandscope/sim/policy/linux6"

// Later are the kernels after 2.2, which the page's first program lacks.
func Later() []Kernel {
	return []Kernel{
		linux2622,
		linux2624,
		linux6Kernel("linux-6.1", "Linux 6.1 (CFS)", "6.1.176", linux6.V61),
		linux6Kernel("linux-6.12", "Linux 6.12 (EEVDF)", "6.12.95", linux6.V612),
		linux6Kernel("linux-6.18", "Linux 6.18 (EEVDF)", "6.18.15", linux6.V618),
	}
}
