package stats

// blocks is a list that only grows at its end: full blocks, which are never changed
// and may be shared by copies, and the open one. The zero value is empty.
type blocks[T any, A interface {
	[gridBlock]T | [waitBlock]T | [historyBlock]T
}] struct {
	sealed []*A
	open   []T
}

func (b *blocks[T, A]) block() int {
	var a A
	return len(a)
}

func (b *blocks[T, A]) n() int { return len(b.sealed)*b.block() + len(b.open) }

func (b *blocks[T, A]) get(i int) *T {
	size := b.block()
	if at := i / size; at < len(b.sealed) {
		return &(*b.sealed[at])[i%size]
	}
	return &b.open[i-len(b.sealed)*size]
}

// push adds an item. It reports whether a block was closed for it.
func (b *blocks[T, A]) push(x T) (closed bool) {
	if len(b.open) == b.block() {
		s := new(A)
		for i := range b.open {
			(*s)[i] = b.open[i]
		}
		b.sealed, b.open = append(b.sealed, s), b.open[:0]
		closed = true
	}
	b.open = append(b.open, x)
	return closed
}

// forget drops the oldest block.
func (b *blocks[T, A]) forget() {
	b.sealed[0] = nil
	b.sealed = b.sealed[1:]
}
