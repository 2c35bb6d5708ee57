package proxy

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/passwords"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// routing tells which pool, and which of its upstreams, has a key, for the clients of one
// listener on one loop. It never changes: a reload replaces it.
type routing struct {
	routes  []route        // longest prefix first; the last has an empty prefix
	pools   []*loopPool    // those of the routes, each once
	members []*pool.Member // of the pools, one pool after another
	asked   []*pool.Member // members, and after them those of spare pools
	misses  []bool         // for each of asked, whether a get is a miss if it is down
	keys    *verbkeys.Keys // nil if no key names a verb
	guarded bool           // one of the pools refuses requests
	strips  bool           // one of the routes strips its prefix

	passwords *passwords.List // which clients have to show; nil if they don't

	idleTimeout time.Duration // of a client; 0 for none
}

// route says that the keys with a prefix are those of a pool.
type route struct {
	prefix []byte
	pool   *loopPool
	first  int // index among asked of the pool's first
	spare  int // the same for its spare pool
	cut    int // how many bytes of the keys, those of prefix or none, are stripped
}

// owner returns the upstream that owns key.
func (to *route) owner(key []byte) *pool.Member { return to.pool.Owner(key[to.cut:]) }

// target is where a request goes: to a pool, and to the upstream that owns its key; owner is
// nil if it has no key. absent, if not nil, is the one that owns it, which is down, while owner is that of the
// spare pool.
type target struct {
	pool   *loopPool
	owner  *pool.Member
	strips *route // by which the prefix of the key is stripped; nil if it is not
	absent *pool.Member
}

// newRouting returns the routing of a listener. pools are the loop's.
func newRouting(config *config.Listener, pools []*loopPool) *routing {
	r := &routing{idleTimeout: config.IdleTimeout, passwords: config.Passwords}
	if config.VerbKeys != "" {
		r.keys = verbkeys.New(config.VerbKeys)
	}
	for _, to := range config.Routes {
		i := slices.IndexFunc(pools, func(p *loopPool) bool { return p.shared.Name == to.Pool })
		way := route{prefix: []byte(to.Prefix), pool: pools[i], first: r.add(pools[i])}
		if to.Strip {
			way.cut, r.strips = len(way.prefix), true
		}
		r.routes = append(r.routes, way)
	}
	r.members = r.asked
	for i := range r.routes {
		if to := &r.routes[i]; to.pool.spare != nil {
			to.spare = r.ask(to.pool.spare)
		}
	}
	slices.SortFunc(r.routes, func(a, b route) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
	return r
}

// add adds a pool, and returns the index among asked of its first upstream.
func (r *routing) add(p *loopPool) (first int) {
	if !slices.Contains(r.pools, p) {
		r.pools = append(r.pools, p)
		r.guarded = r.guarded || p.shared.Guarded()
	}
	return r.ask(p)
}

// ask adds the upstreams of a pool to asked, and returns the index of the first.
func (r *routing) ask(p *loopPool) (first int) {
	if first = slices.Index(r.asked, p.All[0]); first >= 0 {
		return first
	}
	first = len(r.asked)
	r.asked = append(r.asked, p.All...)
	for range p.All {
		r.misses = append(r.misses, p.shared.OnDown == config.Miss)
	}
	return first
}

// of returns the route of key.
func (r *routing) of(key []byte) *route {
	i := 0
	for i < len(r.routes)-1 && !bytes.HasPrefix(key, r.routes[i].prefix) {
		i++
	}
	return &r.routes[i]
}

// main returns the route of the keys without one of their own, and of requests without a
// key.
func (r *routing) main() *route { return &r.routes[len(r.routes)-1] }

// target returns where a request with that key goes. The key is empty if it has none.
func (r *routing) target(key []byte) target {
	if len(key) == 0 {
		return target{pool: r.main().pool}
	}
	to := r.of(key)
	t := target{pool: to.pool, owner: to.owner(key)}
	if to.cut > 0 {
		t.strips = to
	}
	return t
}

// owner returns the upstream that owns key.
func (r *routing) owner(key []byte) *pool.Member { return r.of(key).owner(key) }

// locate returns the upstream that a retrieval asks for key, its index among asked, and the key
// that it is asked for.
func (r *routing) locate(command protocol.Command, key []byte) (u *pool.Member, index int, stored []byte) {
	to := r.of(key)
	stored = key[to.cut:]
	u = to.pool.Owner(stored)
	if other := to.pool.spareFor(u, command, stored); other != u {
		return other, to.spare + other.Index, stored
	}
	return u, to.first + u.Index, stored
}

// covers reports whether key names a verb.
func (r *routing) covers(key []byte) bool { return r.keys != nil && r.keys.Cover(key) }

// apart returns the error for a verb whose keys can't be used together, empty if they can: they
// are in several pools, or not all are stripped of the same prefix. words are the keys.
func (r *routing) apart(words []byte) (refusal string) {
	if len(r.pools) == 1 && !r.strips {
		return ""
	}
	var first *route
	for key := range protocol.Words(words) {
		switch to := r.of(key); {
		case first == nil:
			first = to
		case to.pool != first.pool:
			return severalPools
		case to != first && to.cut+first.cut > 0:
			return severalPrefixes
		}
	}
	return ""
}

// maxItemSize returns the longest value that one of the pools takes, in bytes.
func (r *routing) maxItemSize() (size int) {
	for _, p := range r.pools {
		size = max(size, p.shared.MaxItemSize)
	}
	return size
}

// longestAnswer returns how long a request may take.
func (r *routing) longestAnswer() (longest time.Duration) {
	for _, p := range r.pools {
		longest = max(longest, upstream.LongestAnswer(p.shared.Timeout))
	}
	return longest
}

// lowestVersion returns the lowest version among the upstreams, see
// [upstream.LowestVersion].
func (r *routing) lowestVersion() string {
	var remotes []*upstream.Remote
	for _, p := range r.pools {
		remotes = append(remotes, p.shared.Remotes...)
	}
	return upstream.LowestVersion(remotes)
}
