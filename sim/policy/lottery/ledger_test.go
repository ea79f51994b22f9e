package lottery

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheHolderOfATicketIsTheOneThatAddingUpFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var l ledger
	var plain []int64
	for range 3000 {
		if len(plain) == 0 || r.IntN(8) == 0 {
			l.grow()
			plain = append(plain, 0)
		}
		n := r.IntN(len(plain))
		by := int64(r.IntN(20)) - min(plain[n], int64(r.IntN(20)))
		plain[n] += by
		l.add(n, by)
		sum := int64(0)
		for _, x := range plain {
			sum += x
		}
		require.Equal(t, sum, l.total())
		if sum == 0 {
			continue
		}
		point := r.Int64N(sum)
		want := 0
		for ahead := point; ahead >= plain[want]; want++ {
			ahead -= plain[want]
		}
		require.Equal(t, want, l.holder(point))
	}
}
