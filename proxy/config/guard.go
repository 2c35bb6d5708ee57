package config

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Guard is what the clients of a pool may not do.
type Guard struct {
	// ReadOnly refuses all changes. A mg is answered without asking for it, see plainGet, and verbs read
	// without it.
	ReadOnly bool
	// NoFlush refuses flush_all.
	NoFlush bool
	// NoStatsReset refuses stats reset.
	NoStatsReset bool
	// DeniedVerbs are the names of verbs that are refused.
	DeniedVerbs []string
}

// guard is a Guard as requests are checked by it.
type guard struct {
	Guard
	on     bool // anything is refused
	denied [catalog.Most]bool
}

func newGuard(of Guard) guard {
	g := guard{Guard: of, on: of.ReadOnly || of.NoFlush || len(of.DeniedVerbs) > 0}
	for _, v := range catalog.All {
		for _, name := range of.DeniedVerbs {
			g.denied[v.Number] = g.denied[v.Number] || v.Name == name
		}
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
