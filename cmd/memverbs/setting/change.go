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

// exact is a value whose text is another one whenever the value is.
type exact interface{ exact() string }

// Texts returns the settings of a set whose names are wanted. Two of the same set are equal only if all
// values are, whatever the values themselves consist of: so nobody who compares settings can forget one.
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
