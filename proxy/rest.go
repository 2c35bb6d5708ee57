package proxy

// A client may send thousands of short requests at once. Those that wait for an upstream are
// limited by the replies outstanding; those that the proxy answers itself, or that have no reply,
// are not. So a client rests after some requests until the loop has served the others.

// maxTurn is how many requests of a client are carried out in one turn of the event loop.
const maxTurn = 256

// rest makes the client's further input wait for the end of the loop's turn.
func (c *client) rest() {
	c.blocked, c.resting = true, true
	c.loop.resting = append(c.loop.resting, c)
	c.loop.net.AwaitEndOfTurn()
}

// endRests lets the clients proceed that have rested.
func (l *loop) endRests() {
	rested := l.resting
	l.resting = nil
	for _, c := range rested {
		c.resting = false
		c.Proceed()
	}
}
