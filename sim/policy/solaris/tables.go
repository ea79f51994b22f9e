package solaris

import (
	_ "embed" // texts, as an embed.FS brings the interfaces of file systems with it
	"fmt"
	"strconv"
	"strings"
)

// TSRow is one level of the TS and IA dispatch table. Quantum is in ticks,
// MaxWait in seconds; the others are levels.
type TSRow struct {
	Quantum, TqExp, SlpRet, MaxWait, LWait int
}

// TSTable is a TS/IA dispatch table: rows by level, 0 to 59. The global
// priority of a level is the level itself.
type TSTable []TSRow

// RTTable holds the quanta in ticks of RT levels 0–59 or FX levels 0–60.
type RTTable []int

// Names of the tables that a T2000 uses.
const (
	tsDefault = "ts_dptbl"
	tsServer  = "ts_dptbl_server"
	fxDefault = "fx_dptbl"
	rtDefault = "rt_dptbl"
)

// Tables are the dispatch tables by class.
type Tables struct {
	TS TSTable
	FX RTTable
	RT RTTable
}

// The tables are data of the kernel: columns level, global priority, quantum in
// ticks and, for TS, tqexp, slpret, maxwait in seconds, lwait
// (shared/reference/solaris/tables; FACTS §3.1 and §6).
var (
	//go:embed tables/ts_dptbl.csv
	tsCSV string
	//go:embed tables/ts_dptbl_server.csv
	tsServerCSV string
	//go:embed tables/fx_dptbl.csv
	fxCSV string
	//go:embed tables/rt_dptbl.csv
	rtCSV string
)

func tableText(name string) string {
	switch name {
	case tsDefault:
		return tsCSV
	case tsServer:
		return tsServerCSV
	case fxDefault:
		return fxCSV
	case rtDefault:
		return rtCSV
	}
	return ""
}

// DefaultTables are those compiled into the kernel of a T2000.
func DefaultTables() Tables {
	ts, err := TSTableNamed(tsDefault)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return Tables{TS: ts, FX: quantaOf(fxDefault), RT: quantaOf(rtDefault)}
}

// TSTableNamed returns a TS table by its kernel name: ts_dptbl, or
// ts_dptbl_server, which only the largest machines select.
func TSTableNamed(name string) (TSTable, error) {
	rows, err := readTable(name)
	if err != nil || len(rows[0]) != 7 {
		return nil, fmt.Errorf("solaris: no TS dispatch table %q", name)
	}
	t := make(TSTable, len(rows))
	for i, r := range rows {
		t[i] = TSRow{Quantum: r[2], TqExp: r[3], SlpRet: r[4], MaxWait: r[5], LWait: r[6]}
	}
	return t, nil
}

func quantaOf(name string) RTTable {
	rows, err := readTable(name)
	if err != nil {
		panic(err) // the file is part of the program
	}
	t := make(RTTable, len(rows))
	for i, r := range rows {
		t[i] = r[2]
	}
	return t
}

// readTable reads the rows of a table, without its heading.
func readTable(name string) ([][]int, error) {
	lines := strings.Split(strings.TrimSpace(tableText(name)), "\n")[1:]
	if len(lines) == 0 {
		return nil, fmt.Errorf("solaris: there is no table %q", name)
	}
	rows := make([][]int, len(lines))
	for i, line := range lines {
		for _, f := range strings.Split(line, ",") {
			n, err := strconv.Atoi(f)
			if err != nil {
				return nil, fmt.Errorf("solaris: table %s: %w", name, err)
			}
			rows[i] = append(rows[i], n)
		}
	}
	return rows, nil
}

// Check refuses a table that dispadmin would refuse (FACTS §3.1).
func (t TSTable) Check() error {
	if len(t) != 60 {
		return fmt.Errorf("solaris: TS table has %d levels, want 60", len(t))
	}
	for l, r := range t {
		if r.Quantum <= 0 {
			return fmt.Errorf("solaris: TS table level %d: quantum %d, want more than 0", l, r.Quantum)
		}
		for _, to := range [...]int{r.TqExp, r.SlpRet, r.LWait} {
			if to < 0 || to > 59 {
				return fmt.Errorf("solaris: TS table level %d: level %d, want 0 to 59", l, to)
			}
		}
		if r.MaxWait < 0 {
			return fmt.Errorf("solaris: TS table level %d: maxwait %d, want 0 or more", l, r.MaxWait)
		}
	}
	return nil
}

// tickCost is what a tick costs a project, by nice value −20…19:
// 1000·(60−i)/40 with i = nice+20 (FACTS §5.1, fss.c).
func tickCost(nice int) uint64 { return uint64(1000 * (60 - (nice + 20)) / 40) }

// fssDecay is what is left of a thread's fsspri after a second, of 128, by nice
// value: 83 + 25·i/39 (FACTS §5.1).
func fssDecay(nice int) uint64 { return uint64(83 + 25*(nice+20)/39) }
