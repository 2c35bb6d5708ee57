package embedded

import (
	"encoding/base64"
	"fmt"
)

// metaDebug carries out me, which shows everything about an item except its value.
func (c *conn) metaDebug() {
	key := c.request.Key
	it := c.store.lookup(key)
	if it == nil {
		c.say("EN")
		return
	}
	name := string(key)
	if it.encoded {
		name = base64.StdEncoding.EncodeToString(key)
	}
	fetched := "no"
	if it.lastRead.Load() != 0 {
		fetched = "yes"
	}
	now := c.store.now()
	c.reply = fmt.Appendf(c.reply[:0], "ME %s exp=%d la=%d cas=%d fetch=%s cls=1 size=%d",
		name, it.ttl(now), it.idle(now), it.cas, fetched, it.size(len(key)))
	c.send(nil)
}
