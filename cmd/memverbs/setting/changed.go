package setting

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/proxy/config"
)

// Texts returns the wanted settings of a set as texts. The texts are equal only if all values are, so
// that a comparison can't forget a setting.
func Texts(f *pflag.FlagSet, wanted func(name string) bool) (list []config.Setting) {
	f.VisitAll(func(f *pflag.Flag) {
		if wanted(f.Name) {
			value := f.Value.(defined)
			list = append(list, config.Setting{Name: f.Name, Text: value.exact(), AtOnce: value.changesAtOnce()})
		}
	})
	return list
}

// Changed returns those settings of after that differ from those before.
func Changed(before, after []config.Setting) []config.Setting {
	return slices.DeleteFunc(slices.Clone(after), func(s config.Setting) bool { return slices.Contains(before, s) })
}
