// Command strandsim is Strandscope without graphics: it lists and runs
// scenarios, replays recorded data, and serves the page.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"
)

// Exit codes.
const (
	exitFailed = 1 // a check or a run failed
	exitUsage  = 2 // the input was refused
)

// commands in the order of `strandsim help`. A new one is a file and a line.
var commands = []func() *cli.Command{
	listCommand,
	runCommand,
	shCommand,
	whyCommand,
	figureCommand,
	compareCommand,
	importCommand,
	jobsCommand,
	exerciseCommand,
	verifyCommand,
	serveCommand,
}

// failure is an error that is not the input's fault.
type failure struct{ error }

func main() {
	os.Exit(mainCode(os.Args, os.Stdout, os.Stderr))
}

func mainCode(args []string, out, errOut io.Writer) int {
	return mainCodeIn(args, os.Stdin, out, errOut)
}

func mainCodeIn(args []string, in io.Reader, out, errOut io.Writer) int {
	root := &cli.Command{
		Name:                          "strandsim",
		Usage:                         "a scheduler laboratory: kernels' real scheduling rules, without graphics",
		Reader:                        in,
		Writer:                        out,
		ErrWriter:                     errOut,
		Suggest:                       true,
		ExitErrHandler:                func(context.Context, *cli.Command, error) {},
		OnUsageError:                  func(_ context.Context, _ *cli.Command, err error, _ bool) error { return err },
		CustomRootCommandHelpTemplate: cli.RootCommandHelpTemplate,
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("unknown command %q; see strandsim help", c.Args().First())
			}
			return cli.ShowRootCommandHelp(c)
		},
	}
	for _, make := range commands {
		c := make()
		c.OnUsageError = root.OnUsageError
		root.Commands = append(root.Commands, c)
	}
	err := root.Run(context.Background(), args)
	if err == nil {
		return 0
	}
	var st status
	if errors.As(err, &st) {
		return int(st)
	}
	fmt.Fprintln(errOut, "strandsim:", err)
	var f failure
	if errors.As(err, &f) {
		return exitFailed
	}
	return exitUsage
}
