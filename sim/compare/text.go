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
	lines := [][4]string{{"", left, right, "difference"}}
	for i := range rows {
		r := &rows[i]
		lines = append(lines, [4]string{r.Label(), r.Text(r.Left), r.Text(r.Right), r.DifferenceText()})
	}
	var wide [4]int
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
