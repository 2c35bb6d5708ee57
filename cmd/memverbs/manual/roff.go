package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Page is a manual page being written.
type Page struct{ strings.Builder }

// Line writes a line.
func (p *Page) Line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// Lines writes lines that are not to be joined.
func (p *Page) Lines(lines []string) {
	p.Line(".nf")
	for _, l := range lines {
		p.Line("%s", Roff(l))
	}
	p.Line(".fi")
}

// Groups writes groups with their titles.
func (p *Page) Groups(groups []Group) {
	for _, g := range groups {
		p.Line(".SS %s", Roff(g.Title))
		if g.Flags != nil {
			g.Flags.VisitAll(p.flag)
		}
		p.Terms(g.Terms)
	}
}

// Terms writes terms with what they mean.
func (p *Page) Terms(terms []Term) {
	for _, t := range terms {
		p.Line(".TP\n\\fB%s\\fR\n%s", Roff(t.Name), Roff(t.Meaning))
	}
}

func (p *Page) flag(f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
		usage += " (default " + f.DefValue + ")"
	}
	heading := `\fB` + Roff(name) + `\fR`
	if value != "" {
		heading += ` \fI` + Roff(value) + `\fR`
	}
	p.Line(".TP\n%s\n%s", heading, Roff(usage))
}

// Roff returns text as man(7) wants it, so that no part of it is taken for a command.
func Roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}

// Paragraphs writes paragraphs of text.
func (p *Page) Paragraphs(texts ...string) {
	for i, text := range texts {
		if i > 0 {
			p.Line(".PP")
		}
		p.Line("%s", Roff(text))
	}
}
