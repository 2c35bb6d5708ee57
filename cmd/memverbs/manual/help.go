package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Manual describes a command. --help prints it, the man page has those of all commands, and shells
// complete its flags.
type Manual struct {
	Name     string   // the command: memverbs, or memverbs and a subcommand
	About    string   // what it is or does, in a few words
	Usage    []string // how it is called
	Text     string   // more about it, in lines that fit a terminal
	Examples []Term
	Groups   []Group
	More     []Group // what only the man page has: terms that nobody types
}

// Group is a titled part of a manual: either flags or terms.
type Group struct {
	Title string
	Flags *pflag.FlagSet
	Terms []Term
}

// Term is something to type, and what it means.
type Term struct{ Name, Meaning string }

// Flags returns the flags of all groups.
func (m Manual) Flags() *pflag.FlagSet {
	all := pflag.NewFlagSet(m.Name, pflag.ContinueOnError)
	for _, g := range m.Groups {
		all.AddFlagSet(g.Flags)
	}
	return all
}

// Help returns the text of --help.
func (m Manual) Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\nUsage:\n", m.Name, m.About)
	for _, line := range m.Usage {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprintf(&b, "\n%s\n", m.Text)
	if len(m.Examples) > 0 {
		b.WriteString("\nTry it:\n")
		writeTerms(&b, "  ", m.Examples)
	}
	for _, g := range m.Groups {
		fmt.Fprintf(&b, "\n%s:\n", g.Title)
		if g.Flags != nil {
			b.WriteString(g.Flags.FlagUsages())
		}
		writeTerms(&b, "      ", g.Terms)
	}
	return b.String()
}

// writeTerms writes terms and their meanings in two columns.
func writeTerms(b *strings.Builder, indent string, terms []Term) {
	width := 0
	for _, t := range terms {
		width = max(width, len(t.Name)+2)
	}
	for _, t := range terms {
		meaning := strings.ReplaceAll(t.Meaning, "\n", "\n"+indent+strings.Repeat(" ", width))
		fmt.Fprintf(b, "%s%-*s%s\n", indent, width, t.Name, meaning)
	}
}
