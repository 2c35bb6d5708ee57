package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/status"
)

// Few clients show their callers why a key that names a verb was refused: the reason becomes a miss,
// or an error that says nothing of it. So the log tells of one in a while for each verb and command, whose key is
// to be corrected in the application, and the others are counted.

// refusedKey counts a key of the client that names a verb and was refused with a command, by an error line. An
// upstream that is down, and the like, is no fault of the key.
func (c *Client) refusedKey(command protocol.Command, key []byte, why string) {
	if reply.IsServerError([]byte(why)) {
		return
	}
	c.loop.Stats[status.RefusedKeys]++
	reason := command.String() + " " + string(c.routing.Keys.Name(key))
	c.loop.refusedKeys.Log(c.loop.Log, reason, "a key that names a verb is refused, which few clients tell their callers",
		"key", string(key), "why", why, "client", c.name(), "listener", c.listener.Name())
}
