package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/scenario"
)

func TestSkippedTicksChangeNothing(t *testing.T) {
	for _, id := range scenario.Library {
		each, err := sim.OpenEveryTick(id)
		require.NoError(t, err)
		require.NoError(t, each.AdvanceTo(span(id)))

		skipping := fresh(t, id)
		require.NoError(t, skipping.AdvanceTo(span(id)))
		same(t, each, skipping, id)

		// Each piece ends between ticks, on one, or on a second.
		pieces := fresh(t, id)
		for at := span(id) / 97; at < span(id); at += span(id) / 97 {
			require.NoError(t, pieces.AdvanceTo(at))
		}
		require.NoError(t, pieces.AdvanceTo(span(id)))
		same(t, each, pieces, id)
		assert.Positive(t, pieces.Frame().Events, id)
	}
}
