package solaris

import "fmt"

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
	fxDefault = "fx_dptbl"
	rtDefault = "rt_dptbl"
)

// Tables are the dispatch tables by class.
type Tables struct {
	TS TSTable
	FX RTTable
	RT RTTable
}

// DefaultTables are those compiled into the kernel of a T2000
// (shared/reference/solaris/tables, FACTS §3.1 and §6).
func DefaultTables() Tables { return Tables{TS: defaultTS(), FX: defaultFX(), RT: defaultRT()} }

func defaultTS() TSTable {
	quanta := [...]int{20, 16, 12, 8, 4, 4}
	t := make(TSTable, 60)
	for l := range t {
		t[l] = TSRow{Quantum: quanta[l/10], TqExp: max(0, l-10), SlpRet: 50 + l/10, LWait: 50 + l/10}
		// From level 35 on the table leaves its regular steps.
		switch {
		case l >= 48:
			t[l].SlpRet, t[l].LWait = 58, 59
		case l >= 45:
			t[l].SlpRet, t[l].LWait = l+11, l+11
		case l >= 40:
			t[l].SlpRet, t[l].LWait = 55, 55
		case l >= 35:
			t[l].SlpRet, t[l].LWait = 54, 54
		}
	}
	t[48].LWait = 58
	t[59] = TSRow{Quantum: 2, TqExp: 49, SlpRet: 59, MaxWait: 32000, LWait: 59}
	return t
}

func defaultFX() RTTable {
	t := make(RTTable, 61)
	for l := range t {
		t[l] = [...]int{20, 16, 12, 8, 4, 4, 2}[l/10]
	}
	t[59] = 2
	return t
}

func defaultRT() RTTable {
	t := make(RTTable, 60)
	for l := range t {
		t[l] = [...]int{100, 80, 60, 40, 20, 10}[l/10]
	}
	return t
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
