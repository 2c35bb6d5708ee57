package setting

import (
	"strings"

	"github.com/spf13/pflag"
)

// Described is what people read about a setting.
type Described struct {
	Name    string
	Value   string // what kind of value it has
	Initial string // its default; empty if there is none
	Help    string // on one line
}

// Describe returns what people read about a setting, which has some help.
func Describe(f *pflag.Flag) Described {
	value, help := pflag.UnquoteUsage(f)
	if f.Value.Type() == "bool" {
		value = "true or false"
	}
	if IsMapping(f) {
		value = "mapping: " + strings.Replace(value, "=", ": ", 1)
	} else if _, is := f.Value.(elements); is {
		value = "list: " + value
	}
	return Described{f.Name, value, f.DefValue, strings.ReplaceAll(help, "\n", " ")}
}

// Sentence returns the help as a sentence.
func (d Described) Sentence() string {
	return strings.ToUpper(d.Help[:1]) + d.Help[1:] + "."
}
