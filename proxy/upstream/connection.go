package upstream

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Connection is one of a loop's connections to an upstream. Requests are pipelined, and
// their replies arrive in the same order.
type Connection struct {
	Expected Expected // what to compare the replies to pending requests with
	Unsized  int      // values that pending requests of newcomers ask for, see package pool

	env     *Env
	link    *link
	keeper  keeper
	second  bool
	conn    *transport.Conn // nil while not connected
	pending pendingQueue
	kept    int    // memory of pending and Expected, in bytes, as counted in the loop's account
	written uint64 // bytes written on this connection
	timeout uint32 // time-out for an answer, in ticks
	rate    int    // at which a large reply has to arrive, in bytes per tick
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
	// renews is called when the upstream has closed the connection. It reports whether the
	// connection is replaced by another without an outage.
	renews() bool
	// lost is called when the connection is lost or must be closed, or when connecting has failed.
	lost(why string)
}

func (c *Connection) init(l *link, k keeper, second bool) {
	c.env, c.link, c.keeper, c.second = l.env, l, k, second
	c.timeout = l.env.Clock.Span(l.env.Timeout)
	c.rate = max(1, maxQueued/int(l.env.Clock.Span(slowestReply(l.env.Timeout))))
	c.reader.pool = l.env.Pool
	c.reader.limit = l.env.MaxItemSize + protocol.MaxLine
	c.reader.longLimit = l.env.MaxLong + protocol.MaxLine
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

// Wrote implements [transport.Owner].
func (c *Connection) Wrote(n int) { c.written += uint64(n) }

// Drained implements [transport.Owner]. Nothing to do: clients that wait for room check it
// in [transport.LoopOwner.EndCallback].
func (c *Connection) Drained() {}

// Clogged reports whether the replies to further requests have to wait for the rest of a large one.
func (c *Connection) Clogged() bool { return c.clogged }
