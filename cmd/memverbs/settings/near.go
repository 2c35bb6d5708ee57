package settings

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/config"
)

// answers is the settings of what is answered without a server, and of what waits for other clients.
type answers struct{ near, holdMisses []byprefix.Duration }

const (
	// longestNear is the longest time for which a value may be kept. Nobody but this process tells it of changes.
	longestNear = time.Hour
	// longestHold is the longest time for which a get may wait.
	longestHold = time.Minute
)

func (a *answers) define(f *pflag.FlagSet) {
	near := durations{"config:=1s", longestNear, "for which a value may be kept"}
	setting.DefinePairs(f, &a.near, near.kind().Sample(`{"config:": 1s}`).AtOnce(), "near", "the process may answer gets of keys with a prefix, such as config:, with what it found at most so long\nago, such as 1s; what its own clients change they see at once")
	holds := durations{"page:=500ms", longestHold, "for which a get may wait"}
	setting.DefinePairs(f, &a.holdMisses, holds.kind().Sample(`{"page:": 500ms}`).AtOnce(), "hold-misses", "when a get has missed a key with a prefix, such as page:, gets of it by other clients wait until it is\nstored, at most so long, such as 500ms")
}

// durations are prefixes with durations.
type durations struct {
	example string
	longest time.Duration
	of      string // what that is the longest time of
}

// kind is the kind of one of them.
func (d durations) kind() setting.Kind[byprefix.Duration] {
	return setting.Kind[byprefix.Duration]{Name: "prefix=duration", Read: d.read, Show: func(p byprefix.Duration) string { return fmt.Sprintf("%s=%v", p.Text, p.For) }}
}

func (d durations) read(text string) (p byprefix.Duration, err error) {
	prefix, lasts, ok := setting.CutPair(text)
	if !ok {
		return p, fmt.Errorf("%q is no prefix with a duration, like %s", text, d.example)
	}
	p.Text = prefix
	p.For, err = setting.Duration(time.Millisecond).Read(lasts)
	switch {
	case err != nil:
		return p, err
	case p.For > d.longest:
		return p, fmt.Errorf("%q is longer than %v, the longest time %s", lasts, d.longest, d.of)
	case prefix != "":
		err = checkPrefix(prefix)
	}
	return p, err
}

// checkPrefixes refuses a prefix that is given twice. In a file it can't be.
func checkPrefixes(list []byprefix.Duration) error {
	given := map[string]bool{}
	for _, p := range list {
		if given[p.Text] {
			return fmt.Errorf("the prefix %q is given twice", p.Text)
		}
		given[p.Text] = true
	}
	return nil
}

// add adds the settings to those of a pool.
func (a *answers) add(p *config.Pool) { p.Near, p.HoldMisses = a.near, a.holdMisses }
