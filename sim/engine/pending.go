package engine

import "math/bits"

// pendingCPUs holds the CPUs that have something to do. They are taken by id
// in rounds (Clock timing), or in the order in which they were added.
type pendingCPUs struct {
	byID bool
	bits []uint64
	n    int
	next int // by id: the round goes on at this CPU
	fifo []int32
	head int
}

func (p *pendingCPUs) init(cpus int, byID bool) {
	p.byID = byID
	p.bits = make([]uint64, (cpus+63)/64)
}

func (p *pendingCPUs) add(cpu int) {
	w, b := cpu/64, uint64(1)<<(cpu%64)
	if p.bits[w]&b != 0 {
		return
	}
	p.bits[w] |= b
	p.n++
	if !p.byID {
		p.fifo = append(p.fifo, int32(cpu))
	}
}

// take removes and returns the next CPU, or −1.
func (p *pendingCPUs) take() int {
	if p.n == 0 {
		p.next = 0
		return -1
	}
	var cpu int
	if p.byID {
		if cpu = p.scan(p.next); cpu < 0 {
			cpu = p.scan(0) // a new round
		}
		p.next = cpu + 1
	} else {
		cpu = int(p.fifo[p.head])
		p.head++
		if p.head == len(p.fifo) {
			p.fifo, p.head = p.fifo[:0], 0
		}
	}
	p.bits[cpu/64] &^= 1 << (cpu % 64)
	p.n--
	return cpu
}

// scan finds the first pending CPU at or above from.
func (p *pendingCPUs) scan(from int) int {
	for w := from / 64; w < len(p.bits); w++ {
		b := p.bits[w]
		if w == from/64 {
			b &= ^uint64(0) << (from % 64)
		}
		if b != 0 {
			return w*64 + bits.TrailingZeros64(b)
		}
	}
	return -1
}

// remove takes a CPU out, if it is pending.
func (p *pendingCPUs) remove(cpu int) {
	w, b := cpu/64, uint64(1)<<(cpu%64)
	if p.bits[w]&b == 0 {
		return
	}
	p.bits[w] &^= b
	p.n--
	for i := p.head; !p.byID && i < len(p.fifo); i++ {
		if int(p.fifo[i]) == cpu {
			p.fifo = append(p.fifo[:i], p.fifo[i+1:]...)
			return
		}
	}
}

// clear forgets all.
func (p *pendingCPUs) clear() {
	for more := true; more; {
		more = p.take() >= 0
	}
}
