// Package compare sets the figures of two runs side by side: a table of rows, each
// with what is left, what is right, and the difference. Values are whole numbers in
// the unit of the last digit that is shown, so differences are exactly those of what
// one reads, and swapping the sides negates each.
package compare

import (
	"math/bits"

	"strandscope/sim/clock"
)

// Figures are what a run came to since it was booted.
type Figures struct {
	Now clock.Time
	// As things stand.
	Strands, Busy, Waiting int64
	Slots                  int64    // issue slots used (model), per thousand
	Load                   [3]int64 // hundredths, as printed
	// Sums over time, in nanoseconds: strands on-line and busy, strand time counted
	// as user and system, all cores and those with a busy strand.
	OnlineTime, BusyTime, UserTime, SystemTime, CoreTime, BusyCoreTime clock.Duration
	Waited                                                             clock.Duration // by all threads
	IdleBeside                                                         clock.Duration // of strands, while a thread waited
	Work                                                               clock.Duration // of all threads, in time at full pipeline speed (model)

	Switches, Involuntary, Moves int64
	// Wakes is the number of wake-ups that got a CPU; without any there are no
	// latencies.
	Wakes    int64
	P50, P99 clock.Duration
	Projects []Project // by id
}

// Project is what a project was entitled to by its shares, and what it received.
type Project struct {
	ID                 int
	Name               string
	Fair               bool // its threads are of a class that knows shares
	Shares             int64
	Entitled, Received clock.Duration
}

// Value is a figure that may not be there.
type Value struct {
	N     int64
	Known bool
}

// Row is a line of the table.
type Row struct {
	ID, Name    string
	Unit        string // "%", "ms", "threads", …; "" of plain numbers
	Help        string // one sentence
	Places      int    // decimal places of the values
	Left, Right Value
}

// Difference is right − left, if both are known.
func (r *Row) Difference() Value {
	if !r.Left.Known || !r.Right.Known {
		return Value{}
	}
	return Value{r.Right.N - r.Left.N, true}
}

// kind is a figure that all runs have.
type kind struct {
	id, name, unit, help string
	places               int
	of                   func(f *Figures) Value
}

// Table sets two runs side by side.
func Table(left, right *Figures) []Row {
	rows := make([]Row, 0, len(kinds)+4)
	for i := range kinds {
		k := &kinds[i]
		rows = append(rows, Row{k.id, k.name, k.unit, k.help, k.places, k.of(left), k.of(right)})
	}
	for i := range left.Projects {
		l := &left.Projects[i]
		for j := range right.Projects {
			if r := &right.Projects[j]; r.ID == l.ID {
				rows = append(rows, projectRows(left, right, l, r)...)
			}
		}
	}
	return rows
}

// Wide is a line of a table of several runs.
type Wide struct {
	ID, Name, Unit, Help string
	Places               int
	Values               []Value
}

// Many sets several runs side by side, by the figures that all runs have.
func Many(runs []*Figures) []Wide {
	rows := make([]Wide, 0, len(kinds))
	for i := range kinds {
		k := &kinds[i]
		w := Wide{k.id, k.name, k.unit, k.help, k.places, make([]Value, len(runs))}
		for j, f := range runs {
			w.Values[j] = k.of(f)
		}
		rows = append(rows, w)
	}
	return rows
}

func projectRows(left, right *Figures, l, r *Project) []Row {
	name, id := "project "+l.Name, "project-"+l.Name
	entitled := func(f *Figures, p *Project) Value {
		if !p.Fair {
			return Value{}
		}
		return ratio(p.Entitled, f.OnlineTime, 10_000)
	}
	shares := func(p *Project) Value { return Value{p.Shares, p.Fair} }
	return []Row{
		{id + "-shares", name + ": shares", "", "Shares of the project; they count in the class FSS only.", 0, shares(l), shares(r)},
		{
			id + "-entitled", name + ": entitled", "%",
			"Part of the machine that its shares entitled the project to while its threads could run; only the class FSS knows shares.",
			2, entitled(left, l), entitled(right, r),
		},
		{
			id + "-received", name + ": received", "%", "Part of the machine that the project's threads had.",
			2, ratio(l.Received, left.OnlineTime, 10_000), ratio(r.Received, right.OnlineTime, 10_000),
		},
	}
}

// ratio is part/whole in units of 1/scale, rounded half up; unknown of nothing.
func ratio(part, whole clock.Duration, scale uint64) Value {
	if whole <= 0 || part < 0 {
		return Value{}
	}
	hi, lo := bits.Mul64(uint64(part), scale)
	lo, carry := bits.Add64(lo, uint64(whole)/2, 0)
	if hi += carry; hi >= uint64(whole) {
		return Value{} // too large to be told
	}
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return Value{int64(q), true}
}

// in is a duration in another unit, rounded half up.
func in(d, unit clock.Duration) Value { return Value{int64((d + unit/2) / unit), true} }
