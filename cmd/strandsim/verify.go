package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

	"strandscope/sim/golden"
	"strandscope/sim/golden/all"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "replay recorded data below folders and compare every row",
		ArgsUsage: "DIR…",
		Action: func(_ context.Context, c *cli.Command) error {
			if !c.Args().Present() {
				return errors.New("verify needs at least one DIR")
			}
			out := c.Root().Writer
			each := func(r golden.Result) { fmt.Fprintln(out, r) }
			passed, failed, skipped, err := golden.Verify(c.Args().Slice(), all.Formats, each)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", passed, failed, skipped)
			if failed > 0 {
				return failure{fmt.Errorf("%d files differ from the recording", failed)}
			}
			if passed+skipped == 0 {
				return errors.New("no recorded data found there")
			}
			return nil
		},
	}
}
