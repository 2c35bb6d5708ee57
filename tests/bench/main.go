//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/tests/bench/clients"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == clientsCommand {
		fail(clients.Serve(os.Args[2]))
	}
	o, err := parse(os.Args[1:])
	if err != nil {
		fail(err)
	}
	// One thread more than those that make the load is enough to watch the
	// clock. More would only take time from the contestants.
	runtime.GOMAXPROCS(o.threads + 1)

	ctx, stop := signal.NotifyContext(context.Background(),
		os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()
	if err := run(ctx, o, os.Stdout, os.Stderr); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

// run is the whole program. It writes the report to out, and what it is doing
// to told. It ends every process that it has started.
func run(ctx context.Context, o *options, out, told io.Writer) error {
	parts, err := o.plan()
	if err != nil {
		return err
	}
	if err := raiseFileLimit(); err != nil {
		return err
	}
	if o.profile {
		return profile(ctx, o, parts, out, told)
	}
	return compare(ctx, o, parts, out, told)
}

// compare runs the cells and reports.
func compare(ctx context.Context, o *options, parts []*part, out, told io.Writer) error {
	folder, err := os.MkdirTemp("", "memverbs-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if o.memverbs == "" {
		if o.memverbs, err = buildMemverbs(ctx, folder, asShipped); err != nil {
			return err
		}
	}
	about := describeMachine(o, strings.Join(os.Args[1:], " "), time.Now())
	p := newProgress(told, parts, o)
	for _, part := range parts {
		for _, c := range part.cells {
			if err := c.run(ctx, folder, o, p); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	path := o.reportPath()
	text := report(about, parts, o, path != "")
	fmt.Fprint(out, text)
	if path == "" {
		return nil
	}
	return writeReport(path, text, parts)
}
