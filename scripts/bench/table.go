package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A row is a figure as it was measured, and as it is kept in JSON.
type row struct {
	ID       string   `json:"id"`
	What     string   `json:"what"`
	Where    string   `json:"where"`
	Unit     string   `json:"unit"`
	Measured *float64 `json:"measured,omitempty"`
	Missing  string   `json:"missing,omitempty"` // why it was not measured
	Also     string   `json:"also,omitempty"`
	AtMost   *float64 `json:"at_most,omitempty"`
	AtLeast  *float64 `json:"at_least,omitempty"`
	Met      *bool    `json:"met,omitempty"`
	Misses   string   `json:"misses,omitempty"` // by how much
	Steps    *float64 `json:"steps,omitempty"`  // of the baseline that ran in the same place
}

// rows compares what was measured with what is asked for.
func rows(list []figure, m *measured) []row {
	out := make([]row, 0, len(list))
	for _, f := range list {
		r := row{ID: f.id, What: f.what, Where: f.where, Unit: f.unit}
		if f.limit != nil {
			v := f.limit.value
			if f.limit.least {
				r.AtLeast = &v
			} else {
				r.AtMost = &v
			}
		}
		v, is := m.figures[f.key]
		if !is {
			r.Missing = m.missing[f.where]
			if r.Missing == "" {
				r.Missing = "it failed"
			}
			out = append(out, r)
			continue
		}
		if f.by != 0 {
			v *= f.by
		}
		v = digits(v, 6) // more would be of no use to anybody
		r.Measured = &v
		if f.limit != nil {
			met, misses := f.limit.judge(v)
			r.Met, r.Misses = &met, misses
		}
		if base := m.figures[key(f.where, "Baseline", "ns/op")]; f.steps > 0 && base > 0 {
			steps := digits(v*f.steps/base, 6)
			r.Steps = &steps
		}
		var words []string
		for _, a := range f.also {
			if v, is := m.figures[a.key]; is {
				words = append(words, fmt.Sprintf(a.format, number(v*a.by)))
			}
		}
		r.Also = strings.Join(words, ", ")
		out = append(out, r)
	}
	return out
}

// judge compares a figure, to the three digits that are shown, and says by how much it
// misses.
func (l limit) judge(v float64) (met bool, misses string) {
	shown := rounded(v)
	if l.least && shown >= l.value || !l.least && shown <= l.value {
		return true, ""
	}
	ratio := shown / l.value
	switch {
	case l.value == 0:
		return false, "by " + number(v)
	case l.least && v == 0:
		return false, "it is nothing"
	case l.least && ratio < 0.5:
		return false, number(1/ratio) + " times too little"
	case l.least:
		return false, number(100*(1-ratio)) + " % too little"
	case ratio >= 2:
		return false, number(ratio) + " times as much"
	default:
		return false, number(100*(ratio-1)) + " % too much"
	}
}

// rounded is a figure to three digits; a whole number (bytes) stays as it is, so that a
// limit in bytes is one.
func rounded(v float64) float64 {
	return digits(v, 3)
}

// digits rounds to so many, but never a whole number.
func digits(v float64, n int) float64 {
	if v == math.Trunc(v) {
		return v
	}
	f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	return f
}

// number writes a figure to three digits, with commas between thousands.
func number(v float64) string {
	s := strconv.FormatFloat(rounded(v), 'f', -1, 64)
	whole, rest, _ := strings.Cut(s, ".")
	digits := strings.TrimPrefix(whole, "-")
	sign := whole[:len(whole)-len(digits)]
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if rest != "" {
		rest = "." + rest
	}
	return sign + digits + rest
}

func (r *row) budget() string {
	switch {
	case r.AtMost != nil:
		return "≤ " + number(*r.AtMost)
	case r.AtLeast != nil:
		return "≥ " + number(*r.AtLeast)
	}
	return ""
}

func (r *row) value() string {
	if r.Measured == nil {
		return "not measured: " + r.Missing
	}
	s := number(*r.Measured)
	if r.Also != "" {
		s += " (" + r.Also + ")"
	}
	return s
}

func (r *row) verdict() string {
	switch {
	case r.Met == nil:
		return ""
	case *r.Met:
		return "yes"
	}
	return "**no**: " + r.Misses
}

func (r *row) inSteps() string {
	if r.Steps == nil {
		return ""
	}
	return number(*r.Steps)
}

// markdown writes the table, with the one before beside it; before may be nil.
func markdown(w io.Writer, now, before *record) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# What it costs\n\nMeasured %s.\n", now.Environment)
	if before != nil {
		fmt.Fprintf(&b, "Before: measured %s.\n", before.Environment)
	}
	fmt.Fprint(&b, "Of a benchmark's rounds the best counts. A time is also told in steps: how often the baseline of the same "+
		"run and place would have been done meanwhile. Steps of two runs can be compared where their times cannot.\n\n")
	fmt.Fprintln(&b, "| what | where | unit | budget | measured | met | in steps | before | before, in steps |")
	fmt.Fprintln(&b, "|---|---|---|---|---|---|---|---|---|")
	was := map[string]*row{}
	if before != nil {
		for i := range before.Rows {
			was[before.Rows[i].ID] = &before.Rows[i]
		}
	}
	for i := range now.Rows {
		r := &now.Rows[i]
		old, oldSteps := "", ""
		if o := was[r.ID]; o != nil && o.Measured != nil {
			old, oldSteps = number(*o.Measured), o.inSteps()
		}
		cells := []string{r.What, r.Where, r.Unit, r.budget(), r.value(), r.verdict(), r.inSteps(), old, oldSteps}
		for j := range cells {
			cells[j] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(cells[j])
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	asked, met, missing := 0, 0, 0
	for _, r := range now.Rows {
		switch {
		case r.AtMost == nil && r.AtLeast == nil:
		case r.Met == nil:
			missing++
		default:
			asked++
			if *r.Met {
				met++
			}
		}
	}
	fmt.Fprintf(&b, "\n%d of %d budgets that were measured are met", met, asked)
	if missing > 0 {
		fmt.Fprintf(&b, "; %d were not measured", missing)
	}
	fmt.Fprintln(&b, ".")
	_, err := io.WriteString(w, b.String())
	return err
}
