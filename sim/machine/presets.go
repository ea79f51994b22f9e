package machine

import "slices"

// Preset is a machine of the library.
type Preset struct {
	ID    string
	Title string
	Root  Node
}

// interpreterRate is the speed of each strand relative to running alone on a
// T1 pipeline, for a compute-bound interpreter loop (solo CPI 2) and the
// queueing estimate of FACTS §11.3. It is a model, not a measurement.
var interpreterRate = []Permille{1000, 800, 630, 490}

// interpreterSolo is the share of issue slots that such a loop uses alone.
const interpreterSolo Permille = 500

// Presets lists the machines of the library in the order shown to users.
var Presets = []Preset{
	{"t2000", "Sun Fire T2000 — 8 cores × 4 strands", t1(8)},
	{"t1000", "Sun Fire T1000 — 6 cores × 4 strands", t1(6)},
	{"up", "One CPU", flat(1)},
}

func t1(cores int) Node {
	return Node{Kind: Chip, Count: 1, Of: &Node{Kind: Core, Count: cores, Of: &Node{
		Kind: Pipeline, Count: 1, Rate: interpreterRate, Solo: interpreterSolo, Of: &Node{Kind: Strand, Count: 4},
	}}}
}

func flat(cpus int) Node {
	return Node{Kind: Chip, Count: cpus, Of: &Node{Kind: Core, Count: 1, Of: &Node{
		Kind: Pipeline, Count: 1, Of: &Node{Kind: Strand, Count: 1},
	}}}
}

// Find builds the preset of the given name.
func Find(id string) (*Machine, bool) {
	i := slices.IndexFunc(Presets, func(p Preset) bool { return p.ID == id })
	if i < 0 {
		return nil, false
	}
	m, err := Build(id, Presets[i].Title, Presets[i].Root)
	if err != nil {
		panic(err) // a preset is part of the program
	}
	return m, true
}
