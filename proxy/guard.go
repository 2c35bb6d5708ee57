package proxy

import (
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/protocol"
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

// refuses returns the error for a request that the clients of p may not send, empty if they
// may.
func (p *sharedPool) refuses(req *protocol.Request) string {
	setting := ""
	switch g, v := &p.guard, catalog.Of(req); {
	case !g.on:
		return ""
	case v != nil:
		setting = g.denies(v)
	case g.ReadOnly && req.Changes():
		setting = "read-only"
	case g.NoFlush && req.Command == protocol.FlushAll:
		setting = "flush"
	}
	switch {
	case setting != "":
		return p.refusal(req.Name(), setting)
	case p.guard.ReadOnly && req.Command == protocol.MetaGet && req.Unplain() != 0:
		return p.refusal(fmt.Sprintf("mg with the flag %c", req.Unplain()), "read-only")
	}
	return ""
}

// refusesTime returns the error for a mg that carries a verb of p and asks for the time to live, empty for any
// other request and where that is known.
func (p *sharedPool) refusesTime(req *protocol.Request) string {
	if p.guard.ReadOnly && req.Command == protocol.MetaGet && req.HasFlag('t') {
		return p.refusal("mg with the flag t", "read-only")
	}
	return ""
}

// refusal returns the error for what the clients of p may not do.
func (p *sharedPool) refusal(what, setting string) string {
	return fmt.Sprintf("CLIENT_ERROR %s is not allowed in pool %s by its setting %s", what, p.Name, setting)
}

// refuses returns the error for a request that a client of r may not send, empty if it may.
func (r *routing) refuses(req *protocol.Request) string {
	if r.strips {
		if refusal := r.bare(req); refusal != "" {
			return refusal
		}
	}
	if !r.guarded {
		return ""
	}
	if req.Command == protocol.FlushAll {
		return r.refusesIn(req, r.pools)
	}
	if !req.Command.Retrieval() {
		return r.target(req.Key).pool.shared.refuses(req)
	}
	for key := range protocol.Words(req.Words) {
		if refusal := r.of(key).pool.shared.refuses(req); refusal != "" {
			return refusal
		}
	}
	return ""
}

// refusesIn returns the first error of pools for req.
func (r *routing) refusesIn(req *protocol.Request, pools []*loopPool) string {
	for _, p := range pools {
		if refusal := p.shared.refuses(req); refusal != "" {
			return refusal
		}
	}
	return ""
}

// refusesReset returns the error for stats reset, empty if it is allowed.
func (r *routing) refusesReset() string {
	for _, p := range r.pools {
		if p.shared.Guard.NoStatsReset {
			return p.shared.refusal("stats reset", "stats-reset")
		}
	}
	return ""
}

// help returns the answer to help with a word, or with an empty one for none: the verbs that at
// least one of the pools allows.
func (r *routing) help(word []byte) string {
	return catalog.Help(word, func(v *verbs.Verb) bool {
		return slices.ContainsFunc(r.pools, func(p *loopPool) bool { return p.shared.guard.denies(v) == "" })
	})
}
