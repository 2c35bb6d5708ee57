package settings

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// guards is the settings of what clients of a pool may not do.
type guards struct {
	readOnly   bool
	flush      string
	statsReset string
	verbs      []string
}

// The values of settings that permit something, and the values of verbs that are not names of
// verbs.
const (
	allow   = "allow"
	deny    = "deny"
	allOf   = "all"
	noneOf  = "none"
	verbsIs = "the `verbs` that clients may use: all, none, or a list of names"
)

// define defines the settings. flush is the default of that setting.
func (g *guards) define(f *pflag.FlagSet, flush string) {
	setting.Define(f, &g.readOnly, false, setting.YesOrNo(), "read-only", "refuse everything that may change an item")
	f.Lookup("read-only").NoOptDefVal = "true"
	setting.Define(f, &g.flush, flush, setting.OneOf(allow, deny).AtOnce(), "flush", "whether clients may send flush_all: allow or deny")
	setting.Define(f, &g.statsReset, allow, setting.OneOf(allow, deny).AtOnce(), "stats-reset", "whether clients may send stats reset: allow or deny")
	setting.DefineWords(f, &g.verbs, []string{allOf}, setting.Checked(checkVerb).AtOnce(), "verbs", verbsIs)
}

// verbNames are the names of the verbs that can be refused.
func verbNames() (names []string) {
	for _, v := range catalog.All {
		if !v.Local {
			names = append(names, v.Name)
		}
	}
	return names
}

func checkVerb(name string) error {
	if name == allOf || name == noneOf {
		return nil
	}
	if isCommand(name) {
		return fmt.Errorf("%q is a command of memcached, which this setting does not concern: name verbs only, such as those that help lists", name)
	}
	if known := verbNames(); !slices.Contains(known, name) {
		if best := setting.Nearest(name, append(known, allOf, noneOf)); best != "" {
			return fmt.Errorf("no verb %q; is %q meant?", name, best)
		}
		return fmt.Errorf("no verb %q: memverbs tells a client that sends help which there are", name)
	}
	return nil
}

// isCommand reports whether memcached itself has a command of that name.
func isCommand(name string) bool {
	for c := protocol.Get; c < protocol.Extra; c++ {
		if c.String() == name {
			return true
		}
	}
	return false
}

// check refuses "all" or "none" together with names of verbs.
func (g *guards) check() error {
	if len(g.verbs) > 1 && (slices.Contains(g.verbs, allOf) || slices.Contains(g.verbs, noneOf)) {
		return errors.New("all and none can't be combined with other verbs")
	}
	return nil
}

// guard converts the settings.
func (g *guards) guard() config.Guard {
	c := config.Guard{ReadOnly: g.readOnly, NoFlush: g.flush == deny, NoStatsReset: g.statsReset == deny}
	if !slices.Contains(g.verbs, allOf) {
		c.DeniedVerbs = slices.DeleteFunc(verbNames(), func(name string) bool { return slices.Contains(g.verbs, name) })
	}
	return c
}
