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
	// Solo, on a pipeline, is the share of its issue slots that one busy strand
	// uses; 0 means all of them.
	Solo Permille
	Of   *Node
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
	// Rates and Solo hold the Rate and Solo of each pipeline.
	Rates [][]Permille
	Solo  []Permille
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
			m.Solo = append(m.Solo, n.Solo)
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
	if n.Solo < 0 || n.Solo > 1000 {
		return fmt.Errorf("machine: %s solo %d, want 0 to 1000 thousandths", n.Kind, n.Solo)
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

// Rate is the relative speed of each of the busy strands of a pipeline.
func (m *Machine) Rate(pipeline, busy int) Permille {
	r := m.Rates[pipeline]
	if len(r) == 0 || busy < 1 {
		return 1000
	}
	if busy > len(r) {
		busy = len(r)
	}
	return r[busy-1]
}

// IssueSlots is the share of a pipeline's issue slots in use with so many busy
// strands (model: FACTS §11.3).
func (m *Machine) IssueSlots(pipeline, busy int) Permille {
	solo := m.Solo[pipeline]
	if solo == 0 {
		solo = 1000
	}
	return min(1000, Permille(int64(busy)*int64(m.Rate(pipeline, busy))*int64(solo)/1000))
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
			m.Solo = append(m.Solo, 0)
		}
		m.CPUs = append(m.CPUs, CPU{ID: id, Core: core, Pipeline: core})
		m.Cores[core] = append(m.Cores[core], id)
		m.Pipelines[core] = append(m.Pipelines[core], id)
	}
	return m, nil
}
