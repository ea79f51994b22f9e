package policy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
)

func TestRandomWorkloadsOnRandomMachinesKeepEveryPromise(t *testing.T) {
	for seed := range uint64(300) {
		b := newBench(t, fmt.Sprintf("seed %d", seed), rand.New(rand.NewPCG(seed, 1)))
		b.populate()
		b.settled()
		for b.Now() < clock.Time(4*clock.Second) {
			if b.r.IntN(2) == 0 {
				b.advance(clock.Second - clock.Duration(b.Now())%clock.Second)
			} else {
				b.advance(b.duration(700))
			}
		}
		require.NoError(t, b.history.Finish(b.Now()), b.name)
	}
}
