package clock_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/clock"
)

func TestTimePrintsHoursMinutesSecondsAndHundredths(t *testing.T) {
	at := func(d clock.Duration) clock.Time { return clock.Time(0).Add(d) }
	for _, c := range []struct {
		t    clock.Time
		want string
	}{
		{0, "00:00:00.00"},
		{at(9_999_999), "00:00:00.00"},
		{at(10 * clock.Millisecond), "00:00:00.01"},
		{at(clock.Second - 1), "00:00:00.99"},
		{at(clock.Minute - 1), "00:00:59.99"},
		{at(clock.Hour + 2*clock.Minute + 3*clock.Second + 40*clock.Millisecond), "01:02:03.04"},
		{at(100 * clock.Hour), "100:00:00.00"},
		{at(-1500 * clock.Millisecond), "-00:00:01.50"},
		{clock.Never, "2562047:47:16.85"},
		{math.MinInt64, "-2562047:47:16.85"},
	} {
		assert.Equal(t, c.want, c.t.String(), "%d ns", int64(c.t))
	}
}

func TestTimesAndDurationsAddAndSubtract(t *testing.T) {
	a := clock.Time(5)
	assert.Equal(t, clock.Time(12), a.Add(7))
	assert.Equal(t, clock.Duration(7), a.Add(7).Sub(a))
	assert.Equal(t, clock.Duration(-7), a.Sub(a.Add(7)))
	assert.EqualValues(t, 3_600_000_000_000, clock.Hour)
	assert.EqualValues(t, 1000, clock.Microsecond)
}
