package proxy

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Guard is what the clients of a pool may not do.
type Guard struct {
	// ReadOnly refuses all changes.
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

// refuses returns the error for a request that the clients of p may not send, empty if they
// may.
func (p *sharedPool) refuses(req *protocol.Request) string {
	v := catalog.Of(req)
	switch g := &p.guard; {
	case !g.on, v != nil && v.Local:
		return ""
	case v != nil && g.denied[v.Number]:
		return fmt.Sprintf("CLIENT_ERROR %s is not allowed in pool %s", v.Name, p.Name)
	case g.ReadOnly && (v != nil && !v.ReadOnly || v == nil && req.Changes()):
		return fmt.Sprintf("CLIENT_ERROR %s is not allowed: pool %s is read-only", req.Name(), p.Name)
	case g.NoFlush && req.Command == protocol.FlushAll:
		return fmt.Sprintf("CLIENT_ERROR flush_all not allowed in pool %s", p.Name)
	}
	return ""
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
	for rest := req.Words; ; {
		var key []byte
		if key, rest = protocol.NextWord(rest); len(key) == 0 {
			return ""
		}
		if refusal := r.of(key).pool.shared.refuses(req); refusal != "" {
			return refusal
		}
	}
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

// resetsNothing reports whether stats reset is refused.
func (r *routing) resetsNothing() bool {
	for _, p := range r.pools {
		if p.shared.Guard.NoStatsReset {
			return true
		}
	}
	return false
}
