package settings

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/config"
)

// answers is the settings of what is answered without a server.
type answers struct{ near []byprefix.Duration }

// longestNear is the longest time for which a value may be kept. Nobody but this process tells it of changes.
const longestNear = time.Hour

func (a *answers) define(f *pflag.FlagSet) {
	setting.DefinePairs(f, &a.near, durations(), "near", "the process may answer gets of keys with a prefix, such as config:, with what it found at most so long\nago, such as 1s; what its own clients change they see at once")
	setting.Sample(f, "near", `{"config:": 1s}`)
	setting.AtOnce(f, "near")
}

// durations is the kind of prefixes with durations.
func durations() setting.Kind[byprefix.Duration] {
	read := setting.Duration(time.Millisecond).Read
	return setting.Kind[byprefix.Duration]{Name: "prefix=duration", Read: func(text string) (byprefix.Duration, error) {
		prefix, lasts, ok := setting.CutPair(text)
		if !ok {
			return byprefix.Duration{}, fmt.Errorf("%q is no prefix with a duration, like config:=1s", text)
		}
		d, err := read(lasts)
		switch {
		case err != nil:
			return byprefix.Duration{}, err
		case d > longestNear:
			return byprefix.Duration{}, fmt.Errorf("%q is longer than %v, the longest time for which a value may be kept", lasts, longestNear)
		case prefix != "":
			err = checkPrefix(prefix)
		}
		return byprefix.Duration{Text: prefix, For: d}, err
	}, Show: func(p byprefix.Duration) string { return fmt.Sprintf("%s=%v", p.Text, p.For) }}
}

// checkNear refuses a prefix that is given twice. In a file it can't be.
func (a *answers) checkNear() error {
	given := map[string]bool{}
	for _, p := range a.near {
		if given[p.Text] {
			return fmt.Errorf("the prefix %q is given twice", p.Text)
		}
		given[p.Text] = true
	}
	return nil
}

// add adds the settings to those of a pool.
func (a *answers) add(p *config.Pool) { p.Near = a.near }
