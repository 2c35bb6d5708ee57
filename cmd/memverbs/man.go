package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
)

func manCommand() subcommand {
	return newSubcommand(manual.Manual{
		Name:  "memverbs man",
		About: "print the manual page of memverbs, or that of its file with settings",
		Usage: []string{"memverbs man [memverbs.yml]"},
		Text: "To read them without installing them: memverbs man | man -l -, and memverbs man memverbs.yml |\n" +
			"man -l - for the file.",
	}, nil, man)
}

// man prints a manual page.
func man(args []string, to streams) error {
	switch {
	case len(args) == 0:
		return printText(to.out, manPage())
	case slices.Equal(args, []string{"memverbs.yml"}):
		return printText(to.out, filePage())
	}
	return fmt.Errorf("unexpected argument %q: the pages are that of memverbs, without an argument, and memverbs.yml", args[0])
}

// manPage returns the manual page of memverbs, made of all manuals, in the language of man(7).
func manPage() string {
	m := ownManual(settings.NewFlags())
	p := &manual.Page{}
	p.Line(".TH MEMVERBS 1 \"%s\" \"memverbs %s\" \"User Commands\"", date, manual.Roff(version))
	p.Line(".SH NAME\n%s \\- %s", m.Name, manual.Roff(m.About))
	p.Line(".SH SYNOPSIS")
	p.Lines(m.Usage)
	p.Line(".SH DESCRIPTION\n%s", manual.Roff(m.Text))
	p.Line(".SH OPTIONS")
	p.Groups(m.Groups)
	for _, of := range subcommands() {
		p.Line(".SH %s\n%s.\n.PP", strings.ToUpper(of.Name), manual.Roff(of.About))
		p.Lines(of.Usage)
		p.Line(".PP\n%s", manual.Roff(of.Text))
		p.Groups(of.Groups)
	}
	for _, g := range m.More {
		p.Line(".SH %s", strings.ToUpper(g.Title))
		p.Terms(g.Terms)
	}
	p.Line(".SH EXAMPLES")
	p.Terms(m.Examples)
	p.Line(".SH SEE ALSO\n.BR memverbs.yml (5),\n.BR memcached (1)")
	return p.String()
}
