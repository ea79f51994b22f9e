package machine

import (
	"errors"
	"fmt"
)

// MaxStrands is the largest machine that is accepted, in strands.
const MaxStrands = 4096

// Permille is a fraction of one, in thousandths.
type Permille int32

// Kind is a level of the tree.
type Kind uint8

// The levels of a machine, from the outside in.
const (
	Chip Kind = iota
	Core
	Pipeline
	Strand
)

func (k Kind) String() string { return [...]string{"chip", "core", "pipeline", "strand"}[k] }

// Node is one level of a machine: Count copies of it stand in its parent.
type Node struct {
	Kind  Kind
	Count int
	// Rate, on a pipeline, is the speed of each busy strand relative to
	// running alone, with 1..n strands busy: Rate[0] is for one. Empty means
	// that strands never slow each other down.
	Rate []Permille
	// Issue, on a pipeline, says that its strands share issue slots: their
	// speeds follow from what runs on them (func Issue), not from Rate.
	Issue bool
	Of    *Node
}

// CPU is one strand of a built machine.
type CPU struct {
	ID       int // dense, depth first
	Chip     int
	Core     int
	Pipeline int
}

// Machine is a tree laid out flat. It is immutable once built.
type Machine struct {
	ID    string // preset name, "" for a machine of one's own
	Title string
	CPUs  []CPU
	// Cores and Pipelines list the CPU ids below each, in id order.
	Cores     [][]int
	Pipelines [][]int
	Chips     int
	// Rates and Issues hold the Rate and Issue of each pipeline.
	Rates  [][]Permille
	Issues []bool
}

// Build lays out a tree. CPU ids are dense and depth first, so on a T2000 CPU
// id = 4·core + strand (FACTS §8.4).
func Build(id, title string, root Node) (*Machine, error) {
	m := &Machine{ID: id, Title: title}
	if err := m.add(&root, -1, -1, -1); err != nil {
		return nil, err
	}
	if len(m.CPUs) == 0 {
		return nil, errors.New("machine: no strands")
	}
	return m, nil
}

func (m *Machine) add(n *Node, chip, core, pipe int) error {
	if err := n.check(); err != nil {
		return err
	}
	for range n.Count {
		switch n.Kind {
		case Chip:
			chip = m.Chips
			m.Chips++
		case Core:
			core = len(m.Cores)
			m.Cores = append(m.Cores, nil)
		case Pipeline:
			pipe = len(m.Pipelines)
			m.Pipelines = append(m.Pipelines, nil)
			m.Rates = append(m.Rates, n.Rate)
			m.Issues = append(m.Issues, n.Issue)
		case Strand:
			if chip < 0 || core < 0 || pipe < 0 {
				return errors.New("machine: a strand must stand in a chip, a core and a pipeline")
			}
			if len(m.CPUs) == MaxStrands {
				return fmt.Errorf("machine: more than %d strands", MaxStrands)
			}
			cpu := len(m.CPUs)
			m.CPUs = append(m.CPUs, CPU{cpu, chip, core, pipe})
			m.Cores[core] = append(m.Cores[core], cpu)
			m.Pipelines[pipe] = append(m.Pipelines[pipe], cpu)
			continue
		}
		if err := m.add(n.Of, chip, core, pipe); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a level that cannot be: strands below strands, a pipeline that
// two cores share, speeds that never end a burst.
func (n *Node) check() error {
	if n.Kind > Strand {
		return fmt.Errorf("machine: level %d is unknown", n.Kind)
	}
	if n.Count < 1 {
		return fmt.Errorf("machine: %s count %d, want at least 1", n.Kind, n.Count)
	}
	for _, r := range n.Rate {
		if r < 1 || r > 1000 {
			return fmt.Errorf("machine: %s rate %d, want 1 to 1000 thousandths", n.Kind, r)
		}
	}
	if n.Issue && (n.Of == nil || n.Of.Kind != Strand || n.Of.Count > maxPerPipeline) {
		return fmt.Errorf("machine: a pipeline shares its issue slots among 1 to %d strands", maxPerPipeline)
	}
	if n.Kind == Strand {
		return nil
	}
	if n.Of == nil {
		return fmt.Errorf("machine: a %s without strands", n.Kind)
	}
	if n.Of.Kind <= n.Kind {
		return fmt.Errorf("machine: a %s inside a %s", n.Of.Kind, n.Kind)
	}
	return nil
}

// Speeds fills in the speed of each busy strand of a pipeline relative to
// running alone, given the CPIs of what runs there, and returns the share of
// issue slots used. A pipeline without shared issue slots is fully used when
// every strand is busy.
func (m *Machine) Speeds(pipeline int, cpis []CPI, speeds []Permille) Permille {
	if m.Issues[pipeline] {
		return Issue(cpis, speeds)
	}
	rate := m.rate(pipeline, len(cpis))
	for i := range cpis {
		speeds[i] = rate
	}
	return Permille(1000 * len(cpis) / len(m.Pipelines[pipeline]))
}

// rate is the relative speed of each of the busy strands by the pipeline's Rate;
// the last one listed holds for more.
func (m *Machine) rate(pipeline, busy int) Permille {
	r := m.Rates[pipeline]
	if len(r) == 0 || busy < 1 {
		return 1000
	}
	return r[min(busy, len(r))-1]
}

// Grid builds a machine of so many strands, perCore to a core and a pipeline;
// the last core may be partly filled. Strands do not slow each other down.
func Grid(strands, perCore int) (*Machine, error) {
	if strands < 1 || strands > MaxStrands || perCore < 1 {
		return nil, fmt.Errorf("machine: %d strands, %d to a core: want 1 to %d strands", strands, perCore, MaxStrands)
	}
	m := &Machine{Title: fmt.Sprintf("%d strands", strands), Chips: 1}
	for id := range strands {
		core := id / perCore
		if id%perCore == 0 {
			m.Cores = append(m.Cores, nil)
			m.Pipelines = append(m.Pipelines, nil)
			m.Rates = append(m.Rates, nil)
			m.Issues = append(m.Issues, false)
		}
		m.CPUs = append(m.CPUs, CPU{ID: id, Core: core, Pipeline: core})
		m.Cores[core] = append(m.Cores[core], id)
		m.Pipelines[core] = append(m.Pipelines[core], id)
	}
	return m, nil
}
