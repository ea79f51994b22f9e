package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
)

func listCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the built-in scenarios: id, title, machine, source",
		Action: func(_ context.Context, c *cli.Command) error {
			w := tabwriter.NewWriter(c.Root().Writer, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ID\tTITLE\tMACHINE\tSOURCE")
			for _, i := range sim.Library() {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s (%s)\n", i.ID, i.Title, i.MachineTitle, i.SourceTitle, i.SourceNote)
			}
			return w.Flush()
		},
	}
}
