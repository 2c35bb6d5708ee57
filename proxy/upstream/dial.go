package upstream

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"time"

	"github.com/memverbs/memverbs/proxy/transport"
)

// writtenInTurn is how much of its output is written to an upstream in one turn of the event loop,
// in bytes. It can be large because there are few upstreams. It should be large because each piece
// of a large value wakes the upstream: in pieces of 128 kB, sets of 500 kB cost the proxy 1.5 times
// and memcached 1.3 times as much processor time.
const writtenInTurn = 1 << 20

// connect starts connecting, and posts the outcome to the loop.
func (c *Connection) connect() {
	go func() {
		if err := c.dial(); err != nil {
			c.env.Net.Post(func() { c.keeper.lost(describe(err)) })
		}
	}()
}

// dial connects and passes the connection to the loop. It returns when the loop has it. Looking up a
// name has a time limit of its own.
func (c *Connection) dial() error {
	if err := c.link.Remote.exclusion(); err != nil {
		return err
	}
	if resolve := c.link.Remote.Resolve; resolve != nil {
		if err := resolve(c.env.Context); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(c.env.Context, c.env.ConnectTimeout)
	defer cancel()
	conn, err := c.link.Remote.Dial(ctx)
	if err != nil {
		return err
	}
	socket := &transport.Conn{}
	socket.Init(c.env.Net, writtenInTurn, c)
	if err = c.env.Net.Enroll(conn, socket); err != nil {
		c.ended()
	}
	return err
}

// describe reduces an error of the net package to its cause.
func describe(err error) string {
	if errors.Is(err, context.Canceled) {
		return "is not asked any more: the proxy is shutting down"
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		if op.Timeout() {
			return "connecting timed out"
		}
		return transport.Cause(op.Err).Error()
	}
	return err.Error()
}

// The pause before connecting again grows from minPause to maxPause.
const (
	minPause = 50 * time.Millisecond
	maxPause = 5 * time.Second
)

// pauseBefore returns the pause before the next attempt to connect. It grows with the
// number of attempts and is random, so that loops and proxies don't reconnect together.
func pauseBefore(attempts int) time.Duration {
	pause := min(minPause<<min(attempts, 16), maxPause)
	return pause/2 + rand.N(pause)
}

// Opened implements [transport.Owner].
func (c *Connection) Opened(conn *transport.Conn) {
	c.written, c.progress = 0, progress{}
	c.conn = conn
	if !c.keeper.opened() {
		c.drop()
	}
}
