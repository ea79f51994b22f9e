package solaris

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/console"
)

// moment is a point of time on the machine's clock: a scenario says at which
// minute of the day its run begins, and that day is taken to be Monday, the 14th
// of April 2008, the month of the tip.
type moment struct {
	year, month, day, weekday, hour, minute, second int
}

var (
	weekdays = [...]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
	months   = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

// beginsOn is the day number of that day, counted from the 1st of March of year 0.
const (
	beginsOn = 733_451
	daySecs  = 24 * 60 * 60
)

// momentOf is the date of a point of simulated time, which may lie before zero.
func momentOf(b console.Boot, t clock.Time) moment {
	secs := int64(b.Clock)*60 + floorDiv(int64(t), int64(clock.Second))
	days, rest := floorDiv(secs, daySecs), int(((secs%daySecs)+daySecs)%daySecs)
	m := moment{hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60}
	m.weekday = int(((days+1)%7 + 7) % 7)
	// The calendar repeats after 400 years; a year here begins in March.
	n := days + beginsOn
	era, doe := floorDiv(n, 146_097), n-floorDiv(n, 146_097)*146_097
	yoe := (doe - doe/1460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	m.day = int(doy - (153*mp+2)/5 + 1)
	m.month = int((mp+2)%12) + 1
	m.year = int(yoe + era*400)
	if m.month <= 2 {
		m.year++
	}
	return m
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// us is the date as psrinfo writes it.
func (m moment) us() string {
	return fmt.Sprintf("%02d/%02d/%04d %02d:%02d:%02d", m.month, m.day, m.year, m.hour, m.minute, m.second)
}

func (m moment) clock() string { return fmt.Sprintf("%02d:%02d:%02d", m.hour, m.minute, m.second) }

// bootedAt is when the machine was booted, on the simulated clock.
func bootedAt(b console.Boot) clock.Time { return clock.Time(0).Add(-b.Up) }

var date = console.Command{
	Name: "date", Synopsis: "date", Help: "tells the time of the simulated clock",
	Man: `The scenario says at which time of the day it begins; the day is always the
14th of April 2008. The clock cannot be set.`,
	Run: func(e *console.Env, args []string) int {
		if len(args) > 0 {
			return e.Errorf("the simulated clock cannot be set, and there is one format only")
		}
		m := momentOf(e.Machine.Boot(), e.Machine.Now())
		e.Printf("%s %s %2d %s GMT %d\n", weekdays[m.weekday], months[m.month-1], m.day, m.clock(), m.year)
		return 0
	},
}
