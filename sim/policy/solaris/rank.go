package solaris

import "math/bits"

// The kernel walks the strands of a processor set to find the one that runs and holds
// the least, or the first that is halted. So many walks take long where strands are
// thousands; what they would find is kept here instead.

// cpuSet is a set of CPUs.
type cpuSet struct {
	words []uint64
	n     int
}

func (s *cpuSet) reset(cpus int) {
	s.words, s.n = make([]uint64, (cpus+63)/64), 0
}

func (s *cpuSet) set(cpu int, in bool) {
	w, b := &s.words[cpu/64], uint64(1)<<(cpu%64)
	if in == (*w&b != 0) {
		return
	}
	*w ^= b
	if in {
		s.n++
	} else {
		s.n--
	}
}

// first is the lowest CPU of the set, −1 if it is empty.
func (s *cpuSet) first() int {
	if s.n == 0 {
		return -1
	}
	return firstFrom(s.words, 0)
}

// firstFrom is the lowest bit at or above from, else the lowest of all; −1: there is none.
func firstFrom(words []uint64, from int) int {
	for i := from / 64; i < len(words); i++ {
		w := words[i]
		if i == from/64 {
			w &= ^uint64(0) << (from % 64)
		}
		if w != 0 {
			return i*64 + bits.TrailingZeros64(w)
		}
	}
	if from > 0 {
		return firstFrom(words, 0)
	}
	return -1
}

// ranks are the CPUs of a partition by the best priority that each runs, holds in its
// queue, or was chosen for; rank 0 has nothing at all.
type ranks struct {
	words int
	cpus  []uint64 // a set of CPUs for each rank, one behind the other
	n     [levels + 1]int32
	used  [levels/64 + 1]uint64 // ranks that have CPUs
}

func (r *ranks) reset(cpus int) {
	words := (cpus + 63) / 64
	*r = ranks{words: words, cpus: make([]uint64, words*(levels+1))}
}

func (r *ranks) add(cpu, rank int) {
	r.cpus[rank*r.words+cpu/64] |= 1 << (cpu % 64)
	r.n[rank]++
	r.used[rank/64] |= 1 << (rank % 64)
}

func (r *ranks) drop(cpu, rank int) {
	r.cpus[rank*r.words+cpu/64] &^= 1 << (cpu % 64)
	if r.n[rank]--; r.n[rank] == 0 {
		r.used[rank/64] &^= 1 << (rank % 64)
	}
}

// lowest is the first CPU of the lowest rank, from start on and around, and its priority.
func (r *ranks) lowest(start int) (cpu, pri int) {
	rank := firstFrom(r.used[:], 0)
	return firstFrom(r.cpus[rank*r.words:(rank+1)*r.words], start), rank - 1
}

// rankOf is where a CPU belongs at present.
func (x *cpuDisp) rankOf() int { return max(x.runs, x.q.maxRun, x.chosen) + 1 }

// reckon brings a CPU's rank and its partition's offers up to date. Whoever changes what
// the CPU runs or holds calls it.
func (d *dispatcher) reckon(cpu int) {
	x := &d.cpus[cpu]
	if rank := x.rankOf(); rank != x.rank {
		x.part.ranks.drop(cpu, x.rank)
		x.part.ranks.add(cpu, rank)
		x.rank = rank
	}
	if offers := x.q.maxUnbound != idlePri; offers != x.offers {
		x.offers = offers
		if offers {
			x.part.offers++
		} else {
			x.part.offers--
		}
	}
}

// rankAll counts all CPUs anew, after they have changed partitions.
func (d *dispatcher) rankAll() {
	n := len(d.cpus)
	for _, p := range append(d.parts[:len(d.parts):len(d.parts)], d.offline) {
		p.ranks.reset(n)
		p.asleep.reset(n)
		p.offers = 0
	}
	for cpu := range d.cpus {
		x := &d.cpus[cpu]
		x.rank = x.rankOf()
		x.part.ranks.add(cpu, x.rank)
		x.part.asleep.set(cpu, x.inSet)
		if x.offers = x.q.maxUnbound != idlePri; x.offers {
			x.part.offers++
		}
	}
}
