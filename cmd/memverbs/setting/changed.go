package setting

import (
	"slices"

	"github.com/spf13/pflag"
)

// Text is the name of a setting and its value as a text, set or by default.
type Text struct {
	Name, Text string
	// AtOnce says that a change takes effect at a reload, without a new process or new connections.
	AtOnce bool
}

// exact is a value with a text that differs whenever the value differs.
type exact interface{ exact() string }

// Texts returns the wanted settings of a set as texts. The texts are equal only if all values are, so
// that a comparison can't forget a setting.
func Texts(f *pflag.FlagSet, wanted func(name string) bool) (list []Text) {
	f.VisitAll(func(f *pflag.Flag) {
		if wanted(f.Name) {
			_, atOnce := f.Annotations[atOnce]
			list = append(list, Text{f.Name, f.Value.(exact).exact(), atOnce})
		}
	})
	return list
}

// Changed returns those settings of after that differ from those before.
func Changed(before, after []Text) []Text {
	return slices.DeleteFunc(slices.Clone(after), func(t Text) bool { return slices.Contains(before, t) })
}
