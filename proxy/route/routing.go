package route

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/passwords"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// Table finds the pool, and the upstream in it, that has a key, for the clients of one listener on
// one loop. It never changes: a reload replaces it.
type Table struct {
	routes  []way          // longest prefix first; the last has an empty prefix
	pools   []*Pool        // those of the routes, each once
	Members []*pool.Member // of the pools, one pool after another
	Leaving []*pool.Member // that have no keys any more but those that move
	Asked   []*pool.Member // members, and after them those of spare pools
	Misses  []bool         // for each of Asked: whether a get is answered as a miss while it is down
	Keys    *verbkeys.Keys // nil if no key names a verb
	Kept    []*near.Cache  // values of the pools that are kept in the process
	Holds   bool           // gets of some keys wait when they miss
	Guarded bool           // one of the pools refuses requests
	Strips  bool           // one of the routes strips its prefix
	Spaced  bool           // one of the pools has namespaces
	Moves   bool           // plain keys of one of the pools are moving
	Copied  bool           // one of the routes leads to several pools that have copies
	Shadows bool           // some keys are sent to a shadow pool too

	Passwords *passwords.List // that clients must send; nil if none is demanded

	IdleTimeout time.Duration // of a client; 0 for none
}

// way is a route: the keys with a prefix are in a pool.
type way struct {
	prefix []byte
	pool   *Pool
	first  int // index among asked of the pool's first
	spare  int // the same for its spare pool
	cut    int // how many bytes are stripped from the keys: the length of prefix, or 0
	copies *Copies
	shadow *Shadow
}

// owner returns the upstream that owns key.
func (to *way) owner(key []byte) *pool.Member { return to.pool.Owner(key[to.cut:]) }

// Target is where a request goes: a pool, and the upstream that owns its key; Owner is nil if the request has
// no key. While that upstream is down and a spare pool replaces it, Owner is the upstream in the spare pool,
// and Absent the one that is down.
type Target struct {
	Pool   *Pool
	Owner  *pool.Member
	Strips *way // the route that strips its prefix from the key; nil if none is stripped
	Absent *pool.Member
	Copies *Copies // that the key has; nil if it is in one pool
	Shadow *Shadow // of the route; nil if it has none
	// Source is the upstream that had the key, if it moves to Owner; nil if it does not.
	Source *pool.Member
	// Namespace is the length of the namespace of the key as the pool has it, 0 if the key is in none.
	Namespace int
}

// NewTable returns the table for the clients of a listener. pools are those of the loop.
func NewTable(config *config.Listener, pools []*Pool) *Table {
	r := &Table{IdleTimeout: config.IdleTimeout, Passwords: config.Passwords}
	if config.VerbKeys != "" {
		r.Keys = verbkeys.New(config.VerbKeys)
	}
	named := func(name string) *Pool {
		return pools[slices.IndexFunc(pools, func(p *Pool) bool { return p.Shared.Name == name })]
	}
	for _, to := range config.Routes {
		way := way{prefix: []byte(to.Prefix), pool: named(to.Pool), copies: r.newCopies(to.Copies, named)}
		if to.Shadow != "" {
			way.shadow, r.Shadows = &Shadow{named(to.Shadow), to.Share}, true
		}
		way.first = r.add(way.pool)
		if to.Strip {
			way.cut, r.Strips = len(way.prefix), true
		}
		r.routes = append(r.routes, way)
	}
	r.Members = r.Asked
	for i := range r.routes {
		if to := &r.routes[i]; to.pool.Spare != nil {
			to.spare = r.ask(to.pool.Spare)
		}
	}
	slices.SortFunc(r.routes, func(a, b way) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
	return r
}

// add adds a pool, and returns the index among asked of its first upstream.
func (r *Table) add(p *Pool) (first int) {
	if !slices.Contains(r.pools, p) {
		r.pools = append(r.pools, p)
		r.Guarded = r.Guarded || p.Shared.Guarded()
		r.Holds = r.Holds || p.Shared.Held != nil
		r.Spaced = r.Spaced || p.Spaces != nil
		r.Moves = r.Moves || p.Moving != nil
		r.Leaving = append(r.Leaving, p.Leaving...)
		if p.Shared.Kept != nil {
			r.Kept = append(r.Kept, p.Shared.Kept)
		}
	}
	return r.ask(p)
}

// ask adds the upstreams of a pool to asked, and returns the index of the first.
func (r *Table) ask(p *Pool) (first int) {
	if first = slices.Index(r.Asked, p.All[0]); first >= 0 {
		return first
	}
	first = len(r.Asked)
	r.Asked = append(r.Asked, p.All...)
	for range p.All {
		r.Misses = append(r.Misses, p.Shared.OnDown == config.Miss)
	}
	return first
}

// of returns the route of key.
func (r *Table) of(key []byte) *way {
	i := 0
	for i < len(r.routes)-1 && !bytes.HasPrefix(key, r.routes[i].prefix) {
		i++
	}
	return &r.routes[i]
}

// Main returns the pool of keys that match no route with a prefix, and of requests without a key.
func (r *Table) Main() *Pool { return r.routes[len(r.routes)-1].pool }

// Target returns where a request with that key goes. The key is empty if it has none.
func (r *Table) Target(key []byte) Target {
	if len(key) == 0 {
		return Target{Pool: r.Main()}
	}
	to := r.of(key)
	t := Target{Pool: to.pool, Owner: to.owner(key), Copies: to.copies, Shadow: to.shadow}
	if to.cut > 0 {
		t.Strips = to
	}
	if to.pool.Spaces != nil {
		t.Namespace = to.pool.Shared.Namespaces.Of(key[to.cut:])
	}
	if to.pool.Moving != nil && t.Namespace == 0 {
		t.Source = to.pool.Moving.Source(key[to.cut:], t.Owner)
	}
	return t
}

// Owner returns the upstream that owns key.
func (r *Table) Owner(key []byte) *pool.Member { return r.of(key).owner(key) }

// Locate returns the upstream that a retrieval asks for key, its index in Asked, and the key as it
// is stored there.
func (r *Table) Locate(command protocol.Command, key []byte) (u *pool.Member, index int, stored []byte) {
	to := r.of(key)
	stored = key[to.cut:]
	if to.copies != nil && (command == protocol.Get || command == protocol.Gets) {
		copy, u := to.copies.Leads(stored)
		return u, to.copies.first[copy] + u.Index, stored
	}
	u = to.pool.Owner(stored)
	if other := to.pool.SpareFor(u, command, stored); other != u {
		return other, to.spare + other.Index, stored
	}
	return u, to.first + u.Index, stored
}

// Covers reports whether key names a verb.
func (r *Table) Covers(key []byte) bool { return r.Keys != nil && r.Keys.Cover(key) }

// MaxItemSize returns the longest value that one of the pools takes, in bytes.
func (r *Table) MaxItemSize() (size int) {
	for _, p := range r.pools {
		size = max(size, p.Shared.MaxItemSize)
	}
	return size
}

// LongestAnswer returns how long a request may take.
func (r *Table) LongestAnswer() (longest time.Duration) {
	for _, p := range r.pools {
		longest = max(longest, upstream.LongestAnswer(p.Shared.Timeout))
	}
	return longest
}

// LowestVersion returns the lowest version among the upstreams, see
// [upstream.LowestVersion].
func (r *Table) LowestVersion() string {
	var remotes []*upstream.Remote
	for _, p := range r.pools {
		remotes = append(remotes, p.Shared.Remotes...)
	}
	return upstream.LowestVersion(remotes)
}

// PoolOf returns the pool that has an upstream, nil if there is none any more.
func (r *Table) PoolOf(u *upstream.Remote) *Pool {
	for _, p := range r.pools {
		if slices.Contains(p.Shared.Remotes, u) {
			return p
		}
	}
	return nil
}

// Stored returns the key under which the pool has key.
func (to *Target) Stored(key []byte) []byte {
	if to.Strips == nil {
		return key
	}
	return key[to.Strips.cut:]
}

// CopiesOf returns the copies that key has, nil if it is in one pool, and the key as it is stored.
func (r *Table) CopiesOf(key []byte) (c *Copies, stored []byte) {
	to := r.of(key)
	return to.copies, key[to.cut:]
}

// ShadowOf returns the shadow of the route of key, nil if it has none, and the key as it is stored.
func (r *Table) ShadowOf(key []byte) (s *Shadow, stored []byte) {
	to := r.of(key)
	return to.shadow, key[to.cut:]
}

// Of returns the pool that has key, and the key as it is stored there.
func (r *Table) Of(key []byte) (p *Pool, stored []byte) {
	to := r.of(key)
	return to.pool, key[to.cut:]
}

// Cut returns how many bytes of key are stripped.
func (r *Table) Cut(key []byte) int { return r.of(key).cut }
