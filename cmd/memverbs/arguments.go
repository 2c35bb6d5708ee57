package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
)

// subcommand is a command that ends by itself, rather than serve. The manual describes it to --help, the man page
// and shells.
type subcommand struct {
	manual.Manual
	run func(args []string, to streams) error // args are those that are no flags
}

// streams are where a command reads, and where it writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// newSubcommand returns a subcommand with the flags that define defines, if it is not nil, and --help.
func newSubcommand(m manual.Manual, define func(f *pflag.FlagSet), run func(args []string, to streams) error) subcommand {
	f := setting.NewSet("Flags")
	if define != nil {
		define(f)
	}
	f.BoolP("help", "h", false, "print this and exit")
	m.Groups = append([]manual.Group{{Title: f.Name(), Flags: f}}, m.Groups...)
	return subcommand{m, run}
}

// name is what calls the subcommand, after memverbs.
func (s *subcommand) name() string { return strings.TrimPrefix(s.Name, "memverbs ") }

// execute carries the subcommand out, given all its arguments, and returns the exit status.
func (s *subcommand) execute(args []string, to streams) int {
	f := s.Flags()
	err := setting.ParseCommandLine(f, args)
	if err == nil {
		err = s.run(f.Args(), to)
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(to.out, s.Help())
		return exitOK
	case errors.Is(err, errMisfit):
		return exitMisfit
	}
	return fail(to.err, err)
}

// checkFiles refuses arguments of a command that are not files, one to most.
func checkFiles(command string, paths []string, most int) error {
	needs := "one file"
	if most > 1 {
		needs = fmt.Sprintf("1 to %d files", most)
	}
	if len(paths) < 1 || len(paths) > most {
		return fmt.Errorf("memverbs %s needs %s, not %d; see --help", command, needs, len(paths))
	}
	if slices.Contains(paths, "") {
		return errors.New("the name of the file is empty")
	}
	return nil
}

// printText prints text.
func printText(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}
