package proxy

import (
	"context"
	"errors"
	"net"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs"
)

// connection is one of a loop's connections to an upstream. Requests are
// pipelined, and replies belong to them in the order in which they were sent.
type connection struct {
	loop     *loop
	upstream *upstream
	keeper   keeper
	conn     *transport.Conn // nil while there is no connection
	pending  pendingQueue
	expected expected // what the requests in pending have asked for
	kept     int      // by both, in bytes, as counted in the loop's account
	written  uint64   // bytes, on this connection
	progress
	touched       bool
	callbacks     int     // callbacks whose requests wait for the end of the turn
	lastCallbacks int     // what that was at the end of the last turn that had any
	waiters       waiters // clients

	reader replyReader
	front  pending // the request whose reply is being delivered
	answer answer  // and the reply; both are here to be off the heap
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

func (c *connection) init(u *upstream, k keeper) {
	c.loop, c.upstream, c.keeper = u.loop, u, k
	c.reader.pool = &u.loop.pool
	c.reader.limit = u.loop.server.config.MaxItemSize + protocol.MaxLine
}

// connect begins to connect. The outcome is reported to the loop.
func (c *connection) connect() {
	l := c.loop
	go func() {
		if err := c.dial(); err != nil {
			l.post(func() { c.keeper.lost(describe(err)) })
		}
	}()
}

// dial connects and hands the connection to the loop. It waits until the loop
// has it.
func (c *connection) dial() error {
	s := c.loop.server
	ctx, cancel := context.WithTimeout(s.context, s.config.ConnectTimeout)
	defer cancel()
	conn, err := s.config.Upstreams[c.upstream.index].Dial(ctx)
	if err != nil {
		return err
	}
	socket := &transport.Conn{}
	socket.Init(c.loop.net, upstreamTurn, &c.written, c)
	if err = c.loop.net.Enroll(conn, socket); err != nil {
		c.ended()
	}
	return err
}

// ended is called when a connection is no more.
func (c *connection) ended() {
	if ended := c.loop.server.config.Upstreams[c.upstream.index].Ended; ended != nil {
		ended()
	}
}

// describe shortens what the net package says to what went wrong.
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

// Opened implements [transport.Owner].
func (c *connection) Opened(conn *transport.Conn) {
	c.written, c.progress = 0, progress{}
	c.conn = conn
	if !c.keeper.opened() {
		c.drop()
	}
}

// ask sends a request of the proxy's own.
func (c *connection) ask(request string, p pending) {
	c.conn.Out.Write([]byte(request))
	c.push(&p)
}

// request sends what a client asked for.
func (c *connection) request(r *protocol.Request, p *pending) {
	out := &c.conn.Out
	out.Extend(r.AppendTo(out.Room(r.Len())))
	c.pushRequest(r, p)
}

// requestIn is request for one whose data block is what input ends with. It takes
// input, a buffer of the pool, instead of copying the data.
func (c *connection) requestIn(input []byte, r *protocol.Request, p *pending) {
	out := &c.conn.Out
	out.Extend(r.AppendLine(out.Room(r.Len() - len(r.Data))))
	out.Own(input, dataIn(input, r))
	c.pushRequest(r, p)
}

// dataIn returns where in input, which it was read from, the data of r begins.
func dataIn(input []byte, r *protocol.Request) int { return cap(input) - cap(r.Data) }

// pushRequest enters what a client asked for.
func (c *connection) pushRequest(r *protocol.Request, p *pending) {
	before := len(c.expected.text)
	c.expected.text = r.Asked(c.expected.text)
	p.expected = uint32(len(c.expected.text) - before)
	c.push(p)
}

// operate sends what a verb asked for.
func (c *connection) operate(op *verbs.Op, p pending) {
	out := &c.conn.Out
	out.Extend(op.AppendTo(out.Room(2*len(op.Key) + len(op.Data) + 128)))
	before := len(c.expected.text)
	c.expected.text = op.Asked(c.expected.text)
	p.expected = uint32(len(c.expected.text) - before)
	p.command, p.verbs = op.Command(), true
	c.loop.stats.operations++
	c.push(&p)
}

// push enters a request that has been appended to the output. p is completed and
// copied.
func (c *connection) push(p *pending) {
	c.loop.clock.Start()
	if c.pending.len() == 0 {
		c.heard = c.loop.clock.Ticks
	}
	p.deadline = c.timeToSend()
	p.end = c.position(c.conn.Out.Size())
	c.pending.push(p)
	c.account()
	c.upstream.stats.Requests++
	if p.client != nil {
		*p.client.lane.under(c)++
	}
	if !c.touched {
		c.touched = true
		c.loop.touched = append(c.loop.touched, c)
	}
}

// dispatch decides, at the end of a callback, when the requests that came with
// it are written: together with those of other clients that are readable now, at
// the end of the loop's turn. They are written at once if they are many, or if
// nothing is under way and the last time there were no others.
func (c *connection) dispatch() {
	switch {
	case c.conn == nil:
	case !c.inFlight() && c.lastCallbacks <= 1, c.conn.Out.Size() >= transport.OwnBuffer:
		c.conn.Send()
	default:
		c.loop.endOfTurn(c)
	}
}

// onEndOfTurn writes what has waited for the end of the turn.
func (c *connection) onEndOfTurn() {
	if c.callbacks == 0 {
		return
	}
	if c.conn != nil {
		c.conn.Send()
	}
	c.lastCallbacks, c.callbacks = c.callbacks, 0
}

// hasRoom reports whether less is under way than a part of the limits: all of them
// if part is 1, half if it is 2.
func (c *connection) hasRoom(part int) bool {
	most := &c.loop.most
	return c.conn.Out.Size() < most.queued/part && c.pending.len() < most.pending/part && c.expected.len() < most.expected/part
}

// Drained implements [transport.Owner]. Nothing is to be done: clients that wait until there is
// less to be written are served when the loop settles (serveWaiters).
func (c *connection) Drained() {}

// overfull reports whether even twice of what the limits allow is under way.
func (c *connection) overfull() bool {
	most := &c.loop.most
	return c.conn.Out.Size() >= 2*most.queued || c.pending.len() >= 2*most.pending || c.expected.len() >= 2*most.expected
}

// Read implements [transport.Owner]. It takes what the upstream sent.
func (c *connection) Read(data []byte) {
	c.heard = c.loop.clock.Ticks
	if c.conn != nil {
		data = c.conn.ReadOn(data)
	}
	for c.conn != nil && len(data) > 0 {
		if n := c.reader.grows(data); n > c.loop.largeReply() && !c.loop.hasMemory(n) {
			c.giveUpReply()
		}
		data = c.reader.feed(data)
		c.deliverAll()
	}
	if c.conn == nil {
		return
	}
	c.reader.leave()
}

// deliverAll delivers every whole reply that the reader has.
func (c *connection) deliverAll() {
	for c.conn != nil && c.reader.more() {
		if c.pending.len() == 0 {
			c.fail("sent something that was not asked for")
			return
		}
		ready, err := c.reader.next(c.pending.front(), &c.expected)
		if err != nil {
			c.fail("sent " + err.Error())
			return
		}
		if !ready {
			return
		}
		c.deliver()
	}
}

// deliver hands the reply that the reader holds to who asked for it.
func (c *connection) deliver() {
	p, a := &c.front, &c.answer
	c.pending.pop(p)
	c.reader.take(a)
	c.expected.drop(p.expected, c.loop.most.idleExpected())
	c.account()
	a.epoch = c.upstream.epoch
	c.sent, c.expired = max(0, c.sent-1), max(0, c.expired-1)
	if a.last.Kind == protocol.ReplyError {
		c.upstream.stats.Errors++
	}
	c.loop.stats.count(p, &c.reader)
	if c.reader.oversize > 0 {
		*a = answer{fail: true, data: c.upstream.errorLine(oversized(p, c.reader.oversize))}
	}
	p.sink.answered(p, a)
	c.ends(p)
	c.reader.done(a)
}

// ends is called when a request is not under way any more.
func (c *connection) ends(p *pending) {
	if p.client != nil {
		p.client.leaves(c)
	}
	p.sink, p.client = nil, nil
}

// fail gives up the connection.
func (c *connection) fail(why string) {
	c.upstream.stats.Errors++
	c.keeper.lost(why)
}

// Broken implements [transport.Owner].
func (c *connection) Broken(err error) { c.fail("can't be written to: " + err.Error()) }

// Closed implements [transport.Owner].
func (c *connection) Closed(error) { c.fail("closed the connection") }

// drop closes the connection and lets go of what belongs to it. It returns the
// requests that were not answered.
func (c *connection) drop() (failed pendingQueue) {
	failed, c.pending = c.pending, pendingQueue{}
	c.progress, c.expected = progress{}, expected{}
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
func (c *connection) failAll(failed pendingQueue, reason []byte) {
	var p pending
	for failed.len() > 0 {
		failed.pop(&p)
		c.upstream.countLost(&p)
		p.sink.answered(&p, &answer{data: reason, fail: true})
		c.ends(&p)
	}
}
