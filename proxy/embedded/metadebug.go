package embedded

import (
	"encoding/base64"
	"fmt"

	"github.com/memverbs/memverbs/protocol"
)

// metaDebug carries out me, which shows what is known about an item but its
// value. Only the first flag can say that the key is in base64.
func (c *conn) metaDebug() {
	words := c.split()
	key := words[1]
	encoded := len(words) > 2 && string(words[2]) == "b"
	if len(key) > protocol.MaxKey || encoded && !c.keyDecoded() {
		c.say(errFormat)
		return
	}
	if encoded {
		key = c.request.Key
	}
	it := c.store.lookup(key)
	if it == nil {
		c.say("EN")
		return
	}
	c.debug(key, it)
}

func (c *conn) debug(key []byte, it *item) {
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
