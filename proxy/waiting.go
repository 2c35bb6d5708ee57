package proxy

import (
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
)

// waiting is a request that could not be carried out when it was read. It is kept as it
// was understood, so that another look at it costs little.
type waiting struct {
	request protocol.Request
	at      []byte // the input from its start, with what was skipped before it
	length  int    // in the input, in bytes
	load    load
}

const waitingSize = int(unsafe.Sizeof(waiting{}))

// keepWaiting keeps req, which was read from the first n bytes of input, until it can be
// carried out. c is blocked until then.
func (c *client) keepWaiting(req *protocol.Request, input []byte, n int) {
	var w *waiting
	if last := len(c.loop.idleWaiting) - 1; last >= 0 {
		w, c.loop.idleWaiting = c.loop.idleWaiting[last], c.loop.idleWaiting[:last]
	} else {
		w = &waiting{}
	}
	*w = waiting{*req, input, n, c.loop.carriage.load}
	c.loop.account.Take(waitingSize)
	c.waiting, c.blocked = w, true
}

// moveWaiting has the request that waits point into input, where its bytes are now.
func (c *client) moveWaiting(input []byte) {
	if w := c.waiting; w != nil {
		w.request.Move(w.at, input)
		w.at = input
	}
}

// forgetWaiting forgets the request that waits.
func (c *client) forgetWaiting() {
	if c.waiting != nil {
		c.waiting = nil
		c.loop.account.Give(waitingSize)
	}
}
