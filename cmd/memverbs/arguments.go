package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
)

// subcommandFlags returns the flags of a subcommand, those that define defines and --help, as a
// group.
func subcommandFlags(define func(f *pflag.FlagSet)) manual.Group {
	f := setting.NewSet("Flags")
	define(f)
	f.BoolP("help", "h", false, "print this and exit")
	return manual.Group{Title: f.Name(), Flags: f}
}

// noFlags defines none.
func noFlags(*pflag.FlagSet) {}

// parse parses the arguments of a subcommand and returns all that are no flags. If they are
// wrong or ask for help, it has answered that: ended is true, and status is the exit status.
func parse(m manual.Manual, args []string, stdout, stderr io.Writer) (others []string, status int, ended bool) {
	f := m.Flags()
	switch err := setting.ParseCommandLine(f, args); {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, m.Help())
		return nil, exitOK, true
	case err != nil:
		return nil, fail(stderr, err), true
	}
	return f.Args(), exitOK, false
}

// parseFiles is parse for a subcommand whose arguments are files, one to most.
func parseFiles(m manual.Manual, args []string, most int, stdout, stderr io.Writer) (paths []string, status int, ended bool) {
	paths, status, ended = parse(m, args, stdout, stderr)
	if ended {
		return nil, status, true
	}
	needs := "one file"
	if most > 1 {
		needs = fmt.Sprintf("1 to %d files", most)
	}
	if len(paths) < 1 || len(paths) > most {
		return nil, fail(stderr, fmt.Errorf("%s needs %s, not %d; see --help", m.Name, needs, len(paths))), true
	}
	if slices.Contains(paths, "") {
		return nil, fail(stderr, errors.New("the name of the file is empty")), true
	}
	return paths, exitOK, false
}

// subcommand is a command that ends by itself, rather than serve. run returns the exit status;
// manual describes it to --help, the man page and shells.
type subcommand struct {
	name   string
	run    func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
	manual func() manual.Manual
}
