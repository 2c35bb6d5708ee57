package proxy

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

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
		return r.target(req.Key).pool.shared.Refuses(req)
	}
	for key := range protocol.Words(req.Words) {
		if refusal := r.of(key).pool.shared.Refuses(req); refusal != "" {
			return refusal
		}
	}
	return ""
}

// refusesIn returns the first error of pools for req.
func (r *routing) refusesIn(req *protocol.Request, pools []*loopPool) string {
	for _, p := range pools {
		if refusal := p.shared.Refuses(req); refusal != "" {
			return refusal
		}
	}
	return ""
}

// refusesReset returns the error for stats reset, empty if it is allowed.
func (r *routing) refusesReset() string {
	for _, p := range r.pools {
		if p.shared.Guard.NoStatsReset {
			return p.shared.Refusal("stats reset", "stats-reset")
		}
	}
	return ""
}

// help returns the answer to help with a word, or with an empty one for none: the verbs that at
// least one of the pools allows.
func (r *routing) help(word []byte) string {
	return catalog.Help(word, func(v *verbs.Verb) bool {
		return slices.ContainsFunc(r.pools, func(p *loopPool) bool { return !p.shared.Denies(v) })
	})
}
