package machine

import (
	"slices"
	"strconv"
	"strings"
)

// Preset is a machine of the library.
type Preset struct {
	ID    string
	Title string
	Root  Node
}

// Presets lists the machines of the library in the order shown to users
// (FACTS §11.1, §11.4).
var Presets = []Preset{
	{"t2000", "Sun Fire T2000 — 8 cores × 4 strands", niagara(1, 8, 1)},
	{"t2000-6", "Sun Fire T2000 — 6 cores × 4 strands", niagara(1, 6, 1)},
	{"t2000-4", "Sun Fire T2000 — 4 cores × 4 strands", niagara(1, 4, 1)},
	{"t1000", "Sun Fire T1000 — 8 cores × 4 strands", niagara(1, 8, 1)},
	{"t5120", "SPARC Enterprise T5120 — 8 cores × 8 strands, two pipelines each", niagara(1, 8, 2)},
	{"t5240", "SPARC Enterprise T5240 — 2 chips of 8 cores × 8 strands", niagara(2, 8, 2)},
	{"xeon-smp4-1999", "Xeon SMP, 1999 — 4 CPUs", flat(4)},
	{"smp8", "Eight CPUs, one strand each", flat(8)},
	{"smp4", "Four CPUs, one strand each", flat(4)},
	{"up", "One CPU", flat(1)},
}

// niagara is an UltraSPARC T1 (one pipeline a core) or T2 (two): four strands
// are fixed to each pipeline and share its issue slots.
func niagara(chips, cores, pipelines int) Node {
	return Node{Kind: Chip, Count: chips, Of: &Node{Kind: Core, Count: cores, Of: &Node{
		Kind: Pipeline, Count: pipelines, Issue: true, Of: &Node{Kind: Strand, Count: 4},
	}}}
}

func flat(cpus int) Node {
	return Node{Kind: Chip, Count: cpus, Of: &Node{Kind: Core, Count: 1, Of: &Node{
		Kind: Pipeline, Count: 1, Of: &Node{Kind: Strand, Count: 1},
	}}}
}

// smp is how the names of flat machines begin that are no presets: smp6 has six CPUs.
const smp = "smp"

// Find builds the preset of the given name, or a flat machine of any number of CPUs.
func Find(id string) (*Machine, bool) {
	i := slices.IndexFunc(Presets, func(p Preset) bool { return p.ID == id })
	if i < 0 {
		n, err := strconv.Atoi(strings.TrimPrefix(id, smp))
		if err != nil || n < 1 || n > MaxStrands || id != smp+strconv.Itoa(n) {
			return nil, false
		}
		m, err := Build(id, strconv.Itoa(n)+" CPUs, one strand each", flat(n))
		return m, err == nil
	}
	m, err := Build(id, Presets[i].Title, Presets[i].Root)
	if err != nil {
		panic(err) // a preset is part of the program
	}
	return m, true
}
