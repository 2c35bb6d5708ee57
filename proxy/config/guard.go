package config

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Guard is what the clients of a pool may not do.
type Guard struct {
	// ReadOnly refuses all changes. No mg is sent to the upstreams, because a mg of a stale item changes
	// it: a client's mg is sent as a gets (front, plainget.go), and verbs read by gets too.
	ReadOnly bool
	// NoFlush refuses flush_all.
	NoFlush bool
	// NoStatsReset refuses stats reset.
	NoStatsReset bool
	// DeniedVerbs are the names of verbs that are refused.
	DeniedVerbs []string
}

// guard is a Guard in a form that is quick to check.
type guard struct {
	Guard
	on     bool // anything is refused
	denied [catalog.Most]bool
}

func newGuard(of Guard) guard {
	g := guard{Guard: of, on: of.ReadOnly || of.NoFlush || len(of.DeniedVerbs) > 0}
	for _, v := range catalog.All {
		g.denied[v.Number] = slices.Contains(of.DeniedVerbs, v.Name)
	}
	return g
}

// denies returns the name of the setting by which v is refused, empty if it is not.
func (g *guard) denies(v *verbs.Verb) (setting string) {
	switch {
	case v.Local:
		return ""
	case g.denied[v.Number]:
		return "verbs"
	case g.ReadOnly && !v.ReadOnly:
		return "read-only"
	}
	return ""
}
