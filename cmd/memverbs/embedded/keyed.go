package embedded

import "github.com/memverbs/memverbs/protocol"

// delete carries out delete.
func (c *conn) delete() {
	if c.store.remove(c.request.Key) {
		c.say("DELETED")
		return
	}
	c.say("NOT_FOUND")
}

// touch carries out touch.
func (c *conn) touch() {
	it := c.store.touch(c.request.Key, c.store.expiry(c.request.Exptime))
	c.store.counts.touches.Add(1)
	if it == nil {
		c.say("NOT_FOUND")
		return
	}
	c.say("TOUCHED")
}

// count carries out incr and decr.
func (c *conn) count() {
	reply := "NOT_FOUND"
	c.store.update(c.request.Key, func(old *item, now int64) *item {
		if old == nil {
			return nil
		}
		next, text, ok := old.count(delta{c.request.Number, c.request.Command == protocol.Decr})
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
