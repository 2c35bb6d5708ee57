package transport

import (
	"cmp"
	"errors"

	"golang.org/x/sys/unix"
)

// How the output of a Conn is written, see [schedule].

// owes reports whether output or ciphertext is to be written.
func (c *Conn) owes() bool { return c.Out.size > 0 || c.secure != nil && c.secure.sealed.size > 0 }

// Send marks the output to be written when the current callback ends.
func (c *Conn) Send() {
	if next := c.schedule.sent(); next != c.schedule && c.owes() {
		c.become(next)
	}
}

// SendLater marks the output to be written at the end of the loop's turn, together with what is
// added to it until then. Much output is written when the current callback ends.
func (c *Conn) SendLater() {
	if c.Out.size >= OwnBuffer {
		c.Send()
	} else if next := c.schedule.gathered(); next != c.schedule && c.owes() {
		c.become(next)
	}
}

// become changes the schedule, and adds c to the loop's list of Conns in that state.
func (c *Conn) become(next schedule) {
	c.schedule = next
	switch next {
	case due:
		c.loop.due = append(c.loop.due, c)
	case gathering, later:
		c.loop.later = append(c.loop.later, c)
		c.loop.AwaitEndOfTurn()
	}
}

// flush writes as much of the output as the socket accepts and the turn allows.
func (c *Conn) flush() {
	c.schedule = c.schedule.begun()
	written := 0
	for c.owes() && c.schedule.accepts() {
		if written >= c.turn {
			c.become(c.schedule.cut())
			break
		}
		n, err := c.write(nil)
		switch {
		case err == nil:
			c.Out.advance(n)
			written += n
			*c.written += uint64(n)
		case errors.Is(err, unix.EAGAIN):
			c.schedule = c.schedule.filled()
			c.loop.poller.awaitWritable(c)
		case errors.Is(err, unix.EINTR):
		default:
			c.fail(err)
			return
		}
	}
	if c.schedule != over {
		c.owner.Drained()
	}
}

// writable is called when the socket accepts more again.
func (c *Conn) writable() {
	c.schedule = c.schedule.emptied()
	c.Send()
}

// maxParts is how many buffers one system call writes at most.
const maxParts = 64

// write makes one attempt to write the output, followed by more.
func (c *Conn) write(more []byte) (int, error) {
	switch {
	case c.secure != nil:
		return c.secure.write(c)
	case len(c.Out.parts) == 0:
		return c.loop.poller.write(c, more)
	case len(c.Out.parts) == 1 && len(more) == 0:
		rest := c.Out.parts[0].rest()
		return c.loop.poller.write(c, rest[:min(len(rest), c.turn)])
	}
	var parts [maxParts][]byte
	n, size := 0, 0
	for ; n < min(maxParts, len(c.Out.parts)) && size < c.turn; n++ {
		rest := c.Out.parts[n].rest()
		parts[n] = rest[:min(len(rest), c.turn-size)]
		size += len(parts[n])
	}
	if len(more) > 0 && size == c.Out.size && n < maxParts {
		parts[n] = more
		n++
	}
	return c.loop.poller.writev(c, parts[:n])
}

// Pass writes the output and then p at once, without copying p, and queues a copy of
// what the socket does not accept of p.
func (c *Conn) Pass(p []byte) {
	if c.secure != nil {
		c.secure.pass(c, p)
		return
	}
	if c.schedule.accepts() {
		n, _ := c.write(p) // an error will occur again when the rest is written
		n = max(n, 0)
		*c.written += uint64(n)
		queued := min(n, c.Out.size)
		c.Out.advance(queued)
		p = p[n-queued:]
	}
	c.Out.Write(p)
	c.Send()
}

// fail ends the Conn after a failed write.
func (c *Conn) fail(err error) {
	if c.secure != nil {
		err = cmp.Or(c.secure.lastWords(c), err)
	}
	c.schedule = over
	c.Out.Drop()
	c.owner.Broken(err)
}
