package sim

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/clock"
)

// ConditionKind is what a run can be let run to.
type ConditionKind uint8

// The kinds of conditions.
const (
	// AtTime: a time is reached.
	AtTime ConditionKind = iota
	// OnDecision: the policy decides: a thread is put into a queue, preempted or
	// switched onto a CPU, or a CPU finds none and idles.
	OnDecision
	// OnMigration: a thread comes onto another CPU than the one it ran on last.
	OnMigration
	// OnIdleBesideWork: a CPU idles while a thread waits, though none did before.
	OnIdleBesideWork
	// OnSwitch: a thread of a process comes onto a CPU or leaves one.
	OnSwitch
	// OnLoad: a load average rises above a value.
	OnLoad
	// OnWait: a thread has waited for so long and still waits.
	OnWait
)

// Condition is something that a run can be let run to. ParseCondition and String
// are its text form.
type Condition struct {
	Kind    ConditionKind
	At      clock.Time     // AtTime
	PID     int32          // OnSwitch
	Minutes int            // OnLoad: 1, 5 or 15
	Load    int64          // OnLoad: in thousandths of a thread
	Wait    clock.Duration // OnWait
}

// plainConditions are those of a single word.
var plainConditions = [...]string{OnDecision: "decision", OnMigration: "migration", OnIdleBesideWork: "idle-beside-work"}

// conditionForms is what a text may be.
const conditionForms = "time 12.5s, decision, migration, idle-beside-work, switch PID, load1 > 3.5 (also load5, load15) or wait > 100ms"

// String is the text form.
func (c Condition) String() string {
	switch c.Kind {
	case AtTime:
		return "time " + durationText(clock.Duration(c.At))
	case OnSwitch:
		return fmt.Sprintf("switch %d", c.PID)
	case OnLoad:
		return fmt.Sprintf("load%d > %s", c.Minutes, decimal(c.Load, 3))
	case OnWait:
		return "wait > " + durationText(c.Wait)
	default:
		if int(c.Kind) < len(plainConditions) {
			return plainConditions[c.Kind]
		}
		return fmt.Sprintf("condition %d", c.Kind)
	}
}

// ParseCondition reads the text form.
func ParseCondition(text string) (Condition, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	for k, name := range plainConditions {
		if name != "" && word == name && rest == "" {
			return Condition{Kind: ConditionKind(k)}, nil
		}
	}
	switch word {
	case "time":
		d, err := parseDuration("time", rest)
		return Condition{Kind: AtTime, At: clock.Time(d)}, err
	case "switch":
		pid, err := strconv.ParseInt(rest, 10, 32)
		if err != nil || pid < 1 {
			return Condition{}, fmt.Errorf("run to: switch %q, want a process id of 1 or more", rest)
		}
		return Condition{Kind: OnSwitch, PID: int32(pid)}, nil
	}
	name, value, above := strings.Cut(text, ">")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !above:
	case name == "wait":
		d, err := parseDuration(name, value)
		if err == nil && d == 0 {
			err = fmt.Errorf("run to: wait %q, want more than 0", value)
		}
		return Condition{Kind: OnWait, Wait: d}, err
	case name == "load1" || name == "load5" || name == "load15":
		load, ok := parseDecimal(value, 1000)
		if !ok {
			return Condition{}, fmt.Errorf("run to: %s %q, want a number of threads such as 3.5, at most three decimals", name, value)
		}
		minutes, _ := strconv.Atoi(strings.TrimPrefix(name, "load"))
		return Condition{Kind: OnLoad, Minutes: minutes, Load: load}, nil
	}
	return Condition{}, fmt.Errorf("run to: %q is no condition, want %s", text, conditionForms)
}

// check refuses what no text says.
func (c Condition) check() error {
	back, err := ParseCondition(c.String())
	if err == nil && back != c {
		err = fmt.Errorf("run to: %+v says more than %q", c, c)
	}
	return err
}

// units of durations in texts, the largest first.
var units = []struct {
	name string
	d    clock.Duration
	tens int // its power of ten, in ns
}{{"s", clock.Second, 9}, {"ms", clock.Millisecond, 6}, {"us", clock.Microsecond, 3}, {"ns", clock.Nanosecond, 0}}

func durationText(d clock.Duration) string {
	for _, u := range units {
		if d >= u.d {
			return decimal(int64(d), u.tens) + u.name
		}
	}
	return "0s"
}

// decimal writes n/10^places, without zeros at the end.
func decimal(n int64, places int) string {
	s := fmt.Sprintf("%0*d", places+1, n)
	if places == 0 {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s[:len(s)-places]+"."+s[len(s)-places:], "0"), ".")
}

func parseDuration(name, text string) (clock.Duration, error) {
	for _, unit := range []string{"ms", "us", "ns", "s"} { // "s" ends all of them
		number, found := strings.CutSuffix(text, unit)
		if !found {
			continue
		}
		for _, u := range units {
			if u.name == unit {
				if n, ok := parseDecimal(number, int64(u.d)); ok {
					return clock.Duration(n), nil
				}
			}
		}
		break
	}
	return 0, fmt.Errorf("run to: %s %q, want a number with s, ms, us or ns, such as 12.5s", name, text)
}

// parseDecimal reads a decimal number that is whole once it is multiplied by one,
// a power of ten.
func parseDecimal(text string, one int64) (int64, bool) {
	whole, part, dot := strings.Cut(text, ".")
	if whole == "" || dot && part == "" || strings.Trim(whole+part, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n > 1<<62/one {
		return 0, false
	}
	n *= one
	for _, digit := range part {
		if one%10 != 0 {
			return 0, false
		}
		one /= 10
		n += one * int64(digit-'0')
	}
	return n, true
}
