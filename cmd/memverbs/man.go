package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

func manManual() manual {
	return manual{
		name:  "memverbs man",
		about: "print the manual page of memverbs, or that of its file with settings",
		usage: []string{"memverbs man [memverbs.yml]"},
		text: "To read them without installing them: memverbs man | man -l -, and memverbs man memverbs.yml |\n" +
			"man -l - for the file.",
		groups: []group{subcommandFlags(noFlags)},
	}
}

// man is the subcommand that prints a manual page. It returns the exit status.
func man(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	args, status, ended := manManual().parse(args, stdout, stderr)
	if ended {
		return status
	}
	page := manPage
	switch {
	case slices.Equal(args, []string{"memverbs.yml"}):
		page = filePage
	case len(args) > 0:
		return fail(stderr, fmt.Errorf("unexpected argument %q: the pages are that of memverbs, without an argument, and memverbs.yml", args[0]))
	}
	if _, err := io.WriteString(stdout, page()); err != nil {
		return fail(stderr, fmt.Errorf("printing: %w", err))
	}
	return exitOK
}

// manPage returns the manual page of memverbs, made of all manuals, in the language of man(7).
func manPage() string {
	m := ownManual(newOptions())
	p := &page{}
	p.line(".TH MEMVERBS 1 \"%s\" \"memverbs %s\" \"User Commands\"", date, roff(version))
	p.line(".SH NAME\n%s \\- %s", m.name, roff(m.about))
	p.line(".SH SYNOPSIS")
	p.lines(m.usage)
	p.line(".SH DESCRIPTION\n%s", roff(m.text))
	p.line(".SH OPTIONS")
	p.groups(m.groups)
	for _, s := range subcommands() {
		of := s.manual()
		p.line(".SH %s\n%s.\n.PP", strings.ToUpper(of.name), roff(of.about))
		p.lines(of.usage)
		p.line(".PP\n%s", roff(of.text))
		p.groups(of.groups)
	}
	for _, g := range m.more {
		p.line(".SH %s", strings.ToUpper(g.title))
		p.terms(g.terms)
	}
	p.line(".SH EXAMPLES")
	p.terms(m.examples)
	p.line(".SH SEE ALSO\n.BR memverbs.yml (5),\n.BR memcached (1)")
	return p.String()
}

// page is a manual page being written.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// lines writes lines that are not to be joined.
func (p *page) lines(lines []string) {
	p.line(".nf")
	for _, l := range lines {
		p.line("%s", roff(l))
	}
	p.line(".fi")
}

func (p *page) groups(groups []group) {
	for _, g := range groups {
		p.line(".SS %s", roff(g.title))
		if g.flags != nil {
			g.flags.VisitAll(p.flag)
		}
		p.terms(g.terms)
	}
}

func (p *page) terms(terms []term) {
	for _, t := range terms {
		p.line(".TP\n\\fB%s\\fR\n%s", roff(t.name), roff(t.meaning))
	}
}

func (p *page) flag(f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
		usage += " (default " + f.DefValue + ")"
	}
	heading := `\fB` + roff(name) + `\fR`
	if value != "" {
		heading += ` \fI` + roff(value) + `\fR`
	}
	p.line(".TP\n%s\n%s", heading, roff(usage))
}

// roff returns text as man(7) wants it, so that no part of it is taken for a command.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
