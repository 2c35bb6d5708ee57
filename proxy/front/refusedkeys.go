package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/status"
)

// Few clients show their callers why a key that names a verb was refused: they report a miss, or an error without
// the reason. The key has to be corrected in the application, so the log shows one such key per verb, command and
// minute, and counts the others.

// refusedKey logs or counts a key that names a verb and was refused with the error line why. It ignores errors
// that the key has not caused, such as an upstream that is down.
func (c *Client) refusedKey(command protocol.Command, key []byte, why string) {
	if reply.IsServerError([]byte(why)) {
		return
	}
	c.loop.Stats[status.RefusedKeys]++
	reason := command.String() + " " + string(c.routing.Keys.Name(key))
	c.loop.refusedKeys.Log(c.loop.Log, reason, "a key that names a verb is refused, which few clients tell their callers",
		"key", string(key), "why", why, "client", c.name(), "listener", c.listener.Name())
}
