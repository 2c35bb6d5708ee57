package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
)

// README.md has a table of the keys of each kind of mapping in a file, as they are defined.
func TestDocumentedKeys(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings.EmptySections().All() {
		var table strings.Builder
		s.VisitAll(func(f *pflag.Flag) { table.WriteString(row(f)) })
		if !strings.Contains(string(text), "\n"+table.String()+"\n") {
			t.Errorf("README.md does not have these rows, of what belongs %s:\n%s", s.Name(), table.String())
		}
	}
}

// README.md has the last part of --help as it is, indented.
func TestDocumentedHelp(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	help := ownManual(settings.NewFlags()).Help()
	var part strings.Builder
	for line := range strings.Lines(help[strings.Index(help, "\nWhere to listen:\n"):]) {
		if line != "\n" {
			part.WriteString("    ")
		}
		part.WriteString(line)
	}
	if !strings.Contains(string(text), "\n"+part.String()+"\n`") {
		t.Errorf("README.md does not have this part of --help, and nothing beside it:\n%s", part.String())
	}
}

// row returns the row of the table for a setting.
func row(f *pflag.Flag) string {
	d := setting.Describe(f)
	initially := "`" + d.Initial + "`"
	switch d.Initial {
	case "":
		initially = "none"
	case "half the cores":
		initially = d.Initial
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |\n", d.Name, d.Value, initially, strings.ReplaceAll(d.Help, "<", "\\<"))
}

// Every flag has its place in a file, but those that make no sense there.
func TestFlagsAreKeys(t *testing.T) {
	t.Parallel()
	var keys []string
	for _, s := range settings.EmptySections().All() {
		keys = append(keys, s.Keys()...)
	}
	for _, part := range settings.NewFlags().Parts {
		part.VisitAll(func(f *pflag.Flag) {
			name := f.Name
			switch name {
			case "embedded-memory", "config", "version", "help":
				return
			case "upstream":
				name = "servers"
			}
			if !slices.Contains(keys, name) {
				t.Errorf("--%s has no key in a file", f.Name)
			}
		})
	}
}
