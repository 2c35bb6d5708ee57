package route

import (
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Refuses returns the error for a request that a client of r may not send, empty if it may.
func (r *Table) Refuses(req *protocol.Request) string {
	if req.Verb != nil {
		if refusal := r.spaced(req); refusal != "" {
			return refusal
		}
	}
	if r.Strips {
		if refusal := r.bare(req); refusal != "" {
			return refusal
		}
	}
	if !r.Guarded {
		return ""
	}
	if req.Command == protocol.FlushAll {
		return r.refusesIn(req, r.pools)
	}
	if !req.Command.Retrieval() {
		return r.Target(req.Key).Pool.Shared.Refuses(req)
	}
	for key := range protocol.Words(req.Words) {
		if refusal := r.of(key).pool.Shared.Refuses(req); refusal != "" {
			return refusal
		}
	}
	return ""
}

// spaced returns the error for a verb on a key in a namespace that is too long, or for one on a namespace if the key is none;
// otherwise it is empty.
func (r *Table) spaced(verb *protocol.Request) string {
	if v := catalog.Of(verb); v != nil && v.Everywhere {
		return r.noNamespace(verb.Key)
	}
	if !r.Spaced {
		return ""
	}
	if !execution.TakesKeys(verb) {
		return spacedKey(verb.Key, r.Target(verb.Key))
	}
	for key := range protocol.Words(verb.Words) {
		if refusal := spacedKey(key, r.Target(key)); refusal != "" {
			return refusal
		}
	}
	return ""
}

// noNamespace returns the error for a verb on a namespace whose key is none, empty if it is one.
func (r *Table) noNamespace(key []byte) string {
	if len(key) == 0 {
		return ""
	}
	to := r.Target(key)
	patterns := to.Pool.Shared.Namespaces
	switch {
	case to.Namespace > 0 && to.Namespace == len(to.Stored(key)):
		return ""
	case len(patterns) == 0:
		return fmt.Sprintf("CLIENT_ERROR pool %s has no namespaces: see the setting namespaces", to.Pool.Shared.Name)
	}
	return fmt.Sprintf("CLIENT_ERROR %s is no namespace; the namespaces of pool %s are %v", key, to.Pool.Shared.Name, patterns)
}

// spacedKey returns the error for a key that is too long for its namespace.
func spacedKey(key []byte, to Target) string {
	if to.Namespace == 0 || len(to.Stored(key)) <= protocol.MaxKey-namespace.Length {
		return ""
	}
	return namespace.TooLong(protocol.MaxKey - namespace.Length + len(key) - len(to.Stored(key)))
}

// refusesIn returns the first error of pools for req.
func (r *Table) refusesIn(req *protocol.Request, pools []*Pool) string {
	for _, p := range pools {
		if refusal := p.Shared.Refuses(req); refusal != "" {
			return refusal
		}
	}
	return ""
}

// RefusesReset returns the error for stats reset, empty if it is allowed.
func (r *Table) RefusesReset() string {
	for _, p := range r.pools {
		if p.Shared.Guard.NoStatsReset {
			return p.Shared.Refusal("stats reset", "stats-reset")
		}
	}
	return ""
}

// Help returns the answer to help with a word, which may be empty: the verbs that at least one of
// the pools allows.
func (r *Table) Help(word []byte) string {
	return catalog.Help(word, func(v *verbs.Verb) bool {
		return slices.ContainsFunc(r.pools, func(p *Pool) bool { return !p.Shared.Denies(v) })
	})
}

// Apart returns the error for a verb whose keys, words, can't be used together because they are in
// several pools or different prefixes are stripped from them. It is empty if they can.
func (r *Table) Apart(words []byte) (refusal string) {
	if len(r.pools) == 1 && !r.Strips {
		return ""
	}
	var first *way
	for key := range protocol.Words(words) {
		switch to := r.of(key); {
		case first == nil:
			first = to
		case to.pool != first.pool:
			return SeveralPools
		case to != first && to.cut+first.cut > 0:
			return SeveralPrefixes
		}
	}
	return ""
}

// SeveralPools is the error for a verb whose keys are in several pools.
const SeveralPools = "CLIENT_ERROR the keys are in several pools; ask for those of each pool by themselves"

// SeveralPrefixes is the error for a verb with keys from which different prefixes are stripped.
const SeveralPrefixes = "CLIENT_ERROR the keys are of several routes, of which one strips its prefix; ask for those of each route by themselves"

// RefusesCarried returns the error for a verb that is carried to a pool, empty if it may be run.
func (r *Table) RefusesCarried(verb *protocol.Request, to *Pool) string {
	if refusal := to.Shared.Refuses(verb); refusal != "" {
		return refusal
	}
	if refusal := r.spaced(verb); refusal != "" {
		return refusal
	}
	if refusal := r.bare(verb); refusal != "" || !execution.TakesKeys(verb) {
		return refusal
	}
	return r.Apart(verb.Words)
}

// RefusesNamed sets verb to the request that key names in a retrieval by command, and returns the error line if that is
// refused.
func (r *Table) RefusesNamed(command protocol.Command, key []byte, verb *protocol.Request) string {
	if refusal := r.Keys.Read(command, key, verb); refusal != "" {
		return refusal
	}
	return r.RefusesCarried(verb, r.Target(verb.Key).Pool)
}
