package document

// maxCells bounds the work of pairing: lines beyond it are paired by place.
const maxCells = 1 << 20

// align pairs n things with m others in their order so that the sum of their
// likenesses is the greatest; of equal sums the earlier others are taken. One that
// has no partner is paired with −1. A likeness of 0 is no pair.
func align(n, m int, like func(i, j int) int) [][2]int {
	if n > 0 && m > maxCells/n {
		m = maxCells / n
	}
	best := make([]int, (n+1)*(m+1)) // of what is left from i, j on
	at := func(i, j int) *int { return &best[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			b := max(*at(i+1, j), *at(i, j+1))
			if l := like(i, j); l > 0 {
				b = max(b, l+*at(i+1, j+1))
			}
			*at(i, j) = b
		}
	}
	var pairs [][2]int
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i == n:
			pairs = append(pairs, [2]int{-1, j})
			j++
		case j == m:
			pairs = append(pairs, [2]int{i, -1})
			i++
		case like(i, j) > 0 && *at(i, j) == like(i, j)+*at(i+1, j+1):
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case *at(i, j) == *at(i, j+1):
			pairs = append(pairs, [2]int{-1, j})
			j++
		default:
			pairs = append(pairs, [2]int{i, -1})
			i++
		}
	}
	return pairs
}

// likeness says how well two lines go together: 0 not at all. Equal fields count
// most, fields of one shape half of that; lines of another number of fields need
// more in common.
func likeness(theirs, mine []field) int {
	if len(theirs) == 0 || len(mine) == 0 {
		return 0
	}
	score := 0
	for k := range min(len(theirs), len(mine)) {
		switch {
		case theirs[k].text == mine[k].text:
			score += 4
		case shape(theirs[k].text) == shape(mine[k].text):
			score += 2
		case figure(theirs[k].text) && figure(mine[k].text):
			score++
		}
	}
	whole := 4 * max(len(theirs), len(mine))
	if 4*score < whole {
		return 0 // less than a quarter
	}
	return 1000 * score / whole
}
