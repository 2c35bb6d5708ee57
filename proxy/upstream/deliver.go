package upstream

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Read implements [transport.Owner]. data is what the upstream has sent.
func (c *Connection) Read(data []byte) {
	c.heard = c.env.Clock.Ticks
	if len(data) < transport.ReadSize || c.conn == nil {
		c.parse(data)
	} else {
		c.readOn(data)
	}
	if c.conn == nil {
		return
	}
	c.move()
	c.reader.leave()
	c.clogged = c.reader.clogs()
}

// readOn parses data, which fills the buffer that it was read into, and what has arrived behind it, unless that is the rest
// of a value that can be moved.
func (c *Connection) readOn(data []byte) {
	if c.reader.stream.begun { // the next value may begin behind the end of this one
		c.parse(data)
		data = nil
	}
	if c.conn == nil || c.moves(data) {
		c.parse(data)
		return
	}
	c.reader.leave()
	c.parse(c.conn.ReadOn(data))
}

// parse delivers the replies in data, which has been received.
func (c *Connection) parse(data []byte) {
	if c.conn != nil {
		c.received += len(data)
	}
	for c.conn != nil && len(data) > 0 {
		if n := c.reader.grows(data); n > 0 && (c.exceeds(n) || c.lacksMemory(n)) {
			c.giveUpReply()
			if c.deliverAll(); c.conn == nil { // this drops what has arrived of the reply, before the buffer grows for more of it
				return
			}
		}
		data = c.reader.feed(data)
		c.deliverAll()
	}
}

// deliverAll delivers every complete reply that the reader has.
func (c *Connection) deliverAll() {
	for c.conn != nil && c.reader.more() {
		if c.pending.len() == 0 {
			c.Fail("sent something that was not asked for")
			return
		}
		ready, err := c.reader.next(c.pending.front(), &c.Expected)
		if err != nil {
			c.Fail("sent " + err.Error())
			return
		}
		if !ready {
			return
		}
		if asks(&c.reader.unit) { // the server asks the proxy for a password; the client can't help that
			c.Fail(c.env.Login.whyAsked())
			return
		}
		c.deliver()
	}
}

// deliver passes the complete reply of the reader to the sink of its request.
func (c *Connection) deliver() {
	p, a := &c.front, &c.answer
	c.pending.pop(p)
	c.reader.take(a)
	c.Expected.drop(p.expected, c.env.UnderWay.idleExpected())
	c.account()
	a.Epoch, a.Indirect = c.link.Epoch, !c.link.direct
	trip := c.env.Time.Stamp().Since(p.Sent)
	c.link.Stats.RoundTrips.Add(trip)
	c.link.Replied = c.env.Time.Micros() - int64(trip)
	c.sent, c.expired = max(0, c.sent-1), max(0, c.expired-1)
	if a.Last.Kind == protocol.ReplyError {
		c.link.Stats.Counts[status.Errors]++
	}
	c.reader.count(p, c.env.Counts)
	if c.reader.oversize > 0 {
		*a = Answer{Outcome: Refused, Data: c.link.ErrorLine(c.env.TooLong(p, c.reader.oversize))}
	}
	p.Sink.Answered(p, a)
	c.ends(p)
	c.reader.done(a)
}

// exceeds reports whether n bytes are too much for the reply that is being received.
func (c *Connection) exceeds(n int) bool {
	return n > maxModest && c.pending.len() > 0 && c.pending.front().Limit == LimitModest
}

// lacksMemory reports whether the reply that is being received is large already, and there is no
// memory for n bytes.
func (c *Connection) lacksMemory(n int) bool {
	return n > c.env.LargeReply && !c.env.HasMemory(n) && c.takesMuch()
}

// takesMuch reports whether the reply that is being received already takes much memory.
func (c *Connection) takesMuch() bool { return cap(c.reader.buffer) >= c.env.LargeReply }

// giveUpReply refuses the request whose reply is being received.
func (c *Connection) giveUpReply() {
	if c.pending.len() == 0 {
		return
	}
	p := c.pending.front()
	late := *p
	p.Sink = nobody{}
	size := c.reader.length / max(1, c.reader.values)
	c.reader.discard()
	late.Sink.Answered(&late, &Answer{Data: []byte(OutOfMemory), Outcome: Refused, Size: size})
}

// OutOfMemory is memcached's error line for a reply that it has no memory for.
const OutOfMemory = "SERVER_ERROR out of memory writing get response\r\n"
