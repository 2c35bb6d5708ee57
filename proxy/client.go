package proxy

import (
	"cmp"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

const (
	// maxOutput is how many bytes of output may wait for a client before its requests
	// are blocked.
	maxOutput = 256 << 10
	// clientTurn is how much of its output is written to a client in one turn of the
	// event loop, in bytes. Writing to a fast reader could take long while others wait.
	clientTurn = 128 << 10
	// maxReplies is how many replies may be outstanding for a client.
	maxReplies = 1024
)

// client is a client's connection: its input, split into requests, and its reply queue.
//
// A client is blocked, and its input waits, while too many replies are outstanding, or
// while its next request has to wait (admission.go). When that has ended, the client is
// woken.
type client struct {
	loop     *loop
	listener *listener
	routing  *routing
	conn     transport.Conn
	gate     gate
	input    input
	pace     pace

	replies       replyQueue
	longRetrieval *longRetrieval // of the retrieval whose parts are being read
	longBegan     latency.Stamp  // when the first of them was received
	expected      expected       // of values
	begun         int            // how much of the first outstanding reply has been written, in bytes

	turn    admission.Waiter // in the queue for the resource that the next request needs
	lane    lane
	callers callers
	restore *restore // for keys without an encoding, after the last use of such a route

	gathering int // bytes of its gathers, including the values received

	unbegun int // retrievals with a verb that is yet to begin

	departure departure
}

// newClient returns a client of a listener that is to be enrolled with l.
func newClient(l *loop, at *listener) *client {
	c := &client{loop: l, listener: at}
	c.lane.Owner, c.turn.Owner = c, c
	c.input.parser.Verbs = catalog.Known
	c.conn.Init(l.net, clientTurn, &l.stats.written, c)
	c.replies.errors, c.replies.account = &l.stats.errors, &l.account
	c.replies.timing = &l.timing
	return c
}

// Opened implements [transport.Owner].
func (c *client) Opened(*transport.Conn) {
	c.expected.size = c.loop.values.first()
	c.departure.opened = time.Now()
	c.loop.clients[c] = struct{}{}
	c.loop.stats.accepted++
	switch {
	case !c.reroute():
		c.abort()
	case c.loop.draining.Load():
		c.departure.cause = lateness
		c.loop.late++
		c.dismiss()
	}
}

// name identifies the client in the log.
func (c *client) name() string {
	return cmp.Or(c.conn.Peer(), "unknown")
}

// held returns the memory kept for the client, in bytes.
func (c *client) held() int {
	return cap(c.input.bytes) + c.replies.memory() + c.conn.Memory() + c.gathering
}

// outstanding reports whether the client has not got everything yet: a reply, the rest of one, or the
// reply to a request that was received and has to wait.
func (c *client) outstanding() bool {
	return c.replies.len() > 0 || c.conn.Out.Size() > 0 || c.blocked() && c.input.pending() > 0
}

// owed reports whether so much is outstanding for the client that its next request must
// wait.
func (c *client) owed() bool {
	if c.conn.Out.Size() >= maxOutput {
		return true
	}
	values := c.replies.weight
	if !c.expected.seen && values > 0 && (c.replies.len() >= c.loop.values.mostFirst() || values*c.expected.size >= budget) {
		return true
	}
	return c.replies.len() >= maxReplies || values > 0 && values*c.expected.size+c.replies.held > budget
}

// Answered implements [upstream.Sink]. It takes the reply to a request that was forwarded.
func (c *client) Answered(p *upstream.Pending, a *upstream.Answer) {
	if c.gone() {
		return
	}
	if p.Quiet && protocol.Silent(p.Command, a.Data) {
		if p.Command.Meta() {
			c.learnOf(p, len(a.Data))
			c.reply(p.Slot, nil, false)
		}
		return
	}
	if a.Last != nil && a.Last.Kind == protocol.ReplyError && !isServerError(a.Data) {
		c.replies.at(p.Slot).quiet = false // memcached says what is wrong with the line
	}
	if t := c.replies.at(p.Slot).trace; t != nil {
		t.away = c.loop.timing.Stamp().Since(p.Sent)
	}
	size := len(a.Data)
	if a.Lost && c.getFromSpare(p, a) {
		return
	}
	if a.Lost && p.Misses && (c.begun == 0 || p.Slot != c.replies.head) {
		c.answerDown(p, nil)
		return
	}
	if c.begun > 0 && p.Slot == c.replies.head {
		if a.Fail {
			c.abort()
			return
		}
		size, c.begun = size+c.begun, 0
		c.pass(a.Data)             // more of the value may follow
		a.Data, a.Whole = nil, nil // so the buffer stays the reader's
	} else if size >= upstream.Large && a.Whole == nil && c.passes(p) {
		c.pass(a.Data)
		a.Data = nil
	}
	if a.Size > 0 {
		c.learn(a.Size)
	} else {
		c.learnOf(p, size)
	}
	if c.replies.fill(p.Slot, a.Data, a.Whole != nil, a.Last == nil || a.Last.Kind == protocol.ReplyError, &c.conn.Out) {
		a.Taken = true
	}
	c.Progress()
}

// takesBegun reports whether the reply of slot n can be sent to the client before it is
// complete.
func (c *client) takesBegun(n uint32) bool {
	return c.gone() || n == c.replies.head && c.replies.at(n).long == nil
}

// maxValues returns the greatest number of values in the reply to command with that
// number of keys.
func maxValues(command protocol.Command, keys int) int {
	if command.Retrieval() {
		return keys
	}
	if command == protocol.MetaGet || command == protocol.MetaArithmetic {
		return 1
	}
	return 0
}

// learn adjusts the guess of the client's value size to values of size bytes.
func (c *client) learn(size int) {
	if !c.expected.seen {
		c.loop.values.met.learn(size, c.loop.values.first())
	}
	c.expected.learn(size, c.loop.values.least())
	c.lane.expect(c.expected.size)
	c.loop.values.add(c.lane.large)
}

// learnOf adjusts the guess by a reply of size bytes to a request, if that asked for values.
func (c *client) learnOf(p *upstream.Pending, size int) {
	if n := maxValues(p.Command, int(p.Keys)); n > 0 {
		c.learn(size / n)
	}
}

// reply sets the reply of a slot. fail says that it is an error.
func (c *client) reply(slot uint32, data []byte, fail bool) {
	if c.gone() {
		return
	}
	c.replies.fill(slot, data, false, fail, &c.conn.Out)
	c.Progress()
}

// replyOwned is reply with a buffer of the pool, which it takes over.
func (c *client) replyOwned(slot uint32, data []byte, fail bool) {
	if c.gone() || !c.replies.fill(slot, data, true, fail, &c.conn.Out) {
		c.loop.buffers.Put(data)
	}
	c.Progress()
}

// Progress implements [execution.Owner]. It is called when a reply or a verb of the client
// has been completed.
func (c *client) Progress() {
	if c.gone() {
		return
	}
	if c.replies.len() > 0 { // probably the client waits for these, too
		c.conn.SendLater()
	} else {
		c.conn.Send()
	}
	c.moved()
	if c.blocked() || c.ending() {
		c.loop.wake(c)
	}
}

// count counts req in the statistics of p; the parts of a long retrieval count as one.
func (c *client) count(req *protocol.Request, p *loopPool) {
	switch {
	case req.Verb != nil:
		p.stats.verbs.Verbs[req.Verb.Number].Calls++
		c.spend(verbEffort - 1)
	case c.longRetrieval == nil:
		p.stats.commands[req.Command]++
	}
}

// refuse answers the request with a line of the proxy's own.
func (c *client) refuse(line string) {
	slot := c.replies.reserve(0, c.longRetrieval)
	out := c.loop.buffers.Get(len(line) + 2)
	c.replyOwned(slot, append(append(out, line...), "\r\n"...), true)
}

// local answers the request with text that needs no upstream.
func (c *client) local(text string) {
	c.reply(c.replies.reserve(0, nil), []byte(text), false)
}

// Drained implements [transport.Owner].
func (c *client) Drained() {
	c.moved()
	if c.blocked() && !c.owed() || c.ending() {
		c.loop.wake(c)
	}
}

// HasOnly implements [execution.Owner].
func (c *client) HasOnly(n int) bool {
	return c.replies.len() <= n && c.lane.First == 0 && c.lane.Second == 0
}

// LaneFree implements [upstream.LaneOwner].
func (c *client) LaneFree() {
	if c.blocked() && !c.gone() {
		c.loop.wake(c)
	}
}
