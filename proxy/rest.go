package proxy

// A client may send thousands of short requests at once. Those that wait for an upstream are
// limited by the replies outstanding; those that the proxy answers itself, or that have no reply,
// are not, nor are those that fail at once because their upstream is down. So a client rests after
// some requests until the loop has served the others. Thousands of clients may do so at the same
// time. So when a turn of the loop has had many requests, waiting input rests at once, and new input
// soon; and those that rest share the next turn.

const (
	// maxTurn is how many requests of a client are carried out in one turn of the event loop.
	maxTurn = 256
	// fullTurn is how many requests of all clients together make a turn full.
	fullTurn = 16 * maxTurn
	// lateTurn is how many requests of a client are carried out in a full turn as they arrive.
	lateTurn = maxTurn / 16
)

// rest makes the client's further input wait for the end of the loop's turn.
func (c *client) rest() {
	c.blocked, c.resting = true, true
	c.loop.resting = append(c.loop.resting, c)
	c.loop.net.AwaitEndOfTurn()
}

// hasHadTurn reports whether the client is to rest before its next request. late is how many requests it
// has in a full turn.
func (c *client) hasHadTurn(late int) bool {
	return c.carried >= maxTurn || c.loop.carried >= fullTurn && c.carried >= late
}

// endRests begins a turn, and lets the clients proceed that have rested.
func (l *loop) endRests() {
	rested := l.resting
	l.resting = nil
	for _, c := range rested {
		l.carried = 0
		c.carried = maxTurn - min(max(fullTurn/len(rested), 1), maxTurn)
		c.resting = false
		c.Proceed()
	}
	l.carried = 0
}
