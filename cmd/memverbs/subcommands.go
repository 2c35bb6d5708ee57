package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

// subcommand is a command that ends by itself, rather than serve. run returns the exit status.
type subcommand struct {
	name, usage, about string
	run                func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

var subcommands = []subcommand{
	{"check", "file", "tell what is wrong with a file for --config", check},
	{"import", "[-o file] nutcracker.yml", "make such a file from twemproxy's", convert},
	{"locate", "[flags] [key...]", "tell which server has a key; see memverbs locate --help", locate},
	{"verify", "[flags]", "tell whether a layout fits a pool; see memverbs verify --help", verifyPool},
}

// subcommandOf returns the subcommand that the arguments begin with, nil if there is none.
func subcommandOf(args []string) *subcommand {
	for i := range subcommands {
		if len(args) > 0 && args[0] == subcommands[i].name {
			return &subcommands[i]
		}
	}
	return nil
}

// usages returns the lines of --help on subcommands.
func usages() string {
	var b strings.Builder
	for _, c := range subcommands {
		fmt.Fprintf(&b, "  memverbs %-32s # %s\n", c.name+" "+c.usage, c.about)
	}
	return b.String()
}

// parseFile parses the arguments of a subcommand that takes one file. done is true if it has
// nothing to do, and status is its exit status then.
func parseFile(f *pflag.FlagSet, help string, args []string, stdout, stderr io.Writer) (path string, done bool, status int) {
	f.BoolP("help", "h", false, "print this and exit")
	switch err := parseFlags(f, args); {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help+"\nFlags:\n"+f.FlagUsages())
		return "", true, exitOK
	case err != nil:
		return "", true, fail(stderr, err)
	case f.NArg() != 1:
		return "", true, fail(stderr, fmt.Errorf("%s needs one file, not %d; see --help", f.Name(), f.NArg()))
	}
	return f.Arg(0), false, exitOK
}
