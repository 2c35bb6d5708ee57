package upstream

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Connection is one of a loop's connections to an upstream. Requests are
// pipelined, and replies belong to them in the order in which they were sent.
type Connection struct {
	Expected Expected // what the requests in pending have asked for

	env      *Env
	upstream *Upstream
	keeper   keeper
	second   bool
	conn     *transport.Conn // nil while there is no connection
	pending  pendingQueue
	kept     int    // by pending and Expected, in bytes, as counted in the loop's account
	written  uint64 // bytes, on this connection
	timeout  uint32 // the upstream's time to answer, in ticks
	progress
	touched       bool
	callbacks     int // callbacks whose requests wait for the end of the turn
	lastCallbacks int // what that was at the end of the last turn that had any

	reader replyReader
	front  Pending // the request whose reply is being delivered
	answer Answer  // and the reply; both are here to be off the heap
}

// keeper decides what a connection is used for. It is told of its beginning and
// of its end.
type keeper interface {
	// opened is called when the connection is there, and sends its first
	// requests. It returns false if the connection is not wanted any more.
	opened() bool
	// lost is called when the connection is gone or is to be given up, and when
	// it could not be had.
	lost(why string)
}

func (c *Connection) init(u *Upstream, k keeper, second bool) {
	c.env, c.upstream, c.keeper, c.second = u.env, u, k, second
	c.timeout = u.env.Clock.Span(u.env.Timeout)
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

// Connected reports whether there is a connection.
func (c *Connection) Connected() bool { return c.conn != nil }

// Out returns what the upstream is to be sent, while there is a connection. Whoever appends
// a request to it has to push that.
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

// RequestIn is Request for one whose data block is what input ends with, from from on. It
// takes input, a buffer of the pool, instead of copying the data.
func (c *Connection) RequestIn(input []byte, from int, r *protocol.Request, p *Pending) {
	out := &c.conn.Out
	out.Extend(r.AppendLine(out.Room(r.Len() - len(r.Data))))
	out.Own(input, from)
	c.Expected.Extend(r.Asked(c.Expected.text))
	c.Push(p)
}

// Push enters a request that has been appended to the output, and what its reply is to be
// compared with to Expected. p is completed and copied.
func (c *Connection) Push(p *Pending) {
	c.env.Clock.Start()
	if c.pending.len() == 0 {
		c.heard = c.env.Clock.Ticks
	}
	p.deadline = c.timeToSend()
	p.end = c.Next()
	p.expected = c.Expected.take()
	c.pending.push(p)
	c.account()
	c.upstream.Stats.Requests++
	if p.Lane != nil {
		*p.Lane.under(c.second)++
	}
	if !c.touched {
		c.touched = true
		c.env.touched = append(c.env.touched, c)
	}
}

// dispatch decides, at the end of a callback, when the requests that came with
// it are written: together with those of others who are readable now, at
// the end of the loop's turn. They are written at once if they are many, or if
// nothing is under way and the last time there were no others.
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

// onEndOfTurn writes what has waited for the end of the turn.
func (c *Connection) onEndOfTurn() {
	if c.callbacks == 0 {
		return
	}
	if c.conn != nil {
		c.conn.Send()
	}
	c.lastCallbacks, c.callbacks = c.callbacks, 0
}

// Drained implements [transport.Owner]. Nothing is to be done: who waits until there is less
// to be written looks at that when the loop settles.
func (c *Connection) Drained() {}

// Fail gives up the connection.
func (c *Connection) Fail(why string) {
	c.upstream.Stats.Errors++
	c.keeper.lost(why)
}

// Broken implements [transport.Owner].
func (c *Connection) Broken(err error) { c.Fail("can't be written to: " + err.Error()) }

// Closed implements [transport.Owner].
func (c *Connection) Closed(error) { c.Fail("closed the connection") }

// drop closes the connection and lets go of what belongs to it. It returns the
// requests that were not answered.
func (c *Connection) drop() (failed pendingQueue) {
	failed, c.pending = c.pending, pendingQueue{}
	c.progress, c.Expected = progress{}, Expected{}
	c.account()
	if w := c.conn; w != nil {
		c.conn = nil
		c.ended()
		w.End()
	}
	c.reader.reset()
	return failed
}

// failAll fails requests of the connection. They may have been carried out, so
// they are not sent again.
func (c *Connection) failAll(failed pendingQueue, reason []byte) {
	var p Pending
	for failed.len() > 0 {
		failed.pop(&p)
		c.upstream.Stats.countLost(&p)
		p.Sink.Answered(&p, &Answer{Data: reason, Fail: true})
		c.ends(&p)
	}
}
