package tracefile_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/cmd/internal/tracefile"
	"strandscope/sim"
	"strandscope/sim/clock"
)

const until = clock.Time(3 * clock.Second)

func TestAFormatIsFoundByItsName(t *testing.T) {
	for _, name := range []string{"events", "perfetto", "ftrace"} {
		f, err := tracefile.Find(name)
		require.NoError(t, err)
		assert.Equal(t, name, f.Name)
	}
	_, err := tracefile.Find("perfeto")
	assert.EqualError(t, err, `"perfeto" is no kind of file, there are events, perfetto, ftrace; did you mean "perfetto"?`)
}

func TestWhoWaitsIsToldAndAFileIsTheSameWhetherOrNot(t *testing.T) {
	const long = clock.Time(20 * clock.Minute)
	write := func(tell func(clock.Time)) string {
		s, err := sim.Open("linux22-250-hogs")
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, tracefile.Events.Write(&out, s, long, tell))
		assert.Equal(t, long, s.Now())
		return out.String()
	}
	var told []clock.Time
	text := write(func(now clock.Time) { told = append(told, now) })
	assert.Greater(t, len(told), 3)
	assert.IsIncreasing(t, told)
	assert.Equal(t, write(nil), text)
}

var errFull = errors.New("no room")

// small has room for so many octets, and counts how often it was asked in vain.
type small struct{ room, vain int }

func (w *small) Write(b []byte) (int, error) {
	if w.room -= len(b); w.room < 0 {
		w.vain++
		return 0, errFull
	}
	return len(b), nil
}

func TestARunEndsWhereNothingMoreCanBeWritten(t *testing.T) {
	for _, f := range []tracefile.Format{tracefile.Events, tracefile.Perfetto, tracefile.Ftrace} {
		s, err := sim.Open("linux22-250-hogs")
		require.NoError(t, err)
		w := &small{room: 100_000}
		require.ErrorIs(t, f.Write(w, s, clock.Time(30*24*clock.Hour), nil), errFull, f.Name)
		assert.Less(t, s.Now(), clock.Time(clock.Hour), f.Name)
		assert.Equal(t, 1, w.vain, f.Name)
	}
}

func TestTwoRunsAreNotOneFile(t *testing.T) {
	for _, f := range []tracefile.Format{tracefile.Events, tracefile.Perfetto, tracefile.Ftrace} {
		s, err := sim.Open("t2000", sim.Setting{Key: "do@1s", Value: "perl -e 'while (--$ARGV[0] and fork) {}; while () {}' 32 &"},
			sim.Setting{Key: "type@2s", Value: "reboot"})
		require.NoError(t, err)
		require.ErrorContains(t, f.Write(&bytes.Buffer{}, s, until, nil), "the machine was booted anew at its console", f.Name)

		s, err = sim.Open("t2000", sim.Setting{Key: "reboot", Value: "FSS"}, sim.Setting{Key: "do@1s", Value: "psradm -f 3"})
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, f.Write(&out, s, until, nil), f.Name)
		assert.NotEmpty(t, out.String())
	}
}
