package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

func TestAConditionIsWrittenAsItIsRead(t *testing.T) {
	for text, want := range map[string]sim.Condition{
		"time 12.5s":       {Kind: sim.AtTime, At: clock.Time(12500 * clock.Millisecond)},
		"time 0s":          {Kind: sim.AtTime},
		"time 1.000001ms":  {Kind: sim.AtTime, At: 1_000_001},
		"time 3ns":         {Kind: sim.AtTime, At: 3},
		"decision":         {Kind: sim.OnDecision},
		"migration":        {Kind: sim.OnMigration},
		"idle-beside-work": {Kind: sim.OnIdleBesideWork},
		"switch 1204":      {Kind: sim.OnSwitch, PID: 1204},
		"load1 > 3.5":      {Kind: sim.OnLoad, Minutes: 1, Load: 3500},
		"load15 > 0.001":   {Kind: sim.OnLoad, Minutes: 15, Load: 1},
		"load5 > 250":      {Kind: sim.OnLoad, Minutes: 5, Load: 250_000},
		"wait > 100ms":     {Kind: sim.OnWait, Wait: 100 * clock.Millisecond},
		"wait > 2.5us":     {Kind: sim.OnWait, Wait: 2500},
	} {
		c, err := sim.ParseCondition(text)
		require.NoError(t, err)
		assert.Equal(t, want, c)
		assert.Equal(t, text, c.String())
	}
	for text, want := range map[string]string{ // people write in their own ways
		" time  12.50s ": "time 12.5s", "load1>3": "load1 > 3", "wait>0.1s": "wait > 100ms", "time 1500ms": "time 1.5s",
	} {
		c, err := sim.ParseCondition(text)
		require.NoError(t, err)
		assert.Equal(t, want, c.String())
	}
}

func TestWhatIsNoConditionIsRefusedInOneSentence(t *testing.T) {
	const forms = "want time 12.5s, decision, migration, idle-beside-work, switch PID, load1 > 3.5 (also load5, load15) or wait > 100ms"
	for text, want := range map[string]string{
		"":                         `run to: "" is no condition, ` + forms,
		"migrations":               `run to: "migrations" is no condition, ` + forms,
		"decision 3":               `run to: "decision 3" is no condition, ` + forms,
		"load2 > 3":                `run to: "load2 > 3" is no condition, ` + forms,
		"load1 < 3":                `run to: "load1 < 3" is no condition, ` + forms,
		"load1 > 3.5555":           `run to: load1 "3.5555", want a number of threads such as 3.5, at most three decimals`,
		"load1 > -1":               `run to: load1 "-1", want a number of threads such as 3.5, at most three decimals`,
		"time":                     `run to: time "", want a number with s, ms, us or ns, such as 12.5s`,
		"time 5":                   `run to: time "5", want a number with s, ms, us or ns, such as 12.5s`,
		"time .5s":                 `run to: time ".5s", want a number with s, ms, us or ns, such as 12.5s`,
		"time 1.5ns":               `run to: time "1.5ns", want a number with s, ms, us or ns, such as 12.5s`,
		"time 99999999999999999s":  `run to: time "99999999999999999s", want a number with s, ms, us or ns, such as 12.5s`,
		"wait > 0ms":               `run to: wait "0ms", want more than 0`,
		"switch init":              `run to: switch "init", want a process id of 1 or more`,
		"switch 0":                 `run to: switch "0", want a process id of 1 or more`,
		"switch 99999999999999999": `run to: switch "99999999999999999", want a process id of 1 or more`,
	} {
		_, err := sim.ParseCondition(text)
		require.EqualError(t, err, want)
	}
}

func FuzzCondition(f *testing.F) {
	for _, text := range []string{"time 12.5s", "switch 4", "load15 > 0.25", "wait > 3us", "idle-beside-work"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := sim.ParseCondition(text)
		if err != nil {
			return
		}
		again, err := sim.ParseCondition(c.String())
		require.NoError(t, err, c.String())
		require.Equal(t, c, again)
	})
}
