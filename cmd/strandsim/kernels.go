package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
	"strandscope/sim/compare"
)

// runKernels compares the kernels that a scenario offers.
func runKernels(c *cli.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("compare -kernels needs one scenario, got %d; see strandsim list", len(args))
	}
	if len(c.StringSlice("set-b")) > 0 {
		return fmt.Errorf("compare -kernels has no side B; -set-a changes the scenario for all kernels")
	}
	s, err := openScenario(args[0], c.StringSlice("set-a"))
	if err != nil {
		return err
	}
	span, err := runSpan(s, c, "for")
	if err != nil {
		return err
	}
	if err := s.CompareKernels(span); err != nil {
		return err
	}
	rows, left := s.Kernels()
	for left > 0 {
		if err := s.NextKernel(); err != nil {
			return failure{err}
		}
		rows, left = s.Kernels()
	}
	return kernelTables[c.String("o")](c.Root().Writer, s.Facts().Scenario, rows)
}

// kernelTables are the formats, those of comparisons.
var kernelTables = map[string]func(w io.Writer, scenario string, rows []sim.KernelRow) error{
	"text": writeKernels,
	"csv":  writeKernelsCSV,
	"json": writeKernelsJSON,
}

func writeKernels(w io.Writer, scenario string, rows []sim.KernelRow) error {
	heads := make([]string, len(rows))
	for i := range rows {
		heads[i] = rows[i].Title
	}
	_, err := fmt.Fprintf(w, "%s\nat %v, since boot\n\n%s", scenario, rows[0].Figures.Now, compare.WideText(sim.KernelTable(rows), heads))
	return err
}

func writeKernelsCSV(w io.Writer, _ string, rows []sim.KernelRow) error {
	head := []string{"id", "figure", "unit"}
	for i := range rows {
		head = append(head, rows[i].Kernel)
	}
	lines := [][]string{head}
	for _, x := range sim.KernelTable(rows) {
		line := []string{x.ID, x.Name, x.Unit}
		for i := range x.Values {
			line = append(line, plainCell(&x, i))
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// plainCell is a value for programs, "" where it is not known.
func plainCell(x *compare.Wide, i int) string {
	if !x.Values[i].Known {
		return ""
	}
	return strings.Replace(x.Cell(i), "−", "-", 1)
}

func writeKernelsJSON(w io.Writer, scenario string, rows []sim.KernelRow) error {
	type figure struct {
		ID     string                 `json:"id"`
		Name   string                 `json:"name"`
		Unit   string                 `json:"unit"`
		Help   string                 `json:"help"`
		Values map[string]json.Number `json:"values"` // by kernel; without those not known
	}
	out := struct {
		Scenario string   `json:"scenario"`
		AtNs     int64    `json:"at_ns"`
		Figures  []figure `json:"figures"`
	}{Scenario: scenario, AtNs: int64(rows[0].Figures.Now)}
	for _, x := range sim.KernelTable(rows) {
		f := figure{x.ID, x.Name, x.Unit, x.Help, map[string]json.Number{}}
		for i := range rows {
			if text := plainCell(&x, i); text != "" {
				f.Values[rows[i].Kernel] = json.Number(text)
			}
		}
		out.Figures = append(out.Figures, f)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
