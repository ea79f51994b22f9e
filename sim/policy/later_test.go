package policy

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheNamesOfLaterKernelsAreKnownWithoutThem(t *testing.T) {
	var ids []string
	for _, k := range Later() {
		ids = append(ids, k.ID)
	}
	assert.Equal(t, ids, laterIDs)
}
