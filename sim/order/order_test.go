package order_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/order"
)

func TestThingsGoIntoTheirPlace(t *testing.T) {
	assert.Equal(t, []string{"a", "b", "b", "c"}, order.Strings([]string{"b", "c", "a", "b"}))
	assert.Equal(t, []string{"a", "z"}, order.Keys(map[string]int{"z": 1, "a": 2}))
	for i, want := range [][]int{{9, 1, 2}, {1, 9, 2}, {1, 2, 9}} {
		assert.Equal(t, want, order.Insert([]int{1, 2}, i, 9))
	}
	assert.Equal(t, []int{5}, order.Insert(nil, 0, 5))
}
