package embedded

import "strconv"

// metaGet carries out mg.
func (c *conn) metaGet() {
	f := c.metaFlags()
	it := c.show(&f)
	c.store.counts.get(it != nil)
	switch {
	case it == nil:
		c.finish("EN", &f)
	case f.has('v'):
		c.send(it.value)
	default:
		c.send(nil)
	}
}

// show formats the reply that describes the item and returns the item, or nil if there
// is none. Most requests only read; a few also change the item.
func (c *conn) show(f *flags) (it *item) {
	if !f.has('T') && !f.has('N') && !f.has('R') {
		it = c.store.lookup(c.request.Key)
		if it == nil || !it.stale || it.won {
			if it != nil {
				c.describe(it, f, c.store.now(), false)
			}
			return it
		}
	}
	c.store.update(c.request.Key, func(old *item, now int64) *item {
		switch {
		case old != nil:
			it = old.clone()
		case f.has('N'):
			it = c.store.stub(f, now)
		default:
			return nil
		}
		c.describe(it, f, now, old == nil)
		return it
	})
	return it
}

// stub returns the empty item that the N flag creates.
func (s *Store) stub(f *flags, now int64) *item {
	it := &item{content: content{value: []byte{}, cas: f.newCAS, stored: now}}
	if !f.has('E') {
		it.cas = s.nextCAS()
	}
	return it
}

// describe carries out the flags in order. If any of them changes the item, it must be
// a clone that is not in the cache yet.
func (c *conn) describe(it *item, f *flags, now int64, created bool) {
	c.hit(f, len(it.value))
	wins := created
	for word := range f.request.MetaFlags() {
		switch word[0] {
		case 'T':
			it.expires = f.expires
		case 'N':
			if created {
				it.expires = f.createExpires
			}
		case 'R':
			soon := it.expires != never && it.expires < f.recache
			wins = wins || soon && !it.won
		default:
			c.tell(word, it, now)
		}
	}
	c.tellRenewal(it, wins)
	if !f.has('u') {
		it.read(now)
	}
}

// tell appends what one flag returns to the reply.
func (c *conn) tell(word []byte, it *item, now int64) {
	var n uint64
	switch word[0] {
	case 'c':
		n = it.cas
	case 'f':
		n = uint64(it.flags)
	case 'h':
		n = min(1, uint64(it.lastRead.Load()))
	case 'l':
		n = uint64(it.idle(now))
	case 's':
		n = uint64(len(it.value))
	case 't':
		c.reply = append(c.reply, " t"...)
		c.reply = strconv.AppendInt(c.reply, it.ttl(now), 10)
		return
	default:
		c.echo(word, it.encoded)
		return
	}
	c.number(word[0], n)
}

// tellRenewal appends the state of an item that should be renewed: one client wins that
// task (W), and the others are told that a client has it (Z). The first reader of a
// stale item (X) wins.
func (c *conn) tellRenewal(it *item, wins bool) {
	if it.won {
		c.reply = append(c.reply, " Z"...)
	}
	if it.stale {
		c.reply = append(c.reply, " X"...)
		wins = wins || !it.won
	}
	if wins {
		c.reply = append(c.reply, " W"...)
		it.won = true
	}
}
