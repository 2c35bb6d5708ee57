package embedded

// metaDelete carries out md.
func (c *conn) metaDelete() {
	f := c.metaFlags()
	code := "HD"
	c.store.update(c.request.Key, func(old *item, now int64) *item {
		switch {
		case old == nil:
			code = "NF"
			return nil
		case f.has('C') && f.cas != old.cas:
			code = "EX"
			return old
		case !f.has('I') && !f.has('x'):
			return nil
		}
		return c.store.wither(old, &f, now)
	})
	c.finish(code, &f)
}

// wither returns the item by which md replaces old instead of deleting it: without a
// value (x), stale (I), or both.
func (s *Store) wither(old *item, f *flags, now int64) *item {
	it := old.clone()
	if f.has('x') {
		it = &item{content: content{value: []byte{}, flags: f.clientFlags, expires: f.expires, cas: old.cas, stored: now}}
	}
	if f.has('I') {
		if f.has('T') {
			it.expires = f.expires
		}
		it.stale, it.won = true, false
		it.cas = s.nextCAS()
	}
	if f.has('E') {
		it.cas = f.newCAS
	}
	return it
}
