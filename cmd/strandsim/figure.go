package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"strandscope/render/act"
	"strandscope/render/figure"
	"strandscope/render/theme"
)

func figureCommand() *cli.Command {
	return &cli.Command{
		Name:      "figure",
		Usage:     "draw a moment of a scenario as an SVG picture, or write a plot as CSV",
		ArgsUsage: "SCENARIO",
		Description: "Runs SCENARIO, as run does, up to a time, and draws what the page shows then, with a\n" +
			"caption and the source below. Panels are " + strings.Join(act.PanelIDs, ", ") + ".",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "at", Usage: "simulated `TIME` to draw, such as 30s (default: the scenario's duration, or 10s)"},
			&cli.StringSliceFlag{Name: "panel", Usage: "draw this `PANEL` only; several with commas, from top to bottom (default: the whole picture)"},
			&cli.StringFlag{Name: "theme", Value: "light", Usage: "`THEME`: " + strings.Join(theme.Names, ", ")},
			&cli.IntFlag{Name: "width", Usage: fmt.Sprintf("`PIXELS`, %d to %d (default: %d, or %d for chosen panels)",
				figure.MinWidth, figure.MaxWidth, figure.PageWidth, figure.PanelWidth)},
			&cli.StringFlag{Name: "class", Usage: "default scheduling `CLASS`; short for -set class=CLASS"},
			&cli.StringSliceFlag{Name: "set", Usage: "change a setting, as in run"},
			&cli.StringFlag{Name: "caption", Usage: "`TEXT` below the picture (default: scenario, class and time)"},
			&cli.StringFlag{Name: "link", Usage: "`ADDRESS` to write below, where the figure runs"},
			&cli.StringFlag{Name: "o", Usage: "write `FILE`.svg instead of standard output, or, for one panel with a plot, its figures as .csv"},
		},
		Action: drawFigure,
	}
}

func drawFigure(_ context.Context, c *cli.Command) error {
	name, err := oneScenario(c)
	if err != nil {
		return err
	}
	file := c.String("o")
	table := strings.EqualFold(filepath.Ext(file), ".csv")
	if file != "" && !table && !strings.EqualFold(filepath.Ext(file), ".svg") {
		return fmt.Errorf("-o %q, want a name that ends in .svg or .csv; PNG takes a browser's fonts, so only the page writes it", file)
	}
	panels := c.StringSlice("panel")
	if table && len(panels) != 1 {
		return fmt.Errorf("-o %q needs one -panel whose plot it is to hold, got %d", file, len(panels))
	}
	sets := c.StringSlice("set")
	if c.IsSet("class") {
		sets = append(sets, "class="+c.String("class"))
	}
	s, err := openScenario(name, sets)
	if err != nil {
		return err
	}
	at, err := runSpan(s, c, "at")
	if err != nil {
		return err
	}
	if c.IsSet("width") && c.Int("width") == 0 {
		return fmt.Errorf("-width 0, want %d to %d", figure.MinWidth, figure.MaxWidth)
	}
	options := figure.Options{
		Panels: panels, Theme: c.String("theme"), Width: c.Int("width"),
		Caption: c.String("caption"), Link: c.String("link"),
	}
	if err := options.Check(); err != nil {
		return err
	}
	if err := s.Advance(at); err != nil {
		return failure{err}
	}
	if table {
		text, err := figure.CSV(s, act.View{Timeline: act.Range{Kind: act.Whole}}, panels[0])
		if err != nil {
			return err
		}
		return writeOut(c, file, text)
	}
	text, err := figure.SVG(s, act.View{}, &options)
	if err != nil {
		return err
	}
	return writeOut(c, file, text)
}

// writeOut writes a file, or to standard output where none is named.
func writeOut(c *cli.Command, file string, text []byte) error {
	if file == "" {
		if _, err := c.Root().Writer.Write(text); err != nil {
			return failure{err}
		}
		return nil
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			return failure{fmt.Errorf("%s: %w", file, pe.Err)}
		}
		return failure{err}
	}
	return nil
}
