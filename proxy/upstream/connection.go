package upstream

import (
	"errors"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Connection is one of a loop's connections to an upstream. Requests are pipelined, and
// their replies arrive in the same order.
type Connection struct {
	Expected Expected // what to compare the replies to pending requests with
	Unsized  int      // values that pending requests of newcomers ask for, see package pool

	env      *Env
	upstream *Upstream
	keeper   keeper
	second   bool
	conn     *transport.Conn // nil while not connected
	pending  pendingQueue
	kept     int    // memory of pending and Expected, in bytes, as counted in the loop's account
	written  uint64 // bytes written on this connection
	timeout  uint32 // time-out for an answer, in ticks
	rate     int    // at which a large reply has to arrive, in bytes per tick
	progress
	touched       bool
	callbacks     int // number of callbacks in the batch that waits for the end of the turn
	lastCallbacks int // number of callbacks in the previous batch

	reader replyReader
	front  Pending // the request whose reply is being delivered
	answer Answer  // and the reply; they are fields to avoid allocations
}

// keeper decides what a connection is used for. It is notified when the connection
// opens and ends.
type keeper interface {
	// opened is called when the connection is open, and sends the first requests. It
	// returns false if the connection is not wanted any more.
	opened() bool
	// lost is called when the connection is lost or must be closed, or when connecting has failed.
	lost(why string)
}

func (c *Connection) init(u *Upstream, k keeper, second bool) {
	c.env, c.upstream, c.keeper, c.second = u.env, u, k, second
	c.timeout = u.env.Clock.Span(u.env.Timeout)
	c.rate = max(1, maxQueued/int(u.env.Clock.Span(slowestReply(u.env.Timeout))))
	c.reader.pool = u.env.Pool
	c.reader.limit = u.env.MaxItemSize + protocol.MaxLine
	c.reader.longLimit = u.env.MaxLong + protocol.MaxLine
}

// Opened implements [transport.Owner].
func (c *Connection) Opened(conn *transport.Conn) {
	c.written, c.progress = 0, progress{}
	c.conn = conn
	if !c.keeper.opened() {
		c.drop()
	}
}

// Connected reports whether the connection is open.
func (c *Connection) Connected() bool { return c.conn != nil }

// Written returns the position up to which the output has been written.
func (c *Connection) Written() Position { return Position(c.written) }

// Next returns the position at the end of the output.
func (c *Connection) Next() Position { return c.Written() + Position(c.conn.Out.Size()) }

// Out returns the output of an open connection. Each request appended to it must be
// followed by Push.
func (c *Connection) Out() *transport.Output { return &c.conn.Out }

// Ask sends a request of the proxy's own.
func (c *Connection) Ask(request string, p Pending) {
	p.own = true
	c.conn.Out.Write([]byte(request))
	c.Push(&p)
}

// Request sends r.
func (c *Connection) Request(r *protocol.Request, p *Pending) {
	out := &c.conn.Out
	out.Extend(r.AppendTo(out.Room(r.Len())))
	c.Expected.Extend(r.Asked(c.Expected.text))
	c.Push(p)
}

// RequestIn is Request without copying the data block, which is input[from:] including its line
// end. It takes over input, a buffer of the pool.
func (c *Connection) RequestIn(input []byte, from int, r *protocol.Request, p *Pending) {
	out := &c.conn.Out
	out.Extend(r.AppendLine(out.Room(r.Len() - len(r.Data))))
	out.Own(input, from)
	c.Expected.Extend(r.Asked(c.Expected.text))
	c.Push(p)
}

// Push adds the request that has been appended to Out, and whose Asked has been appended
// to Expected, to the pending requests. It completes p and copies it.
func (c *Connection) Push(p *Pending) {
	c.env.Clock.Start()
	if c.pending.len() == 0 {
		c.heard, c.arrival = c.env.Clock.Ticks, arrival{weighed: c.env.Clock.Ticks}
	}
	p.deadline = c.timeToSend()
	p.end, p.Sent = c.Next(), c.env.Time.Stamp()
	p.expected = c.Expected.take()
	c.pending.push(p)
	c.account()
	c.upstream.Stats.Requests++
	if p.Unsized {
		c.Unsized += p.values()
	}
	if p.Lane != nil {
		*p.Lane.inFlight(c.second)++
	}
	if !c.touched {
		c.touched = true
		c.env.Batch.touched = append(c.env.Batch.touched, c)
	}
}

// dispatch decides, at the end of a callback, when to write the callback's requests: usually at the
// end of the loop's turn, in a batch with requests from other sockets that are readable now. They
// are written at once if they are large, or if nothing is in flight and the previous batch came
// from a single callback, so that waiting would probably gain nothing.
func (c *Connection) dispatch() {
	switch {
	case c.conn == nil:
	case !c.inFlight() && c.lastCallbacks <= 1, c.conn.Out.Size() >= transport.OwnBuffer:
		c.conn.Send()
	default:
		c.callbacks++
		c.env.Net.AwaitEndOfTurn()
	}
}

// onEndOfTurn writes the batch.
func (c *Connection) onEndOfTurn() {
	if c.callbacks == 0 {
		return
	}
	if c.conn != nil {
		c.conn.Send()
	}
	c.lastCallbacks, c.callbacks = c.callbacks, 0
}

// Drained implements [transport.Owner]. Nothing to do: clients that wait for room check it
// in [transport.LoopOwner.Settle].
func (c *Connection) Drained() {}

// Fail counts an error and closes the connection.
func (c *Connection) Fail(why string) {
	c.upstream.Stats.Errors++
	c.keeper.lost(why)
}

// Broken implements [transport.Owner].
func (c *Connection) Broken(err error) { c.Fail(whyOf(err, "can't be written to: "+err.Error())) }

// Closed implements [transport.Owner].
func (c *Connection) Closed(err error) {
	why := "closed the connection"
	if !c.upstream.remote.answered.Load() && !c.conn.Secured() { // memcached with TLS closes a connection without it
		why += " before it answered; if it speaks TLS, set server-tls-ca; if it is a proxy such as nutcracker, give its servers instead"
	}
	if c == &c.upstream.First && c.upstream.idles() && whyOf(err, "") == "" {
		c.upstream.renew()
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
		if p.Change {
			c.upstream.rememberLost(p.Command, asked)
		}
		c.upstream.countLost(&p)
		p.Sink.Answered(&p, &Answer{Data: reason, Fail: true, Lost: true, Asked: asked, By: c.upstream})
		c.ends(&p)
		failed.expected.drop(p.expected, 0)
	}
}
