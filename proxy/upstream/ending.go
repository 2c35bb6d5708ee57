package upstream

import (
	"errors"

	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/status"
)

// Fail counts an error and closes the connection.
func (c *Connection) Fail(why string) {
	c.link.Stats.Counts[status.Errors]++
	c.keeper.lost(why)
}

// Broken implements [transport.Owner].
func (c *Connection) Broken(err error) { c.Fail(whyOf(err, "can't be written to: "+err.Error())) }

// Closed implements [transport.Owner].
func (c *Connection) Closed(err error) {
	why := "closed the connection"
	if !c.link.Remote.answered.Load() && !c.conn.Secured() { // memcached with TLS closes a connection without it
		why += " before it answered; if it speaks TLS, set server-tls-ca; if it is a proxy such as nutcracker, give its servers instead"
	}
	if whyOf(err, "") == "" && c.keeper.renews() {
		return
	}
	c.Fail(whyOf(err, why))
}

// whyOf returns the reason that TLS gives for the end of a connection, or other if it gives none.
func whyOf(err error, other string) string {
	if wrong := (*secure.Error)(nil); errors.As(err, &wrong) {
		return wrong.Error()
	}
	return other
}

// unanswered are requests of a connection that has ended.
type unanswered struct {
	pending  pendingQueue
	expected Expected
}

// drop closes the connection and resets its state. It returns the requests that were
// not answered.
func (c *Connection) drop() (failed unanswered) {
	failed = unanswered{c.pending, c.Expected}
	c.pending, c.progress, c.Expected = pendingQueue{}, progress{}, Expected{}
	c.account()
	if w := c.conn; w != nil {
		c.conn = nil
		c.ended()
		w.End()
	}
	c.reader.reset()
	return failed
}

// failAll answers requests with an error. They may have been carried out, so they are not sent
// again, and the keys that they would have changed are remembered.
func (c *Connection) failAll(failed unanswered, reason []byte) {
	var p Pending
	for failed.pending.len() > 0 {
		failed.pending.pop(&p)
		asked := failed.expected.first(p.expected)
		if p.Loss == LossOutdates {
			c.link.rememberLost(p.Command, asked)
		}
		c.link.countLost(&p)
		p.Sink.Answered(&p, &Answer{Data: reason, Outcome: Lost, Asked: asked, By: c.link.Remote})
		c.ends(&p)
		failed.expected.drop(p.expected, 0)
	}
}

// ends is called when a request is no longer in flight.
func (c *Connection) ends(p *Pending) {
	if p.Lane != nil {
		p.Lane.leaves(c.second)
	}
	if p.Unsized {
		c.Unsized -= p.values()
	}
	p.Sink, p.Lane = nil, nil
}

// ended is called when a connection has ended.
func (c *Connection) ended() {
	if ended := c.link.Remote.Ended; ended != nil {
		ended()
	}
}
