package machine

import "math/bits"

// CPI is cycles per instruction of a thread alone on a pipeline, in thousandths.
// It is the thread's demand on the pipeline: alone it issues every CPI/1000th
// cycle and is not ready in between.
type CPI int32

// Bounds and default of a thread's CPI. The default is a compute-bound
// interpreter loop (FACTS §11.3).
const (
	DefaultCPI CPI = 2000
	MinCPI     CPI = 1010
	MaxCPI     CPI = 100_000
)

// one is 1 in the fixed point of the queueing model.
const one = 1 << 24

// Issue is the queueing model of a single-issue pipeline (FACTS §11.3): each
// strand is ready for one cycle of service, then not ready for CPI−1 cycles; of
// those ready the pipeline serves one a cycle. It fills in each strand's speed
// relative to running alone and returns the share of issue slots used. It is a
// model, not a measurement.
//
// For equal CPIs this is the finite-source queue of the reference. For unequal
// ones a set S of ready strands has the weight |S|!·Π 1/(CPI−1), and a strand
// issues 1/(CPI−1) times as often as it is not ready.
func Issue(cpis []CPI, speeds []Permille) Permille {
	if len(cpis) == 0 {
		return 0
	}
	all := weight(cpis, -1)
	for i, c := range cpis {
		idle := weight(cpis, i)
		// idle/all · c/(c−1), in thousandths.
		speeds[i] = Permille(mulDiv(idle*1000, uint64(c), all) / uint64(c-1000))
	}
	return Permille(1000 - mulDiv(one, 1000, all))
}

// weight sums up the weights of all sets of ready strands, strand out left out.
func weight(cpis []CPI, out int) uint64 {
	// e[k] is the k-th elementary symmetric polynomial of 1/(CPI−1).
	var e [maxPerPipeline + 1]uint64
	e[0] = one
	n := 0
	for i, c := range cpis {
		if i == out {
			continue
		}
		n++
		demand := uint64(one) * 1000 / uint64(c-1000)
		for k := n; k > 0; k-- {
			e[k] += mulDiv(e[k-1], demand, one)
		}
	}
	sum, factorial := uint64(0), uint64(1)
	for k := 0; k <= n; k++ {
		if k > 0 {
			factorial *= uint64(k)
		}
		sum += factorial * e[k]
	}
	return sum
}

// maxPerPipeline is the largest number of strands that share issue slots, so
// that the sums above fit 64 bits.
const maxPerPipeline = 4

func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}
