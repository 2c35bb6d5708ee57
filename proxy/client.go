package proxy

import (
	"errors"
	"io"
	"time"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/protocol"
)

const (
	// maxInput is how much of a client's input may wait, in bytes, before its
	// reading is paused. A request that is being received may be longer.
	maxInput = 64 << 10
	// maxOutput is how much a client may leave unread, in bytes, before
	// nothing more is done for it.
	maxOutput = 256 << 10
	// maxReplies is how many replies a client may be owed.
	maxReplies = 1024
	// budget is how many bytes of values a client may be owed, as far as the
	// size of those it got lets one guess.
	budget = 1 << 20
	// firstGuess is the size of a value, in bytes, before any has been seen.
	firstGuess = 16 << 10
	// maxRuns is how many verbs of a client may be under way.
	maxRuns = 256
	// lingering is how long a client that has been told why is given to read
	// it before the connection is closed.
	lingering = 2 * time.Second
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
	wire   wire
	parser protocol.Parser

	input  []byte // received and not worked through, from offset on; a buffer of the pool
	offset int

	slots  slots
	series *series // of the retrieval whose parts are being read
	runs   []*run  // verbs under way
	guess  int     // expected size of a value, in bytes
	begun  int     // how much of the first of slots has been written, in bytes

	waitsFor  *upstream // that has enough to do
	waitsWide bool      // until other verbs that read many items are done

	awake   bool          // in the loop's list of clients to go on
	blocked bool          // the next request has to wait
	eof     bool          // nothing more will be received
	quit    bool          // nothing more is to be worked through
	leaving bool          // will be closed when all is written, or at the deadline
	linger  bool          // all is written; what still comes is thrown away
	gone    bool          // closed
	until   uint32        // the deadline, in ticks
	grace   time.Duration // what it was set to
}

func newClient(l *loop, conn gnet.Conn) *client {
	c := &client{loop: l, guess: firstGuess}
	c.parser.MaxData = l.server.config.MaxItemSize
	c.wire = wire{loop: l, conn: conn, fd: conn.Fd(), owner: c, written: &l.stats.written}
	c.wire.out.pool = &l.pool
	return c
}

// name tells in the log who the client is.
func (c *client) name() string {
	if c.wire.conn == nil || c.wire.conn.RemoteAddr() == nil {
		return "unknown"
	}
	return c.wire.conn.RemoteAddr().String()
}

// held returns how many bytes are kept for the client.
func (c *client) held() int { return len(c.input) + c.slots.held + c.wire.out.size }

// read takes what the client sent.
func (c *client) read(data []byte) {
	c.loop.stats.read += uint64(len(data))
	switch {
	case c.linger || c.quit:
		return
	case len(c.input) == 0 && !c.blocked:
		n := c.work(data)
		if n < len(data) && !c.quit {
			c.keep(data[n:])
		}
	default:
		c.keep(data)
		c.proceed()
	}
	if c.blocked && len(c.input)-c.offset > maxInput {
		c.wire.pause()
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
	room := max(len(data), min(c.parser.Need, 4*have)-len(c.input))
	c.input = append(c.loop.pool.grow(c.input, room), data...)
}

// proceed goes on with the input that waits.
func (c *client) proceed() {
	if c.gone {
		return
	}
	c.blocked = false
	if len(c.input) > 0 && !c.quit {
		c.offset += c.work(c.input[c.offset:])
	}
	if c.offset == len(c.input) || c.quit || c.eof && !c.blocked {
		c.forgetInput() // at the end of input, half a request is none
	}
	if !c.blocked && !c.eof {
		c.wire.resume()
	}
	c.finish()
}

func (c *client) forgetInput() {
	c.loop.pool.put(c.input)
	c.input, c.offset = nil, 0
}

// work carries out the requests at the start of data, as far as it can, and
// returns how many bytes it is done with.
func (c *client) work(data []byte) int {
	req := &c.loop.req
	done := 0
	for !c.quit {
		if c.owed() {
			c.blocked = true
			break
		}
		c.parser.MaxKeys = max(1, budget/max(c.guess, 1))
		before := c.parser
		n, status := c.parser.Next(data[done:], req)
		if status == protocol.Broken {
			c.refuse(req.Refusal)
			c.leave()
			break
		}
		if status == protocol.Ready {
			c.loop.carriage.weigh(req)
			if c.loop.carriage.load.tooLarge() && req.NumWords > maxLarge {
				c.parser, c.parser.MaxKeys = before, maxLarge
				n, status = c.parser.Next(data[done:], req)
				c.loop.carriage.weigh(req)
			}
		}
		if status == protocol.Ready && !c.dispatch(req) {
			c.parser, c.blocked = before, true
			break
		}
		done += n
		if status == protocol.Partial {
			break
		}
	}
	c.wire.send()
	return done
}

// owed reports whether the client has to read before more is done for it.
func (c *client) owed() bool {
	if c.wire.out.size >= maxOutput {
		return true
	}
	values := c.slots.weight
	return c.slots.len() >= maxReplies || values > 0 && values*c.guess+c.slots.held > budget
}

// learn adjusts the guess at the size of values: up at once, down slowly.
func (c *client) learn(size int) {
	if size >= c.guess {
		c.guess = size
		return
	}
	c.guess -= (c.guess - size) / 8
}

// answered takes the reply to a request that was forwarded.
func (c *client) answered(p *pending, a *answer) {
	if c.gone {
		return
	}
	if p.quiet && protocol.Silent(p.command, a.data) {
		if p.command.Meta() {
			c.reply(p.slot, nil, false)
		}
		return
	}
	size := len(a.data)
	if c.begun > 0 && p.slot == c.slots.head {
		if a.fail {
			c.abort()
			return
		}
		size, c.begun = size+c.begun, 0
		c.wire.pass(a.data)        // as it is little, and what comes next may be large
		a.data, a.whole = nil, nil // so the buffer stays the reader's
	}
	if n := bears(p.command, int(p.keys)); n > 0 {
		c.learn(size / n)
	}
	if c.slots.fill(p.slot, a.data, a.whole != nil, a.last == nil || a.last.Kind == protocol.ReplyError, &c.wire.out) {
		a.taken = true
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
	c.slots.fill(slot, data, false, fail, &c.wire.out)
	c.progress()
}

// replyOwned is reply with a buffer of the pool, which it takes.
func (c *client) replyOwned(slot uint32, data []byte, fail bool) {
	if c.gone || !c.slots.fill(slot, data, true, fail, &c.wire.out) {
		c.loop.pool.put(data)
	}
	c.progress()
}

// progress is called when something was owed to the client and is not any more.
func (c *client) progress() {
	if c.gone {
		return
	}
	c.wire.send()
	if c.blocked || c.leaving {
		c.loop.wake(c)
	}
}

// refuse answers the request with a line of the proxy's own.
func (c *client) refuse(line string) {
	slot := c.slots.reserve(0, c.series)
	out := c.loop.pool.get(len(line) + 2)
	c.replyOwned(slot, append(append(out, line...), "\r\n"...), true)
}

// local answers the request with text that needs no upstream.
func (c *client) local(text string) {
	c.reply(c.slots.reserve(0, nil), []byte(text), false)
}

// leave closes the connection when everything that is owed has been written.
func (c *client) leave() {
	c.quit = true
	c.depart(c.loop.server.config.Timeout + lingering)
}

// depart sets the time after which the client is closed in any case.
func (c *client) depart(d time.Duration) {
	if c.leaving {
		return
	}
	c.loop.startTicks()
	c.leaving, c.grace, c.until = true, d, c.loop.after(d)
	c.loop.leaving[c] = struct{}{}
	c.loop.wake(c)
}

// drained is called after something has been written.
func (c *client) drained() {
	if c.leaving && !c.linger { // one that reads, however slowly, gets it all
		c.until = max(c.until, c.loop.after(c.grace))
	}
	if c.blocked && !c.owed() || c.leaving {
		c.loop.wake(c)
	}
}

// finish closes a leaving client that is owed nothing. One that is being told
// why it is closed may still be sending: closing at once would have its kernel
// throw away what it has not read.
func (c *client) finish() {
	if !c.leaving || c.linger || c.blocked || len(c.input) > 0 && !c.quit || c.slots.len() > 0 || c.wire.out.size > 0 {
		return
	}
	if c.eof || c.wire.conn == nil {
		c.abort()
		return
	}
	c.linger = true
	c.until = c.loop.after(lingering)
	_ = unix.Shutdown(c.wire.fd, unix.SHUT_WR)
	c.wire.resume()
}

// onTick closes a leaving client whose time is up.
func (c *client) onTick() {
	if c.loop.passed(c.until) {
		c.abort()
	}
}

// closed is called when gnet is about to close the descriptor. A client that
// has only stopped sending gets what it is owed through another one.
func (c *client) closed(err error) {
	if c.gone {
		return
	}
	w := &c.wire
	waits := c.slots.len() > 0 || w.out.size > 0 || len(c.input) > c.offset && c.blocked
	if errors.Is(err, io.EOF) && waits && !c.linger {
		c.loop.flow.forget(w)
		if fd, err := c.loop.flow.duplicate(w); err == nil {
			w.fd, w.conn, w.full, w.paused = fd, nil, false, false
			c.eof = true
			c.depart(c.loop.server.config.Timeout + c.loop.server.config.Drain)
			w.send()
			return
		}
	}
	c.release()
}

// broken is called when writing fails.
func (c *client) broken(error) { c.abort() }

// abort closes the connection now.
func (c *client) abort() {
	if c.gone {
		return
	}
	conn, fd := c.wire.conn, c.wire.fd
	c.release()
	if conn != nil {
		_ = c.loop.events.Close(conn)
	} else {
		_ = unix.Close(fd)
	}
}

// release lets go of all that belongs to the client. Replies that are still to
// come find it gone.
func (c *client) release() {
	c.gone = true
	c.loop.flow.forget(&c.wire)
	c.wire.ended, c.wire.conn = true, nil
	c.wire.out.drop()
	c.slots.drop(&c.loop.pool)
	c.forgetInput()
	delete(c.loop.clients, c)
	delete(c.loop.leaving, c)
	c.loop.assigned.Add(-1)
	c.loop.server.departed()
}
