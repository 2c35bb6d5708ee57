package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
)

func exampleCommand() subcommand {
	return newSubcommand(manual.Manual{
		Name:  "memverbs example",
		About: "print a file for --config that has every setting, with its default and what it is for",
		Usage: []string{"memverbs example"},
		Text:  "Packages install it as /etc/memverbs/memverbs.yml. What has a default is commented out.",
	}, nil, printExample)
}

// printExample prints an example of a file.
func printExample(args []string, to streams) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q; see --help", args[0])
	}
	return printText(to.out, exampleFile())
}

// exampleFile returns the example. A line that is commented out begins with #, or with # and several
// spaces, and a comment with # and one space.
func exampleFile() string {
	e, all := &example{}, settings.EmptySections()
	e.WriteString(`# The settings of memverbs, which memverbs.yml(5) describes too. What is commented out has its default, or is an
# example where there is none. After a change, "memverbs check" tells what is wrong with the file or what it means,
# and "systemctl reload memverbs", or a SIGHUP, has memverbs use it: a file with mistakes changes nothing.

pools:
  main:
    # At first, only programs of this machine can connect, and the only server is the memcached of this machine,
    # where Debian's listens.

`)
	e.section("    ", all.Pool, "listen", "servers")
	e.WriteString(`
  # Other pools. Their keys are reached through listeners, or at addresses of their own.
  #sessions:
  #  servers: ["127.0.0.1:11212"]
  #pages:
  #  servers: ["127.0.0.1:11213"]
  #far:
  #  servers: ["127.0.0.1:11214"]
  #users:
  #  servers: ["127.0.0.1:11215"]
  #trial:
  #  servers: ["127.0.0.1:11216"]

# Clients of these addresses use several pools, by the prefixes of keys. An element may also have what a pool has to
# tell of clients that use it alone, from socket-mode to verb-keys.
#listeners:
#  - listen: ["127.0.0.1:11411"]
#    routes:
#      # The pool of the keys without any of the prefixes. Of several prefixes that a key has, the longest counts.
#      "": main
#      "session:":
#        pool: sessions
`)
	e.setting("#        ", all.Route.Lookup("strip"), true)
	e.WriteString(`#      # Or several pools that all have the keys: get asks the first that is up, and the next after a miss or an error.
#      # set, delete and touch change all of them, everything else changes the first and deletes the others.
#      "page:":
#        copies: [pages, far]
#      # Or a pool, and a shadow to which requests on a share of the keys are sent too; its answers are only counted.
#      "user:":
#        pool: users
#        shadow: trial
#        share: 5%
`)
	e.WriteString("\n")
	e.section("", all.Top)
	return e.String()
}

// example is an example of a file that is being written.
type example struct{ strings.Builder }

// section writes the settings of a section. The settings that are given are not commented out.
func (e *example) section(indent string, s *setting.Section, given ...string) {
	for i, part := range s.Parts {
		if i > 0 {
			e.WriteString("\n")
		}
		fmt.Fprintf(e, "%s# ---- %s ----\n", indent, part.Name())
		part.VisitAll(func(f *pflag.Flag) {
			e.WriteString("\n")
			e.setting(indent, f, slices.Contains(given, f.Name))
		})
	}
}

// setting writes a setting, which is commented out unless it is given.
func (e *example) setting(indent string, f *pflag.Flag, given bool) {
	const width = 116
	d := setting.Describe(f)
	text := d.Sentence()
	sample, isDefault := setting.SampleOf(f)
	switch {
	case isDefault:
	case d.Initial != "":
		text += " The default is " + d.Initial + "."
	case !given:
		text += " There is no default."
	}
	for _, line := range wrapped(text, width-len(indent)) {
		fmt.Fprintf(e, "%s# %s\n", indent, line)
	}
	mark := "#"
	if given {
		mark = ""
	}
	fmt.Fprintf(e, "%s%s%s: %s\n", indent, mark, f.Name, valueText(f, sample))
}

// wrapped returns the words of a text in lines that have at most width bytes, unless a word is longer.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// plainValue matches values that need no quotes.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9/][A-Za-z0-9./_-]*$`)

// valueText returns the value of a setting as a file has it.
func valueText(f *pflag.Flag, text string) string {
	if setting.IsMapping(f) {
		return text
	}
	if setting.IsList(f) {
		return "[" + strconv.Quote(text) + "]"
	}
	if plainValue.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}
