package transport

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Flush writes the outputs for which Send was called, as far as the sockets accept
// them.
func (l *Loop) Flush() {
	for i := 0; i < len(l.due); i++ { // owners may send more
		l.due[i].flush()
	}
	clear(l.due)
	l.due = l.due[:0]
}

// WriteOn writes the outputs that are to be written at the end of the turn, and continues with those
// that were too long for one turn, of which some may have been written meanwhile.
func (l *Loop) WriteOn() {
	l.sendGathered()
	listed := l.later
	l.later = l.free[:0]
	for _, c := range listed {
		if next := c.schedule.turnEnded(); next != c.schedule {
			c.schedule = next
			c.Send()
		}
	}
	clear(listed)
	l.free = listed[:0]
}

// flush writes as much of the output as the socket accepts and the turn allows.
func (c *Conn) flush() {
	c.schedule = c.schedule.begun()
	written := 0
	for c.owes() && c.schedule.accepts() {
		if written >= int(c.perTurn) {
			c.become(c.schedule.cut())
			break
		}
		n, err := c.write(nil)
		switch {
		case err == nil:
			c.Out.advance(n)
			written += n
			c.owner.Wrote(n)
		case errors.Is(err, unix.EAGAIN):
			c.schedule = c.schedule.filled()
			if err = c.awaitWritable(); err != nil {
				c.fail(err)
				return
			}
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
