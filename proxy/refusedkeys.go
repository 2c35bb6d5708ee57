package proxy

import "time"

// Few clients show their callers why a key that names a verb was refused: the reason becomes a miss,
// or an error that says nothing of it. So the log tells of one in a while, whose key is to be
// corrected in the application, and the others are counted.

// refusedKeysPause is the least time between two lines about refused keys, of the whole process.
const refusedKeysPause = time.Minute

// refusedKey counts a key of the client that names a verb and was refused, by an error line. An upstream
// that is down, and the like, is no fault of the key.
func (c *client) refusedKey(key []byte, why string) {
	if isServerError([]byte(why)) {
		return
	}
	c.loop.stats.refusedKeys++
	c.loop.refusedKeys.Log(c.loop.log, "a key that names a verb is refused, which few clients tell their callers",
		"key", string(key), "why", why, "client", c.name(), "listener", c.listener.name())
}
