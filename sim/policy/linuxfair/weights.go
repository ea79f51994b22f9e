package linuxfair

import "math/bits"

// NiceZero is the weight of nice 0.
const NiceZero = 1024

// MaxWeight is 2³² less one, the kernel's WMULT_CONST: what an inverse is divided from.
const MaxWeight = 1<<32 - 1

// IdleWeight and IdleInverse are those of SCHED_IDLE.
const (
	IdleWeight  = 3
	IdleInverse = 1431655765
)

// Weights and inverses by nice value from −20 on (core.c: sched_prio_to_weight,
// sched_prio_to_wmult).
var (
	weights = [40]uint32{
		88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
		9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
		1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
		110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
	}
	inverses = [40]uint32{
		48388, 59856, 76040, 92818, 118348, 147320, 184698, 229616, 287308, 360437,
		449829, 563644, 704093, 875809, 1099582, 1376151, 1717300, 2157191, 2708050, 3363326,
		4194304, 5237765, 6557202, 8165337, 10153587, 12820798, 15790321, 19976592, 24970740, 31350126,
		39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153,
	}
)

// Weight is the weight of a nice value, −20…19.
func Weight(nice int) int64 { return int64(weights[nice+20]) }

// Inverse is 2³² divided by the weight of a nice value, as the kernel's table has it.
func Inverse(nice int) uint32 { return inverses[nice+20] }

// Scale is x·w·inv / 2³² as the kernel computes it (fair.c: __calc_delta): the factor
// is cut to 32 bits first, so that the result is a little off an exact division.
func Scale(x int64, w int64, inv uint32) int64 {
	f, shift := uint64(w)*uint64(inv), 32
	if b := bits.Len64(f >> 32); b > 0 {
		f >>= b
		shift -= b
	}
	hi, lo := bits.Mul64(uint64(x), f)
	return int64(hi<<(64-shift) | lo>>shift)
}
