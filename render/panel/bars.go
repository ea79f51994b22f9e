package panel

import "strandscope/sim/clock"

// unit is one pixel of the height of a bar, divided.
const unit = 4096

// bars turns shares into heights of whole pixels. Each height is less than one
// pixel off; what is rounded away is carried into the next column, so that the
// area stays right; and neither the first busy moment of a stretch nor its first
// gap vanishes.
type bars struct {
	h     int
	carry int64
	begun bool // within columns that are partly busy
}

func (b *bars) next(part, whole clock.Duration) int {
	switch {
	case part <= 0 || whole <= 0:
		b.carry, b.begun = 0, false
		return 0
	case part >= whole:
		b.carry, b.begun = 0, false
		return b.h
	}
	// A product of an hour, 4096 strands and their pixels needs more than 63
	// bits; a share that small is not seen.
	for whole > 1<<40 {
		part, whole = part>>1, whole>>1
	}
	want := int64(part) * int64(b.h) * unit / int64(whole)
	low := want / unit
	px := low
	if b.carry+want-low*unit >= unit/2 {
		px++
	}
	if !b.begun {
		px = max(1, min(px, int64(b.h)-1))
	}
	b.begun = true
	b.carry += want - px*unit
	return int(px)
}
