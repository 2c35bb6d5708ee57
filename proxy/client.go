package proxy

import (
	"cmp"
	"errors"
	"io"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

const (
	// maxInput is how much of a client's input may wait, in bytes, before its
	// reading is paused. A request that is being received may be longer.
	maxInput = 64 << 10
	// maxOutput is how much a client may leave unread, in bytes, before
	// nothing more is done for it.
	maxOutput = 256 << 10
	// clientTurn is how much of its output is written to a client in one turn of the
	// event loop, in bytes. To one that reads as fast, writing could go on for long, and
	// many clients may read at the same time.
	clientTurn = 128 << 10
	// maxReplies is how many replies a client may be owed.
	maxReplies = 1024
	// maxExecutions is how many verbs of a client may be under way.
	maxExecutions = 256
	// lingering is how long a client that has been told why is given to read
	// it before the connection is closed.
	lingering = 2 * time.Second
	// unmoved is how long a client that is leaving may take nothing of what it
	// is owed, beside the time that an upstream has to answer.
	unmoved = time.Minute
)

// client is one client's connection: its input, cut into requests, and the
// replies it is owed, in order.
//
// When it can't go on it is blocked, and its input waits: because it is owed
// enough, because the upstream that is asked for has enough to do, or because
// an earlier verb of its own may still change what the next request is about.
// What lets it go on wakes it.
type client struct {
	loop   *loop
	conn   transport.Conn
	parser protocol.Parser

	input  []byte // received and not worked through, from offset on; a buffer of the pool
	offset int

	replies       replyQueue
	longRetrieval *longRetrieval // of the retrieval whose parts are being read
	executions    []*execution   // verbs under way
	guess         int            // expected size of a value, in bytes
	seen          bool           // a value, or that there is none
	begun         int            // how much of the first reply has been written, in bytes

	receipt uint64 // when something was last received, as the loop counts receipts

	waiting   *waiting // the request that can't be carried out yet, if one was read
	queue     *queue   // in which it waits, nil if in none
	share     int      // of requests, before others who wait have their turn
	several   bool     // the next request may be for several upstreams
	arguments int      // bytes that its arguments take, if it is a verb
	lane      lane

	wants   []*execution // verbs that wait for room, oldest first
	rooms   int          // verbs that have some
	inQueue bool         // of those whose verbs wait for room
	served  uint32       // the tick at which a verb got room, or gave it back
	paused  []*execution // verbs that go on when it is the client's turn, oldest first

	gathering int // bytes that its retrievals from several upstreams take, with the values that are there

	awake   bool          // in the loop's list of clients to go on
	blocked bool          // the next request has to wait
	eof     bool          // nothing more will be received
	quit    bool          // nothing more is to be worked through
	leaving bool          // will be closed when all is written, or at the deadline
	linger  bool          // all is written; what still comes is thrown away
	gone    bool          // closed
	until   uint32        // the deadline, in ticks; every progress moves it
	grace   time.Duration // how far
	unread  int           // what the system held for it after the last progress, in bytes; -1 if not looked at
}

// newClient returns a client that is to be enrolled with l.
func newClient(l *loop) *client {
	c := &client{loop: l}
	c.lane.Owner = c
	c.parser.MaxData, c.parser.Verbs = l.server.config.MaxItemSize, catalog.Known
	c.conn.Init(l.net, clientTurn, &l.stats.written, c)
	c.replies.errors, c.replies.account = &l.stats.errors, &l.account
	return c
}

// Opened implements [transport.Owner].
func (c *client) Opened(*transport.Conn) {
	c.guess = c.loop.values.first()
	c.loop.clients[c] = struct{}{}
	c.loop.stats.accepted++
	if c.loop.server.draining.Load() {
		c.abort()
	}
}

// name tells in the log who the client is.
func (c *client) name() string {
	return cmp.Or(c.conn.Peer(), "unknown")
}

// held returns how many bytes are kept for the client.
func (c *client) held() int {
	return cap(c.input) + c.replies.memory() + c.conn.Out.Memory() + c.gathering
}

// Read implements [transport.Owner]. It takes what the client sent.
func (c *client) Read(data []byte) {
	c.loop.stats.read += uint64(len(data))
	c.loop.receipt++
	c.receipt = c.loop.receipt
	switch {
	case c.linger || c.quit:
		return
	case len(c.input) == 0 && !c.blocked:
		n := c.work(data)
		if n < len(data) && !c.quit {
			c.keep(data[n:])
			if c.readOn() {
				c.proceed()
			}
		}
	default:
		c.keep(data)
		c.readOn()
		c.proceed()
	}
	if c.blocked && len(c.input)-c.offset > maxInput {
		c.conn.Pause()
	}
}

// keep puts data behind the input that waits.
func (c *client) keep(data []byte) {
	if c.offset > 0 {
		c.input = append(c.input[:0], c.input[c.offset:]...)
		c.offset = 0
	}
	have := len(c.input) + len(data)
	// A length that was announced costs memory only as the data comes.
	room := max(len(data), min(c.parser.Need, 8*have)-len(c.input))
	c.input = append(c.loop.pool.Grow(c.input, room), data...)
	c.moveWaiting(c.input)
}

// readOn reads what else there is of a large request straight to where its start
// is kept, and reports whether all of it is there.
func (c *client) readOn() bool {
	have, need := len(c.input), c.parser.Need
	if c.blocked || need < upstream.Large || have >= need {
		return false
	}
	n := c.conn.Read(c.input[have:min(need, cap(c.input))])
	c.loop.stats.read += uint64(n)
	c.input = c.input[:have+n]
	return len(c.input) == need
}

// proceed goes on with the input that waits.
func (c *client) proceed() {
	if c.gone {
		return
	}
	c.blocked = false
	if len(c.input) > 0 && !c.quit {
		n := c.work(c.input[c.offset:])
		c.offset += n
		if n > 0 {
			c.moved()
		}
	}
	givenAway := c.input == nil // see forwardTo
	if givenAway || c.offset == len(c.input) || c.quit || c.eof && !c.blocked {
		c.forgetInput() // at the end of input, half a request is none
	}
	if !c.blocked && !c.eof {
		c.conn.Resume()
	}
	c.finish()
}

func (c *client) forgetInput() {
	c.loop.pool.Put(c.input)
	c.input, c.offset = nil, 0
	c.forgetWaiting()
}

// work carries out the requests at the start of data, as far as it can, and
// returns how many bytes it is done with.
func (c *client) work(data []byte) int {
	done := 0
	for !c.quit && !c.blocked {
		n, more := c.step(data[done:])
		if done += n; !more {
			break
		}
	}
	c.conn.Send()
	return done
}

// step carries out the first request in data. It returns how many bytes it is done with,
// and whether to go on with the next request.
func (c *client) step(data []byte) (n int, more bool) {
	if c.owed() {
		c.blocked = true
		return 0, false
	}
	if c.waiting != nil {
		return c.retry(), true
	}
	req := &c.loop.req
	n, status := c.parse(data, req)
	switch {
	case status == protocol.Partial:
		return n, false
	case status == protocol.Broken:
		c.refuse(req.Refusal)
		c.leave()
		return 0, false
	case !c.dispatch(req):
		c.keepWaiting(req, data, n)
		return 0, false
	}
	return n, true
}

// parse reads a request from the start of data. A retrieval is read in parts if its values
// may be too large to ask for all of them at once.
func (c *client) parse(data []byte, req *protocol.Request) (n int, status protocol.Status) {
	c.parser.MaxKeys = max(1, budget/c.guess)
	carriage := &c.loop.carriage
	if carriage.keys == nil {
		return c.parser.Next(data, req)
	}
	before := c.parser
	n, status = c.parser.Next(data, req)
	if status != protocol.Ready {
		return n, status
	}
	if carriage.weigh(req); carriage.load.tooLarge() && req.NumWords > maxLarge {
		c.parser, c.parser.MaxKeys = before, maxLarge
		n, status = c.parser.Next(data, req)
		carriage.weigh(req)
	}
	return n, status
}

// owed reports whether the client has to read before more is done for it.
func (c *client) owed() bool {
	if c.conn.Out.Size() >= maxOutput {
		return true
	}
	values := c.replies.weight
	if !c.seen && values > 0 && (c.replies.len() >= c.loop.values.mostFirst() || values*c.guess >= budget) {
		return true
	}
	return c.replies.len() >= maxReplies || values > 0 && values*c.guess+c.replies.held > budget
}

// Answered implements [upstream.Sink]. It takes the reply to a request that was forwarded.
func (c *client) Answered(p *upstream.Pending, a *upstream.Answer) {
	if c.gone {
		return
	}
	if p.Quiet && protocol.Silent(p.Command, a.Data) {
		if p.Command.Meta() {
			c.reply(p.Slot, nil, false)
		}
		return
	}
	size := len(a.Data)
	if c.begun > 0 && p.Slot == c.replies.head {
		if a.Fail {
			c.abort()
			return
		}
		size, c.begun = size+c.begun, 0
		c.conn.Pass(a.Data)        // what comes next may be large
		a.Data, a.Whole = nil, nil // so the buffer stays the reader's
	} else if size >= upstream.Large && a.Whole == nil && c.takesBegun(p.Slot) {
		c.conn.Pass(a.Data)
		a.Data = nil
	}
	if a.Size > 0 {
		c.learn(a.Size)
	} else if n := bears(p.Command, int(p.Keys)); n > 0 {
		c.learn(size / n)
	}
	if c.replies.fill(p.Slot, a.Data, a.Whole != nil, a.Last == nil || a.Last.Kind == protocol.ReplyError, &c.conn.Out) {
		a.Taken = true
	}
	c.progress()
}

// bears returns how many values a reply to the command, with so many keys, may
// hold.
func bears(command protocol.Command, keys int) int {
	if command.Retrieval() {
		return keys
	}
	if command == protocol.MetaGet || command == protocol.MetaArithmetic {
		return 1
	}
	return 0
}

// reply sets the reply of a slot. fail says that it is an error.
func (c *client) reply(slot uint32, data []byte, fail bool) {
	if c.gone {
		return
	}
	c.replies.fill(slot, data, false, fail, &c.conn.Out)
	c.progress()
}

// replyOwned is reply with a buffer of the pool, which it takes.
func (c *client) replyOwned(slot uint32, data []byte, fail bool) {
	if c.gone || !c.replies.fill(slot, data, true, fail, &c.conn.Out) {
		c.loop.pool.Put(data)
	}
	c.progress()
}

// progress is called when something was owed to the client and is not any more.
func (c *client) progress() {
	if c.gone {
		return
	}
	c.conn.Send()
	c.moved()
	if c.blocked || c.leaving {
		c.loop.wake(c)
	}
}

// refuse answers the request with a line of the proxy's own.
func (c *client) refuse(line string) {
	slot := c.replies.reserve(0, c.longRetrieval)
	out := c.loop.pool.Get(len(line) + 2)
	c.replyOwned(slot, append(append(out, line...), "\r\n"...), true)
}

// local answers the request with text that needs no upstream.
func (c *client) local(text string) {
	c.reply(c.replies.reserve(0, nil), []byte(text), false)
}

// leave closes the connection when everything that is owed has been written.
func (c *client) leave() {
	c.quit = true
	c.depart()
}

// depart has the client closed when it is owed nothing any more. One that reads,
// however slowly, gets it all; one that takes nothing at all is closed.
func (c *client) depart() {
	if c.leaving {
		return
	}
	c.loop.clock.Start()
	c.leaving, c.grace = true, upstream.LongestAnswer(c.loop.server.config.Timeout)+c.loop.server.config.unmoved
	c.loop.leaving[c] = struct{}{}
	c.moved()
	c.loop.wake(c)
}

// moved gives a leaving client its time anew, as there was progress.
func (c *client) moved() {
	if c.leaving {
		c.until, c.unread = c.loop.clock.After(c.grace), -1
	}
}

// Drained implements [transport.Owner].
func (c *client) Drained() {
	c.moved()
	if c.blocked && !c.owed() || c.leaving {
		c.loop.wake(c)
	}
}

// finish closes a leaving client that is owed nothing. One that is being told
// why it is closed may still be sending: closing at once would have its kernel
// throw away what it has not read.
func (c *client) finish() {
	if !c.leaving || c.linger || c.blocked || len(c.input) > 0 && !c.quit || c.replies.len() > 0 || c.conn.Out.Size() > 0 {
		return
	}
	if c.eof || !c.conn.Attached() {
		c.abort()
		return
	}
	c.linger, c.grace = true, lingering
	c.moved()
	c.conn.CloseWrite()
	c.conn.Resume()
}

// onTick closes a leaving client whose time is up, unless it has read something
// meanwhile. That is seen in what the system still holds for it: the socket says
// that it can be written to again only when a large part of that is gone. Nor is
// one closed that has read all there is of a value that still comes in.
func (c *client) onTick() {
	if c.unread < 0 {
		c.unread = c.conn.Unread()
	}
	if !c.loop.clock.Passed(c.until) {
		return
	}
	unread := c.conn.Unread()
	if unread < c.unread || unread == 0 && c.begun > 0 && c.conn.Out.Size() == 0 {
		c.moved()
		return
	}
	c.abort()
}

// Closed implements [transport.Owner]. A client that has only stopped sending gets what
// it is owed.
func (c *client) Closed(err error) {
	waits := c.replies.len() > 0 || c.conn.Out.Size() > 0 || len(c.input) > c.offset && c.blocked
	if errors.Is(err, io.EOF) && waits && !c.linger && c.conn.Detach() == nil {
		c.eof = true
		c.depart()
		c.conn.Send()
		return
	}
	c.abort()
}

// Broken implements [transport.Owner].
func (c *client) Broken(error) { c.abort() }

// abort closes the connection now, and lets go of all that belongs to the client. Replies
// that are still to come find it gone.
func (c *client) abort() {
	if c.gone {
		return
	}
	c.gone = true
	if len(c.wants) > 0 {
		c.loop.rooms.gone = append(c.loop.rooms.gone, c)
	}
	c.conn.End()
	c.replies.drop(&c.loop.pool)
	c.forgetInput()
	delete(c.loop.clients, c)
	delete(c.loop.leaving, c)
	c.loop.assigned.Add(-1)
	c.loop.server.departed()
}
