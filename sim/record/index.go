package record

import "sort"

// The index keeps records in blocks, so that it grows without copies.
const (
	blockShift = 12
	blockSize  = 1 << blockShift
	// MaxRecords is how many records a recording may have: 256 MB of them, about a
	// gigabyte of text.
	MaxRecords = 8 << 20
)

type index struct {
	blocks   []*[blockSize]Rec
	n        int
	unsorted bool
}

func (x *index) at(i int) *Rec { return &x.blocks[i>>blockShift][i&(blockSize-1)] }

func (x *index) add(r *Rec) bool {
	if x.n == MaxRecords {
		return false
	}
	if x.n>>blockShift == len(x.blocks) {
		x.blocks = append(x.blocks, new([blockSize]Rec))
	}
	*x.at(x.n) = *r
	if x.n > 0 && r.At < x.at(x.n-1).At {
		x.unsorted = true
	}
	x.n++
	return true
}

// drop takes out all records of a kind.
func (x *index) drop(k Kind) {
	n := 0
	for i := range x.n {
		if r := x.at(i); r.Kind != k {
			*x.at(n) = *r
			n++
		}
	}
	x.n = n
}

// Len, Less and Swap implement sort.Interface.
func (x *index) Len() int           { return x.n }
func (x *index) Less(i, j int) bool { return x.at(i).At < x.at(j).At }
func (x *index) Swap(i, j int)      { a, b := x.at(i), x.at(j); *a, *b = *b, *a }

// order puts records in order of time; those of one time stay as they are. Files are
// nearly in order, unless each CPU's part stands by itself.
func (x *index) order() {
	if x.unsorted {
		sort.Stable(x)
		x.unsorted = false
	}
}
