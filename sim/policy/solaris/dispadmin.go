package solaris

import (
	"fmt"
	"strconv"
	"strings"
)

// DispadminText is a dispatch table as `dispadmin -c CLASS -g` prints it and
// -s takes it (FACTS §10.5): comment lines, RES=n, and a row for each level, or
// QUANTUM=n for FSS.
type DispadminText struct {
	res  int
	rows [][]int
	// quantum of FSS, in units of 1/res second; 0: none given.
	quantum int
}

// maxRes is the finest resolution that dispadmin takes, in parts of a second.
const maxRes = 1_000_000_000

// ParseDispadmin reads such a text. Lines are counted from 1 in messages.
func ParseDispadmin(text string) (DispadminText, error) {
	t := DispadminText{res: 1000}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if err := t.line(line); err != nil {
			return t, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return t, nil
}

func (t *DispadminText) line(line string) error {
	if key, v, ok := strings.Cut(line, "="); ok {
		n, err := strconv.Atoi(strings.TrimSpace(v))
		switch key = strings.TrimSpace(key); {
		case key != "RES" && key != "QUANTUM":
			return fmt.Errorf("%q is no setting, want RES or QUANTUM", key)
		case err != nil || n < 1 || n > maxRes:
			return fmt.Errorf("%s=%s, want 1 to %d", key, strings.TrimSpace(v), maxRes)
		case key == "RES":
			t.res = n
		default:
			t.quantum = n
		}
		return nil
	}
	var row []int
	for _, f := range strings.Fields(line) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 0 || n > maxRes {
			return fmt.Errorf("%q is no number from 0 to %d", f, maxRes)
		}
		row = append(row, n)
	}
	t.rows = append(t.rows, row)
	return nil
}

// ticks turns a quantum of the text into clock ticks, rounded up.
func (t *DispadminText) ticks(q int) int {
	return int((int64(q)*HZ + int64(t.res) - 1) / int64(t.res))
}

// Apply puts the table into the tables of a class, or a quantum into FSS.
func (t *DispadminText) Apply(class string, o *Options) error {
	switch class {
	case "TS", "IA":
		return t.applyTS(o)
	case "FX", "RT":
		return t.applyQuanta(class, o)
	case "FSS":
		if t.quantum == 0 || len(t.rows) > 0 {
			return fmt.Errorf("a table of FSS is one line, QUANTUM=n")
		}
		o.FSSQuantum = t.ticks(t.quantum)
		return nil
	}
	return fmt.Errorf("class %q has no dispatch table", class)
}

func (t *DispadminText) applyTS(o *Options) error {
	table := make(TSTable, 0, len(t.rows))
	for l, r := range t.rows {
		if len(r) != 5 {
			return fmt.Errorf("level %d: %d columns, want 5: quantum, tqexp, slpret, maxwait, lwait", l, len(r))
		}
		table = append(table, TSRow{Quantum: t.ticks(r[0]), TqExp: r[1], SlpRet: r[2], MaxWait: r[3], LWait: r[4]})
	}
	if err := table.Check(); err != nil {
		return err
	}
	o.Tables.TS = table
	return nil
}

func (t *DispadminText) applyQuanta(class string, o *Options) error {
	levels := map[string]int{"FX": 61, "RT": 60}[class]
	if len(t.rows) != levels {
		return fmt.Errorf("%d levels, class %s has %d", len(t.rows), class, levels)
	}
	table := make(RTTable, levels)
	for l, r := range t.rows {
		if len(r) != 1 || r[0] == 0 {
			return fmt.Errorf("level %d: want one quantum, more than 0", l)
		}
		table[l] = t.ticks(r[0])
	}
	if class == "FX" {
		o.Tables.FX = table
	} else {
		o.Tables.RT = table
	}
	return nil
}

// Dispadmin prints a TS table as `dispadmin -c TS -g -r res` does.
func (t TSTable) Dispadmin(res int) string { return t.dispadmin("Time Sharing", res) }

func (t TSTable) dispadmin(title string, res int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s Dispatcher Configuration\nRES=%d\n\n", title, res)
	b.WriteString("# ts_quantum  ts_tqexp  ts_slpret  ts_maxwait ts_lwait  PRIORITY LEVEL\n")
	for l, r := range t {
		fmt.Fprintf(&b, "%10d%10d%10d%12d%10d        #   %3d\n", inParts(r.Quantum, res), r.TqExp, r.SlpRet, r.MaxWait, r.LWait, l)
	}
	return b.String()
}
