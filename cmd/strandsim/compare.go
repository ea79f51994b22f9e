package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
)

func compareCommand() *cli.Command {
	return &cli.Command{
		Name:      "compare",
		Usage:     "run two configurations on one clock and print what differs",
		ArgsUsage: "A [B]",
		Description: "A and B are built-in ids (see list) or files; without B both sides are A.\n" +
			"The table has the figures of both since boot, and B − A. With -kernels A runs on\n" +
			"each kernel that it offers, and the table has a column for each.",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "for", Usage: "simulated `TIME` to run, such as 30s or 1h (default: what A says, or 10s)"},
			&cli.StringSliceFlag{Name: "set-a", Usage: "change a setting of A, as in class=FSS"},
			&cli.StringSliceFlag{Name: "set-b", Usage: "change a setting of B"},
			&cli.BoolFlag{Name: "kernels", Usage: "run A on each kernel that it offers"},
			&cli.StringFlag{Name: "o", Value: "text", Usage: "output `FORMAT`: text, json or csv"},
		},
		Action: runCompare,
	}
}

// side is one of the two runs.
type side struct {
	*sim.Session `json:"-"`

	Name     string `json:"scenario"`
	Settings string `json:"settings"`
	Digest   string `json:"digest"`
}

func runCompare(_ context.Context, c *cli.Command) error {
	write, ok := comparisons[c.String("o")]
	if !ok {
		return fmt.Errorf("-o %q, want text, json or csv", c.String("o"))
	}
	args := c.Args().Slice()
	if c.Bool("kernels") {
		return runKernels(c, args)
	}
	if len(args) == 1 {
		args = append(args, args[0])
	}
	if len(args) != 2 {
		return fmt.Errorf("compare needs one or two scenarios, got %d; see strandsim list", len(args))
	}
	if slices.Contains(args, "-") {
		return fmt.Errorf("compare reads no standard input: want a built-in id or a file")
	}
	var sides [2]side
	for i, flag := range []string{"set-a", "set-b"} {
		sets := c.StringSlice(flag)
		s, err := openScenario(args[i], sets)
		if err != nil {
			return fmt.Errorf("side %c: %w", "AB"[i], err)
		}
		if err := s.KeepSums(); err != nil {
			return failure{err}
		}
		sides[i] = side{Session: s, Name: args[i], Settings: strings.Join(sets, " ")}
	}
	span, err := runSpan(sides[0].Session, c, "for")
	if err != nil {
		return err
	}
	pair := sim.Pair{Lead: sides[0], Other: sides[1]}
	if err := pair.AdvanceTo(clock.Time(span)); err != nil {
		return failure{err}
	}
	for i := range sides {
		if err := sides[i].Finish(); err != nil {
			return failure{err}
		}
		sides[i].Digest = fmt.Sprintf("%016x", sides[i].Session.Digest())
	}
	a, b := sides[0].Compared(), sides[1].Compared()
	return write(c.Root().Writer, sides, compare.Table(&a, &b))
}

// comparisons are the formats.
var comparisons = map[string]func(w io.Writer, sides [2]side, rows []compare.Row) error{
	"text": writeComparison,
	"csv":  writeComparisonCSV,
	"json": writeComparisonJSON,
}

func writeComparison(w io.Writer, sides [2]side, rows []compare.Row) error {
	var b strings.Builder
	for i := range sides {
		s := &sides[i]
		title := s.Facts().Title()
		if s.Settings != "" {
			title += " (" + s.Settings + ")"
		}
		fmt.Fprintf(&b, "%c: %s: %s, digest %s\n", "AB"[i], s.Name, title, s.Digest)
	}
	fmt.Fprintf(&b, "differs: %s\n", sides[0].Facts().DiffersFrom(sides[1].Facts()))
	fmt.Fprintf(&b, "at %v, since boot\n\n", sides[0].Now())
	b.WriteString(compare.Text(rows, "A", "B"))
	_, err := io.WriteString(w, b.String())
	return err
}

// plain is a value's text for programs: a minus sign as they write it, and nothing
// where the value is not known.
func plain(r *compare.Row, v compare.Value) string {
	if !v.Known {
		return ""
	}
	return strings.Replace(r.Text(v), "−", "-", 1)
}

func writeComparisonCSV(w io.Writer, _ [2]side, rows []compare.Row) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"id", "figure", "unit", "a", "b", "difference"}}
	for i := range rows {
		r := &rows[i]
		lines = append(lines, []string{r.ID, r.Name, r.Unit, plain(r, r.Left), plain(r, r.Right), plain(r, r.Difference())})
	}
	return out.WriteAll(lines)
}

func writeComparisonJSON(w io.Writer, sides [2]side, rows []compare.Row) error {
	type figure struct {
		ID         string       `json:"id"`
		Name       string       `json:"name"`
		Unit       string       `json:"unit"`
		A          *json.Number `json:"a"` // null: not known
		B          *json.Number `json:"b"`
		Difference *json.Number `json:"difference"`
		Help       string       `json:"help"`
	}
	number := func(r *compare.Row, v compare.Value) *json.Number {
		if !v.Known {
			return nil
		}
		n := json.Number(plain(r, v))
		return &n
	}
	out := struct {
		AtNs    int64    `json:"at_ns"`
		A       *side    `json:"a"`
		B       *side    `json:"b"`
		Figures []figure `json:"figures"`
	}{AtNs: int64(sides[0].Now()), A: &sides[0], B: &sides[1]}
	for i := range rows {
		r := &rows[i]
		out.Figures = append(out.Figures, figure{
			r.ID, r.Name, r.Unit, number(r, r.Left), number(r, r.Right), number(r, r.Difference()), r.Help,
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
