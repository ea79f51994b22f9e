package clock

// Rand is a small seeded random stream (SplitMix64: Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014). One stream
// per thread and one per policy, so that adding a thread disturbs no other.
type Rand struct{ state uint64 }

// NewRand returns the stream of the given seed and stream number. Both are
// scrambled: a stream number that went in as it is would only shift the one
// sequence that a seed has.
func NewRand(seed uint64, stream uint64) Rand {
	a, b := Rand{state: seed}, Rand{state: stream}
	b.Uint64() // so that equal numbers do not scramble to equal values
	return Rand{state: a.Uint64() + b.Uint64()}
}

// Uint64 returns the next number, uniform over all 64-bit values.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Int63n returns a number in [0, n). n must be positive. The slight bias of
// the remainder (below n/2⁶³) is accepted for the sake of one draw per call.
func (r *Rand) Int63n(n int64) int64 { return int64(r.Uint64()>>1) % n }
