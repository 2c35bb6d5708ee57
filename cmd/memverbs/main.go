package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/logging"
	"github.com/memverbs/memverbs/cmd/memverbs/service"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, logging.Stream(os.Stderr)))
}

// run is the whole program. It returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if c := subcommandOf(args); c != nil {
		return c.execute(args[1:], streams{stdin, stdout, stderr})
	}
	if completing(args) {
		return complete(args, streams{stdin, stdout, stderr})
	}
	o := settings.NewFlags()
	others, err := o.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, ownManual(o).Help())
		return exitOK
	case err != nil:
		return fail(stderr, err)
	case len(others) > 0:
		return fail(stderr, noSubcommand(others[0], o.All()))
	case o.Version:
		fmt.Fprintf(stdout, "memverbs %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return exitOK
	}
	s, warnings, err := o.Settings()
	if err != nil {
		return fail(stderr, err)
	}
	return serve(s, o.Config, warnings, stderr)
}

// lastLines is how long the program waits at its end for its log to be written.
const lastLines = time.Second

// serve runs the proxy until a signal stops it, and returns the exit status. path is the file with the
// settings, empty if there is none. The log goes through a queue, since writing to stderr may block.
func serve(s *settings.All, path string, warnings []settings.Warning, stderr io.Writer) int {
	queue := logging.NewQueue(stderr, func(w io.Writer) *slog.Logger { return logging.New(logging.Toward(stderr, w), s.LogLevel, s.LogFormat) })
	defer queue.Close(lastLines)
	said := logging.Toward(stderr, queue)
	log := logging.New(said, s.LogLevel, s.LogFormat)
	for _, w := range warnings {
		log.Warn(w.Text, "at", w.At)
	}
	err := service.Service{Version: version, File: path, Started: s, Log: log, LinesLost: queue.Lost}.Run()
	if err == nil {
		return exitOK
	}
	status := fail(said, err)
	if status == exitUsage && path != "" {
		status = exitWrongFile
	}
	return status
}
