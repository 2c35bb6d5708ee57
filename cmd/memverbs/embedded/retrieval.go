package embedded

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// get carries out get, gets, gat and gats.
func (c *conn) get() {
	r := &c.request
	withCAS := r.Command == protocol.Gets || r.Command == protocol.Gats
	find := c.store.get
	if r.Command == protocol.Gat || r.Command == protocol.Gats {
		expires := c.store.expiry(r.Exptime)
		find = func(key []byte) *item { return c.store.touch(key, expires) }
	}
	for key := range protocol.Words(r.Words) {
		it := find(key)
		c.store.counts.get(it != nil)
		if it != nil {
			c.value(key, it, withCAS)
		}
	}
	if !r.More {
		c.say("END")
	}
}

// get returns the item under key, or nil, and records that it was read.
func (s *Store) get(key []byte) *item {
	it := s.lookup(key)
	if it != nil {
		it.read(s.now())
	}
	return it
}

func (c *conn) value(key []byte, it *item, withCAS bool) {
	line := append(c.reply[:0], "VALUE "...)
	line = append(line, key...)
	line = append(line, ' ')
	line = strconv.AppendUint(line, uint64(it.flags), 10)
	line = append(line, ' ')
	line = strconv.AppendInt(line, int64(len(it.value)), 10)
	if withCAS {
		line = append(line, ' ')
		line = strconv.AppendUint(line, it.cas, 10)
	}
	c.reply = line
	c.send(it.value)
}
