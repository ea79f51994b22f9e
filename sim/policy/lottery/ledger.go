package lottery

// ledger holds one figure for each job and finds, in the logarithm of their number,
// to whose figure a point of their sum belongs: a binary indexed tree. Entry i sums
// the i&−i figures up to the i-th, counted from 1.
type ledger struct{ tree []int64 }

// grow adds a job with the figure 0.
func (l *ledger) grow() {
	if len(l.tree) == 0 {
		l.tree = append(l.tree, 0)
	}
	i := len(l.tree)
	sum := int64(0)
	for j := i - 1; j > i-i&-i; j -= j & -j {
		sum += l.tree[j]
	}
	l.tree = append(l.tree, sum)
}

// add adds to the figure of job n, counted from 0.
func (l *ledger) add(n int, by int64) {
	for i := n + 1; i < len(l.tree); i += i & -i {
		l.tree[i] += by
	}
}

// total is the sum of all.
func (l *ledger) total() int64 {
	sum := int64(0)
	for i := len(l.tree) - 1; i > 0; i -= i & -i {
		sum += l.tree[i]
	}
	return sum
}

// holder is the first job whose figure, and those before it, are more than point.
func (l *ledger) holder(point int64) int {
	step := 1
	for 2*step < len(l.tree) {
		step *= 2
	}
	at := 0
	for ; step > 0; step /= 2 {
		if next := at + step; next < len(l.tree) && l.tree[next] <= point {
			at = next
			point -= l.tree[next]
		}
	}
	return at
}
