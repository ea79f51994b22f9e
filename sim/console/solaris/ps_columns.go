package solaris

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/sched"
)

// psColumn is a column of ps.
type psColumn struct {
	name, heading string
	width         int // at least; negative: to the left
	decoration    bool
	of            func(r *psRow) string
}

// pad fills a text up to the column's width; marks have none.
func (c psColumn) pad(text string) string {
	n := len([]rune(console.Plain(text)))
	switch {
	case n < -c.width:
		return text + strings.Repeat(" ", -c.width-n)
	case n < c.width:
		return strings.Repeat(" ", c.width-n) + text
	}
	return text
}

func decimal[T int | int32](n T) string { return strconv.Itoa(int(n)) }

func constant(text string) func(*psRow) string { return func(*psRow) string { return text } }

// oldPriority is the scale of before there were classes: small is good.
func oldPriority(r *psRow) string { return decimal(max(0, 99-max(0, r.Priority))) }

// niceOf is on the old scale too, from 0 to 39; RT has none.
func niceOf(r *psRow) string {
	if r.Class == "RT" {
		return "-"
	}
	return decimal(r.Nice + 20)
}

func minutes(r *psRow) string {
	s := int64((r.User + r.System) / clock.Second)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func hours(r *psRow) string {
	s := int64((r.User + r.System) / clock.Second)
	if s >= 3600 {
		return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

func psr(r *psRow) string { return decimal(r.CPU) }

func nameOf(r *psRow) string {
	if r.State == sched.Gone {
		return "<defunct>"
	}
	return r.Name
}

// psFormats are the columns that -o takes.
var psFormats = []psColumn{
	{name: "addr", heading: "ADDR", width: 8, decoration: true, of: constant("?")},
	{name: "args", heading: "COMMAND", width: -7, of: nameOf},
	{name: "c", heading: "C", width: 2, decoration: true, of: constant("0")},
	{name: "class", heading: "CLS", width: 4, of: func(r *psRow) string { return r.Class }},
	{name: "comm", heading: "COMMAND", width: -7, of: nameOf},
	{name: "f", heading: "F", width: 2, decoration: true, of: constant("0")},
	{name: "fname", heading: "COMMAND", width: -8, of: nameOf},
	{name: "nice", heading: "NI", width: 2, of: niceOf},
	{name: "nlwp", heading: "NLWP", width: 4, of: constant("1")},
	{name: "opri", heading: "PRI", width: 3, of: oldPriority},
	{name: "pid", heading: "PID", width: 5, of: func(r *psRow) string { return decimal(r.PID) }},
	{name: "ppid", heading: "PPID", width: 5, of: func(r *psRow) string { return decimal(r.PPID) }},
	{name: "pri", heading: "PRI", width: 3, of: func(r *psRow) string { return decimal(r.Priority) }},
	{name: "projid", heading: "PROJID", width: 6, of: func(r *psRow) string { return decimal(r.Project) }},
	{name: "pset", heading: "PSET", width: 4, of: func(r *psRow) string { return setText(r.Set, "-") }},
	{name: "psr", heading: "PSR", width: 3, of: psr},
	{name: "rss", heading: "RSS", width: 4, decoration: true, of: constant("2048")},
	{name: "ruser", heading: "RUSER", width: 8, of: constant("root")},
	{name: "s", heading: "S", width: -1, of: psState},
	{name: "stime", heading: "STIME", width: 8, of: func(r *psRow) string { return r.stime }},
	{name: "time", heading: "TIME", width: 11, of: hours},
	{name: "tty", heading: "TT", width: -7, of: func(r *psRow) string { return r.tty }},
	{name: "uid", heading: "UID", width: 5, of: constant("0")},
	{name: "user", heading: "USER", width: 8, of: constant("root")},
	{name: "vsz", heading: "VSZ", width: 4, decoration: true, of: constant("4096")},
	{name: "wchan", heading: "WCHAN", width: 8, decoration: true, of: constant("?")},
	{name: "zone", heading: "ZONE", width: 8, of: constant("global")},
	{name: "zoneid", heading: "ZONEID", width: 6, of: constant("0")},
}

func columnNames() []string {
	var names []string
	for _, c := range psFormats {
		names = append(names, c.name)
	}
	return names
}

// psColumns are the columns that options ask for.
func psColumns(o *options) ([]psColumn, error) {
	if !o.has('o') {
		return psLayout(o), nil
	}
	var cols []psColumn
	for _, x := range o.set {
		if x.letter != 'o' {
			continue
		}
		words := splitList(x.value)
		if name, heading, ok := strings.Cut(x.value, "="); ok && !strings.ContainsAny(name, ", ") {
			words = []string{name + "=" + heading} // the heading is the rest
		}
		for _, w := range words {
			name, heading, named := strings.Cut(w, "=")
			i := slices.IndexFunc(psFormats, func(c psColumn) bool { return c.name == name })
			if i < 0 {
				return nil, fmt.Errorf("unknown output format: -o %s", console.Shown(name))
			}
			c := psFormats[i]
			if named {
				c.heading = console.Printable(heading)
				if n := len([]rune(c.heading)); c.width < 0 {
					c.width = min(c.width, -n)
				} else {
					c.width = max(c.width, n)
				}
			}
			cols = append(cols, c)
		}
	}
	return cols, nil
}

// psLayout are the columns of -f, -l, -c, -P and -Z.
func psLayout(o *options) []psColumn {
	full, long, class := o.has('f'), o.has('l'), o.has('c')
	var cols []psColumn
	// A column by its name in -o, with another heading and width.
	add := func(name, heading string, width int) {
		c := psFormats[slices.IndexFunc(psFormats, func(c psColumn) bool { return c.name == name })]
		c.heading, c.width = cmp.Or(heading, c.heading), cmp.Or(width, c.width)
		cols = append(cols, c)
	}
	if o.has('Z') {
		add("zone", "", 0)
	}
	if long {
		add("f", "F", 2)
		add("s", "", 0)
	}
	switch {
	case full:
		add("user", "UID", 8)
	case long:
		add("uid", "UID", 5)
	}
	add("pid", "", map[bool]int{true: 5, false: 6}[full || long])
	if full || long {
		add("ppid", "", 0)
	}
	if o.has('P') {
		add("psr", "", 0)
	}
	switch {
	case class:
		add("class", "", 0)
		add("pri", "", 0)
	case full && !long:
		add("c", "C", 3)
	case long:
		add("c", "C", 3)
		add("opri", "", 0)
		add("nice", "", 0)
	}
	if long {
		add("addr", "", 0)
		add("vsz", "SZ", 6)
		add("wchan", "", 0)
	}
	if full {
		add("stime", "", 8)
	}
	add("tty", "TTY", -7)
	cols = append(cols, psColumn{heading: "TIME", width: 8, of: minutes})
	add("comm", "CMD", -1)
	return cols
}
