package embedded

import "github.com/memverbs/memverbs/protocol"

// delete carries out delete, which may have a 0 behind the key.
func (c *conn) delete() {
	words := c.split()
	switch {
	case len(words) == 4, len(words) == 3 && string(words[2]) != "0":
		c.say(errDelete)
	case len(c.request.Key) > protocol.MaxKey:
		c.say(errFormat)
	case c.store.remove(c.request.Key):
		c.say("DELETED")
	default:
		c.say("NOT_FOUND")
	}
}

// touch carries out touch.
func (c *conn) touch() {
	words := c.split()
	if len(c.request.Key) > protocol.MaxKey {
		c.say(errFormat)
		return
	}
	exptime, ok := protocol.ReadInt(words[2])
	if !ok {
		c.say(errExptime)
		return
	}
	it := c.store.touch(c.request.Key, c.store.expiry(exptime))
	c.store.counts.touches.Add(1)
	if it == nil {
		c.say("NOT_FOUND")
		return
	}
	c.say("TOUCHED")
}

// count carries out incr and decr.
func (c *conn) count() {
	words := c.split()
	if len(c.request.Key) > protocol.MaxKey {
		c.say(errFormat)
		return
	}
	amount, ok := protocol.ReadUint(words[2])
	if !ok {
		c.say(errDelta)
		return
	}
	reply := "NOT_FOUND"
	c.store.update(c.request.Key, func(old *item, now int64) *item {
		if old == nil {
			return nil
		}
		next, text, ok := old.count(delta{amount, c.request.Command == protocol.Decr})
		if !ok {
			reply = errNumber
			return old
		}
		reply = string(text)
		next.cas, next.stored = c.store.nextCAS(), now
		return next
	})
	c.say(reply)
}
