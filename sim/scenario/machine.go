package scenario

import (
	"fmt"
	"strings"

	"strandscope/sim/machine"
)

// readMachine reads a preset's name, or a machine of one's own: so many chips of so many
// cores of so many pipelines of so many strands, one of each unless told.
func (s *Scenario) readMachine(v value) error {
	if v.v.Kind() != '{' {
		var preset string
		if err := intoName(&preset)(v); err != nil {
			return err
		}
		m, ok := machine.Find(preset)
		if !ok {
			ids := make([]string, 0, len(machine.Presets))
			for _, p := range machine.Presets {
				ids = append(ids, p.ID)
			}
			return v.errorf("%q is no preset; there are %s%s", preset, sentence(ids), near(preset, ids))
		}
		s.Machine = m
		return nil
	}
	var title string
	chips, cores, strands := 1, 1, 1
	pipe := machine.Node{Kind: machine.Pipeline, Count: 1}
	err := v.read(fields{
		"title": intoText(&title),
		"chips": intoInt(&chips, 1, machine.MaxStrands), "cores": intoInt(&cores, 1, machine.MaxStrands),
		"pipelines": intoInt(&pipe.Count, 1, machine.MaxStrands), "strands": intoInt(&strands, 1, machine.MaxStrands),
		"issue": intoBool(&pipe.Issue),
		"speeds": each(func(v value) error {
			n, err := v.integer(1, 1000)
			pipe.Rate = append(pipe.Rate, machine.Permille(n))
			return err
		}),
	}, nil)
	if err != nil {
		return err
	}
	if pipe.Issue && pipe.Rate != nil {
		return v.errorf("issue and speeds both say how fast the strands of a pipeline are; want one of them")
	}
	all := int64(chips) * int64(cores)
	all *= int64(pipe.Count) * int64(strands) // up to 4096⁴ = 2⁴⁸
	if all > machine.MaxStrands {
		return v.errorf("%d strands, at most %d are accepted", all, machine.MaxStrands)
	}
	if title == "" {
		title = fmt.Sprintf("%s of %s, %d strands", many(chips, "chip"), many(cores, "core"), all)
	}
	pipe.Of = &machine.Node{Kind: machine.Strand, Count: strands}
	s.Machine, err = machine.Build("", title, machine.Node{
		Kind: machine.Chip, Count: chips, Of: &machine.Node{Kind: machine.Core, Count: cores, Of: &pipe},
	})
	if err != nil {
		return v.errorf("%s", strings.TrimPrefix(err.Error(), "machine: "))
	}
	return nil
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// setMachine is the machine of a document that names none.
func (s *Scenario) setMachine() {
	if s.Machine != nil {
		return
	}
	preset := "t2000"
	if strings.HasPrefix(s.Scheduler.Kernel, BookKernels) || len(s.Jobs) > 0 {
		preset = "up"
	}
	s.Machine, _ = machine.Find(preset)
}
