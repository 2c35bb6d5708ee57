package upstream

import "time"

// A large reply may take long on a slow link, and so may those behind it on the same connection.
// While it arrives steadily, the time-outs of all of them stand still. It has to arrive at a
// minimum rate, so that an upstream that trickles can't delay requests for ever.

// slowest is the longest time that [maxQueued] bytes of a large reply may take to arrive, unless
// maxSending time-outs are longer. It means 100 kB/s if the time-out is a second or less.
const slowest = 10 * time.Second

// slowestReply returns how long maxQueued bytes of a large reply may take to arrive.
func slowestReply(timeout time.Duration) time.Duration { return max(slowest, maxSending*timeout) }

// arrival measures how steadily replies arrive.
type arrival struct {
	received int    // bytes, since the last tick
	ahead    int    // bytes, by which the large reply is ahead of the minimum rate
	weighed  uint32 // tick of the last measurement
	excused  uint32 // ticks that do not count, because a large reply arrived steadily
}

// excuse excludes the ticks since the last call from all time-outs if a large reply has arrived
// fast enough meanwhile. Data arrives in bursts, so what exceeds the minimum rate counts for later,
// up to the bytes of one time-out.
func (c *Connection) excuse() {
	ticks := c.env.Clock.Ticks - c.weighed
	c.weighed += ticks
	c.ahead = min(c.ahead+c.received, int(c.timeout)*c.rate)
	c.received = 0
	switch need := int(ticks) * c.rate; {
	case !c.reader.partial():
		c.ahead = 0
	case c.ahead >= need:
		c.ahead -= need
		c.excused += ticks
	}
}

// counted returns the ticks so far that count for deadlines.
func (c *Connection) counted() uint32 { return c.env.Clock.Ticks - c.excused }

// late returns how many counted ticks have passed since the deadline of p; it is negative before the
// deadline.
func (c *Connection) late(p *Pending) int32 { return int32(c.counted() - p.deadline) }

// overdue reports whether the deadline of p has passed.
func (c *Connection) overdue(p *Pending) bool { return c.late(p) >= 0 }

// partial reports whether a part of a reply has been received, and not all of it.
func (r *replyReader) partial() bool { return r.stream.begun || r.skip > 0 || len(r.data) > 0 }

// clogs reports whether the rest of a large reply is awaited, behind which others wait.
func (r *replyReader) clogs() bool {
	return r.stream.begun || r.skip >= Large || r.held != nil && max(r.lacks, len(r.data)) >= Large
}

// Clogged reports whether the replies to further requests have to wait for the rest of a large one.
func (c *Connection) Clogged() bool { return c.clogged }
