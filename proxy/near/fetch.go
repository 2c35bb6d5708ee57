package near

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// Waiter is a get that waits for the answer to another one.
type Waiter interface {
	// Told is called once, on any goroutine: with the reply, which must not be changed, or with nil if the server has
	// not answered, so that the get has to ask by itself.
	Told(reply []byte)
}

// Fetch is a get that asks the server, and that others may join.
type Fetch struct {
	cache   *Cache
	key     string
	hash    uint64
	sent    int64
	waiters []Waiter
}

// Ask is called when a get of key is about to ask the server. If the reply is known by now, it is returned. If another
// get of the key is under way, and this process has not changed the key since that was sent, the answer will be told to
// waiter, and nothing is returned. Otherwise the get is a fetch, whose End is to be called once.
func (c *Cache) Ask(key []byte, waiter func() Waiter) (reply []byte, f *Fetch) {
	f = &Fetch{cache: c, hash: maphash.Bytes(c.seed, key), sent: Now()}
	p := c.part(f.hash)
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.entries[string(key)]
	if value := c.valueOf(e, f.hash, f.sent); value != nil {
		return value, nil
	}
	if e != nil && e.asked != nil && c.mayJoin(e.asked) {
		e.asked.waiters = append(e.asked.waiters, waiter())
		return nil, nil
	}
	if f.key = string(key); e == nil {
		e = &entry{}
		p.entries[f.key] = e
	}
	e.asked = f
	return nil, f
}

// mayJoin reports whether a get that comes now may have the answer to another one. While loops change from one cache to another, none
// may: a change that is marked in one of them is unknown to the other.
func (c *Cache) mayJoin(other *Fetch) bool {
	return other.sent >= c.since && !c.closed.Load() && c.unchangedSince(other.sent, other.hash)
}

// End is called with the reply to the fetch, nil if the server has not answered. found says that the reply has a value.
// It returns a copy of the reply, nil if the server has not answered, and those that are to be told it.
func (f *Fetch) End(reply []byte, found bool) (copied []byte, waiters []Waiter) {
	c, p := f.cache, f.cache.part(f.hash)
	copied = bytes.Clone(reply)
	p.mu.Lock()
	defer p.mu.Unlock()
	if found {
		c.keep(p, []byte(f.key), copied, f.sent, f.hash)
	}
	if e := p.entries[f.key]; e != nil && e.asked == f {
		if e.asked = nil; e.value == nil {
			delete(p.entries, f.key)
		}
	}
	return copied, slices.Clip(f.waiters)
}
