package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
)

// manual is what a command tells of itself. --help prints it, the man page has those of all
// commands, and shells complete its flags.
type manual struct {
	name     string   // what calls it: memverbs, or memverbs and a subcommand
	about    string   // what it is or does, in a few words
	usage    []string // how it is called
	text     string   // more about it, in lines that fit a terminal
	examples []term
	groups   []group
	more     []group // what only the man page has: terms that nobody types
}

// group is a titled part of a manual: either flags or terms.
type group struct {
	title string
	flags *pflag.FlagSet
	terms []term
}

// term is something to type, and what it means.
type term struct{ name, meaning string }

// subcommandFlags returns the flags of a subcommand, those that define defines and --help, as a
// group.
func subcommandFlags(define func(f *pflag.FlagSet)) group {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	define(f)
	f.BoolP("help", "h", false, "print this and exit")
	return group{title: "Flags", flags: f}
}

// noFlags defines none.
func noFlags(*pflag.FlagSet) {}

// flags returns the flags of all groups.
func (m manual) flags() *pflag.FlagSet {
	all := pflag.NewFlagSet(m.name, pflag.ContinueOnError)
	for _, g := range m.groups {
		all.AddFlagSet(g.flags)
	}
	return all
}

// parse parses the arguments of a subcommand and returns those that are no flags. If they are
// wrong or ask for help, it has answered that: ended is true, and status is the exit status.
func (m manual) parse(args []string, stdout, stderr io.Writer) (others []string, status int, ended bool) {
	f := m.flags()
	switch err := setting.ParseCommandLine(f, args); {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, m.help())
		return nil, exitOK, true
	case err != nil:
		return nil, fail(stderr, err), true
	}
	return f.Args(), exitOK, false
}

// parseFiles is parse for a subcommand whose arguments are files, one to most.
func (m manual) parseFiles(args []string, most int, stdout, stderr io.Writer) (paths []string, status int, ended bool) {
	paths, status, ended = m.parse(args, stdout, stderr)
	if ended {
		return nil, status, true
	}
	needs := "one file"
	if most > 1 {
		needs = fmt.Sprintf("1 to %d files", most)
	}
	if len(paths) < 1 || len(paths) > most {
		return nil, fail(stderr, fmt.Errorf("%s needs %s, not %d; see --help", m.name, needs, len(paths))), true
	}
	if slices.Contains(paths, "") {
		return nil, fail(stderr, errors.New("the name of the file is empty")), true
	}
	return paths, exitOK, false
}

// help returns the text of --help.
func (m manual) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\nUsage:\n", m.name, m.about)
	for _, line := range m.usage {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprintf(&b, "\n%s\n", m.text)
	if len(m.examples) > 0 {
		b.WriteString("\nTry it:\n")
		writeTerms(&b, "  ", m.examples)
	}
	for _, g := range m.groups {
		fmt.Fprintf(&b, "\n%s:\n", g.title)
		if g.flags != nil {
			b.WriteString(g.flags.FlagUsages())
		}
		writeTerms(&b, "      ", g.terms)
	}
	return b.String()
}

// writeTerms writes terms and their meanings in two columns.
func writeTerms(b *strings.Builder, indent string, terms []term) {
	width := 0
	for _, t := range terms {
		width = max(width, len(t.name)+2)
	}
	for _, t := range terms {
		meaning := strings.ReplaceAll(t.meaning, "\n", "\n"+indent+strings.Repeat(" ", width))
		fmt.Fprintf(b, "%s%-*s%s\n", indent, width, t.name, meaning)
	}
}
