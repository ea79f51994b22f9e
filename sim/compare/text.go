package compare

import (
	"strconv"
	"strings"
)

// missing stands for a value that is not known.
const missing = "–"

// Text is a value of the row as it is shown, without its unit.
func (r *Row) Text(v Value) string {
	if !v.Known {
		return missing
	}
	return decimal(v.N, r.Places)
}

// DifferenceText is the difference with its sign: "+20", "−20", "0".
func (r *Row) DifferenceText() string {
	d := r.Difference()
	text := r.Text(d)
	if d.Known && d.N > 0 {
		text = "+" + text
	}
	return text
}

// decimal writes n/10^places; a minus sign is the typographic one.
func decimal(n int64, places int) string {
	sign, u := "", uint64(n)
	if n < 0 {
		sign, u = "−", -u
	}
	digits := strconv.FormatUint(u, 10)
	if places == 0 {
		return sign + digits
	}
	if lack := places + 1 - len(digits); lack > 0 {
		digits = strings.Repeat("0", lack) + digits
	}
	cut := len(digits) - places
	return sign + digits[:cut] + "." + digits[cut:]
}

// Label is the row's name with its unit.
func (r *Row) Label() string {
	if r.Unit == "" {
		return r.Name
	}
	return r.Name + ", " + r.Unit
}

// Text writes the table with headings, in columns.
func Text(rows []Row, left, right string) string {
	lines := [][]string{{"", left, right, "difference"}}
	for i := range rows {
		r := &rows[i]
		lines = append(lines, []string{r.Label(), r.Text(r.Left), r.Text(r.Right), r.DifferenceText()})
	}
	return columns(lines)
}

// Cell is a value of the row as it is shown, without its unit.
func (w *Wide) Cell(i int) string { return (&Row{Places: w.Places}).Text(w.Values[i]) }

// Label is the row's name with its unit.
func (w *Wide) Label() string { return (&Row{Name: w.Name, Unit: w.Unit}).Label() }

// WideText writes a table of several runs with headings, in columns.
func WideText(rows []Wide, heads []string) string {
	lines := [][]string{append([]string{""}, heads...)}
	for i := range rows {
		line := []string{rows[i].Label()}
		for j := range rows[i].Values {
			line = append(line, rows[i].Cell(j))
		}
		lines = append(lines, line)
	}
	return columns(lines)
}

// columns writes lines of equally many cells, the first to the left.
func columns(lines [][]string) string {
	wide := make([]int, len(lines[0]))
	for _, l := range lines {
		for i, cell := range l {
			wide[i] = max(wide[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, l := range lines {
		for i, cell := range l {
			pad := strings.Repeat(" ", wide[i]-len([]rune(cell)))
			if i == 0 {
				b.WriteString(cell + pad)
			} else {
				b.WriteString("  " + pad + cell)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
