package proxy

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/warning"
)

// Few clients show their callers why a key that names a verb was refused: the reason becomes a miss,
// or an error that says nothing of it. So the log tells of one in a while for each verb and command, whose key is
// to be corrected in the application, and the others are counted.

// What the log tells of refused keys of the whole process.
const (
	refusedKeysPause = time.Minute // between two lines of a reason
	refusedKeysMost  = 10          // reasons at a time: lines in a minute
)

func newRefusedKeys() *warning.ByReason {
	return &warning.ByReason{Most: refusedKeysMost, Pause: refusedKeysPause}
}

// refusedKey counts a key of the client that names a verb and was refused with a command, by an error line. An
// upstream that is down, and the like, is no fault of the key.
func (c *client) refusedKey(command protocol.Command, key []byte, why string) {
	if reply.IsServerError([]byte(why)) {
		return
	}
	c.loop.stats[status.RefusedKeys]++
	reason := command.String() + " " + string(c.routing.Keys.Name(key))
	c.loop.refusedKeys.Log(c.loop.log, reason, "a key that names a verb is refused, which few clients tell their callers",
		"key", string(key), "why", why, "client", c.name(), "listener", c.listener.Name())
}
