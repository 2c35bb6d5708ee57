package main

import (
	"strings"

	"github.com/spf13/pflag"
)

// described is what people read about a setting.
type described struct {
	name    string
	value   string // what kind of value it has
	initial string // its default; empty if there is none
	help    string // on one line
}

// describe returns what people read about a setting, which has some help.
func describe(f *pflag.Flag) described {
	value, help := pflag.UnquoteUsage(f)
	if f.Value.Type() == "bool" {
		value = "true or false"
	}
	if _, is := f.Value.(listValue); is {
		value = "list: " + value
	}
	return described{f.Name, value, f.DefValue, strings.ReplaceAll(help, "\n", " ")}
}

// sentence returns the help as a sentence.
func (d described) sentence() string {
	return strings.ToUpper(d.help[:1]) + d.help[1:] + "."
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
