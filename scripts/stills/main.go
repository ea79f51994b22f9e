// Command stills draws a still of each built-in scenario, in a light and a dark theme:
// what stands in another page until the figure runs there.
//
//	go run ./scripts/stills build/stills
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"strandscope/render/act"
	"strandscope/render/figure"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// at is the moment that is drawn: long enough for a run to show what it is about.
const at = 10 * clock.Second

// width of a still in CSS pixels, about that of a column of text.
const width = 640

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "stills: want one folder")
		os.Exit(2)
	}
	if err := draw(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "stills:", err)
		os.Exit(1)
	}
}

// draw writes ID-light.svg and ID-dark.svg for each scenario into a folder.
func draw(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range sim.Library() {
		run, err := sim.Open(s.ID)
		if err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		if err := run.Advance(at); err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		for _, theme := range []string{"light", "dark"} {
			text, err := figure.SVG(run, act.View{}, &figure.Options{Panels: []string{"strands"}, Theme: theme, Width: width})
			if err != nil {
				return fmt.Errorf("%s: %w", s.ID, err)
			}
			if err := os.WriteFile(filepath.Join(dir, s.ID+"-"+theme+".svg"), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
