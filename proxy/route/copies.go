package route

import (
	"github.com/memverbs/memverbs/proxy/copies"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Copies are the pools that all have the keys of a route, in the configured order (package copies).
type Copies struct {
	Pools []*Pool
	first []int // for each, the index among asked of its first upstream
}

// newCopies returns the copies of a route to pools of these names. The table asks them.
func (r *Table) newCopies(names []string, named func(string) *Pool) *Copies {
	if len(names) == 0 {
		return nil
	}
	c := &Copies{}
	for _, name := range names {
		p := named(name)
		c.Pools, c.first = append(c.Pools, p), append(c.first, r.add(p))
	}
	r.Copied = true
	return c
}

// Up returns the copies of a key, as it is stored, whose servers are up.
func (c *Copies) Up(stored []byte) (up copies.Set) {
	for i, p := range c.Pools {
		if p.Owner(stored).State == upstream.Up {
			up = up.With(i)
		}
	}
	return up
}

// Leads returns the first copy of a key that is not down, and the server that has it. It is the first configured copy if all are
// down.
func (c *Copies) Leads(stored []byte) (copy int, u *pool.Member) {
	for i, p := range c.Pools {
		if u = p.Owner(stored); !IsDown(u) {
			return i, u
		}
	}
	return 0, c.Pools[0].Owner(stored)
}

// Of returns the index of the copy that a server is of.
func (c *Copies) Of(u *pool.Member) int {
	for i, p := range c.Pools {
		if u.Index < len(p.All) && p.All[u.Index] == u {
			return i
		}
	}
	return 0
}
