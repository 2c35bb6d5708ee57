package near

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
)

// Cache keeps the values of a pool's keys. The loops of the process may use it at the same time.
type Cache struct {
	prefixes byprefix.Durations
	quota    atomic.Pointer[Quota] // nil until a loop uses the cache
	since    int64                 // what was asked for before is not kept
	seed     maphash.Seed
	marks    marks
	all      mark // changes of all keys
	parts    [numParts]part
	closed   atomic.Bool
	bytes    atomic.Int64
	values   atomic.Int64
}

// numParts is the number of parts that are locked by themselves, so that loops seldom wait for each other.
const numParts = 64

// part is a part of a cache.
type part struct {
	mu      sync.Mutex
	entries map[string]*entry
	_       [48]byte // so that no two parts are in one line of the processor's cache
}

// entry is a key whose value is kept or asked for.
type entry struct {
	value []byte // the reply to a get; nil if it is not known
	sent  int64  // when that get was sent
	until int64  // when it is too old
	asked *Fetch // a get of the key that others may join, nil if there is none
}

// entryOverhead is about how much memory an entry takes besides its key and value, in bytes.
const entryOverhead = 200

// New returns a cache of keys with prefixes. It keeps nothing before [Cache.Use], nor for the time wait: if loops have
// used another cache for the same keys until now, changes that were marked there may be under way for so long.
func New(list []byprefix.Duration, wait time.Duration) *Cache {
	c := &Cache{prefixes: byprefix.New(list), since: Now() + wait.Microseconds(), seed: maphash.MakeSeed()}
	for i := range c.parts {
		c.parts[i].entries = map[string]*entry{}
	}
	return c
}

// Use gives the cache memory. Only the first call has an effect.
func (c *Cache) Use(quota *Quota) { c.quota.CompareAndSwap(nil, quota) }

// Covers reports whether the values of key are kept.
func (c *Cache) Covers(key []byte) bool { return c.prefixes.Of(key) > 0 }

// Find returns the reply to a get of key, if it is known, and its age in microseconds. The reply must not be changed.
func (c *Cache) Find(key []byte) (reply []byte, age int64) {
	if !c.Covers(key) {
		return nil, 0
	}
	hash := maphash.Bytes(c.seed, key)
	p, now := c.part(hash), Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.entries[string(key)]
	if reply = c.valueOf(e, hash, now); reply == nil {
		return nil, 0
	}
	return reply, now - e.sent
}

// valueOf returns the reply that an entry, which may be nil, has, if it may be used now.
func (c *Cache) valueOf(e *entry, hash uint64, now int64) []byte {
	if e == nil || now >= e.until || !c.unchangedSince(e.sent, hash) {
		return nil
	}
	return e.value
}

// Recent reports whether what was found under key may still be used, given when its server was asked, by [Now]. It also
// returns how long ago that was, in microseconds.
func (c *Cache) Recent(key []byte, asked int64) (age int64, ok bool) {
	now := Now()
	if now >= asked+c.prefixes.Of(key) || asked < c.since || c.closed.Load() {
		return 0, false
	}
	return now - asked, c.unchangedSince(asked, maphash.Bytes(c.seed, key))
}

// Keep keeps the reply to a get of key that was sent at a time, by [Now], if it may be used.
func (c *Cache) Keep(key, reply []byte, sent int64) {
	hash := maphash.Bytes(c.seed, key)
	p := c.part(hash)
	p.mu.Lock()
	defer p.mu.Unlock()
	c.keep(p, key, reply, sent, hash)
}

// keep is Keep, with the key's part locked.
func (c *Cache) keep(p *part, key, reply []byte, sent int64, hash uint64) {
	lasts := c.prefixes.Of(key)
	quota := c.quota.Load()
	if quota == nil || c.closed.Load() || lasts == 0 || Now() >= sent+lasts || sent < c.since || !c.unchangedSince(sent, hash) {
		return
	}
	e := p.entries[string(key)]
	if e != nil && e.sent >= sent {
		return
	}
	if e != nil {
		c.dropValue(string(key), e)
	}
	size := entryOverhead + len(key) + len(reply)
	if size > quota.part.Limit/largestShare || !quota.take(size) {
		return
	}
	if e == nil {
		e = &entry{}
		p.entries[string(key)] = e
	}
	e.value, e.sent, e.until = reply, sent, sent+lasts
	c.bytes.Add(int64(size))
	c.values.Add(1)
}

// dropValue frees the value of an entry.
func (c *Cache) dropValue(key string, e *entry) {
	if e.value == nil {
		return
	}
	size := entryOverhead + len(key) + len(e.value)
	c.quota.Load().free(size)
	c.bytes.Add(int64(-size))
	c.values.Add(-1)
	e.value, e.sent = nil, 0
}

// Sweep frees the values that are too old. It is called from time to time.
func (c *Cache) Sweep() {
	for i := range c.parts {
		c.sweep(&c.parts[i], Now())
	}
}

func (c *Cache) sweep(p *part, now int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, e := range p.entries {
		if now >= e.until {
			c.dropValue(key, e)
		}
		if e.value == nil && e.asked == nil {
			delete(p.entries, key)
		}
	}
}

// Close frees all values, and keeps no more.
func (c *Cache) Close() {
	c.closed.Store(true)
	for i := range c.parts {
		c.sweep(&c.parts[i], 1<<62)
	}
}

// Begin is called before a change of key is sent, End when its reply has arrived, or never will, and before its client
// is answered.
func (c *Cache) Begin(key []byte) { c.marks.of(maphash.Bytes(c.seed, key)).begin() }

// End is called once for every Begin.
func (c *Cache) End(key []byte) { c.marks.of(maphash.Bytes(c.seed, key)).end() }

// BeginAll and EndAll are Begin and End for a change of all keys.
func (c *Cache) BeginAll() { c.all.begin() }

// EndAll is called once for every BeginAll.
func (c *Cache) EndAll() { c.all.end() }

// unchangedSince reports whether this process has changed a key neither at a time nor later, and does not change it now.
func (c *Cache) unchangedSince(since int64, hash uint64) bool {
	return c.marks.of(hash).quietSince(since) && c.all.quietSince(since)
}

// part returns the part that has a key, given its hash.
func (c *Cache) part(hash uint64) *part { return &c.parts[hash>>32%numParts] }

// Held returns how many values are kept, and their memory in bytes.
func (c *Cache) Held() (values int, bytes int64) { return int(c.values.Load()), c.bytes.Load() }
