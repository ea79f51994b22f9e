package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/urfave/cli/v3"

	"strandscope/web/static"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "serve the page",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8080", Usage: "`ADDRESS` to listen on"},
			&cli.StringFlag{Name: "dir", Value: ".", Usage: "`FOLDER` that holds index.html, web and build"},
		},
		Action: serve,
	}
}

func serve(ctx context.Context, c *cli.Command) error {
	dir := c.String("dir")
	h, err := static.Handler(dir)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", c.String("addr"))
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", c.String("addr"), err)
	}
	fmt.Fprintf(c.Root().Writer, "Strandscope is at http://%s/ (Ctrl-C ends it)\n", l.Addr())
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case <-ctx.Done():
		return srv.Close()
	case err := <-done:
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return failure{err}
	}
}
