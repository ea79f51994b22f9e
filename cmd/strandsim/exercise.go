package main

import (
	"context"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
	"strandscope/sim/clock"
)

func exerciseCommand() *cli.Command {
	return &cli.Command{
		Name:  "exercise",
		Usage: "draw exercises on job lists, with their answers",
		Description: "Equal seeds give equal exercises. The page shows the same ones, and checks answers.\n" +
			"With -html it writes a page to print; without -answers that is the question sheet.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "seed", Value: 1, Usage: "`SEED` to draw from"},
			&cli.IntFlag{Name: "n", Value: 4, Usage: "how many, at most 50"},
			&cli.BoolFlag{Name: "answers", Usage: "write the answers, too"},
			&cli.BoolFlag{Name: "html", Usage: "write a page to print instead of text"},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("exercise takes no arguments, got %q", c.Args().First())
			}
			if c.Int("seed") < 0 {
				return fmt.Errorf("-seed %d, want 0 or more", c.Int("seed"))
			}
			list, err := sim.Exercises(uint64(c.Int("seed")), c.Int("n"))
			if err != nil {
				return err
			}
			sheet := sheet{c.Root().Writer, c.Bool("answers")}
			if c.Bool("html") {
				return sheet.html(c.Int("seed"), list)
			}
			return sheet.text(list)
		},
	}
}

// sheet is a page of questions, with or without answers.
type sheet struct {
	w       io.Writer
	answers bool
}

func (s sheet) text(list []sim.Exercise) error {
	for i := range list {
		e := &list[i]
		fmt.Fprintf(s.w, "%d. %s\n\n", e.Number, e.Rule)
		for _, row := range given(e) {
			fmt.Fprintln(s.w, "   "+strings.TrimRight(fmt.Sprintf("%-8s%-10s%-8s%s", row[0], row[1], row[2], row[3]), " "))
		}
		fmt.Fprintf(s.w, "\n   %s\n\n", e.Asks())
		if s.answers {
			if err := printJobs(s.w, e.Table); err != nil {
				return err
			}
			fmt.Fprintln(s.w)
		}
	}
	return nil
}

// given is the table of an exercise, its heading first; the last column is empty
// where priorities do not count.
func given(e *sim.Exercise) [][4]string {
	rows := [][4]string{{"job", "arrival", "burst", ""}}
	for i := range e.Jobs {
		j := &e.Jobs[i]
		row := [4]string{j.Name, j.Arrival.String(), j.Length.String()}
		if j.Priority != 0 {
			rows[0][3], row[3] = "priority", fmt.Sprint(j.Priority)
		}
		rows = append(rows, row)
	}
	return rows
}

// html writes a page for the printer: it has no script and no other file.
func (s sheet) html(seed int, list []sim.Exercise) error {
	title := fmt.Sprintf("Scheduling exercises, seed %d", seed)
	if s.answers {
		title += ": answers"
	}
	fmt.Fprintf(s.w, `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>%[1]s</title>
<style>body{font:12pt/1.5 sans-serif;max-width:44em;margin:2em auto;padding:0 1em}section{break-inside:avoid;margin:2em 0}
table{border-collapse:collapse;margin:.6em 0}th,td{border:1px solid #888;padding:.2em .8em;text-align:right}th:first-child,td:first-child{text-align:left}
.line{border-bottom:1px solid #444;height:2em}code{font:12pt monospace}</style>
<h1>%[1]s</h1>
`, title)
	for i := range list {
		e := &list[i]
		fmt.Fprintf(s.w, "<section><h2>%d</h2>\n<p>%s</p>\n", e.Number, html.EscapeString(e.Rule))
		s.table(given(e))
		fmt.Fprintf(s.w, "<p>%s</p>\n", e.Asks())
		if s.answers {
			s.answer(e)
		} else {
			fmt.Fprint(s.w, strings.Repeat("<div class=\"line\"></div>\n", 3))
		}
		if _, err := fmt.Fprintln(s.w, "</section>"); err != nil {
			return err
		}
	}
	return nil
}

func (s sheet) answer(e *sim.Exercise) {
	in := func(d clock.Duration) string { return sim.InUnits(d, e.Table.Unit) }
	rows := [][4]string{{"job", "response", "turnaround", "waiting"}}
	for _, r := range e.Table.Rows {
		rows = append(rows, [4]string{r.Name, in(r.Response), in(r.Turnaround), in(r.Waiting)})
	}
	m := &e.Table.Means
	rows = append(rows, [4]string{"mean", m.Response.String(), m.Turnaround.String(), m.Waiting.String()})
	fmt.Fprintf(s.w, "<p>Order: <code>%s</code></p>\n", html.EscapeString(e.Order()))
	s.table(rows)
}

func (s sheet) table(rows [][4]string) {
	fmt.Fprintln(s.w, "<table>")
	for i, row := range rows {
		tag := "td"
		if i == 0 {
			tag = "th"
		}
		fmt.Fprint(s.w, "<tr>")
		for k, cell := range row {
			if k < 3 || rows[0][3] != "" {
				fmt.Fprintf(s.w, "<%s>%s</%[1]s>", tag, html.EscapeString(cell))
			}
		}
		fmt.Fprintln(s.w, "</tr>")
	}
	fmt.Fprintln(s.w, "</table>")
}
