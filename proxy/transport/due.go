package transport

// owes reports whether output or ciphertext is to be written.
func (c *Conn) owes() bool { return c.Out.Size() > 0 || c.secure != nil && c.secure.sealed.Size() > 0 }

// Send marks the output to be written when the current callback ends.
func (c *Conn) Send() {
	if next := c.schedule.sent(); next != c.schedule && c.owes() {
		c.become(next)
	}
}

// mostGathered is how many Conns gather output at the same time, at most. Thousands may have some in one turn, and
// buffers for the output of all of them would take more memory than there may be.
const mostGathered = 64

// SendLater marks the output to be written at the end of the loop's turn, together with what is
// added to it until then. It is written when the current callback ends if it is much, or if many Conns gather output.
func (c *Conn) SendLater() {
	if c.Out.Size() >= OwnBuffer {
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
	case gathering:
		c.loop.gathered = append(c.loop.gathered, c)
		if len(c.loop.gathered) < mostGathered {
			c.loop.AwaitEndOfTurn()
		} else {
			c.loop.sendGathered()
		}
	case later:
		c.loop.later = append(c.loop.later, c)
		c.loop.AwaitEndOfTurn()
	}
}

// sendGathered marks the outputs that were gathered to be written when the current callback ends. The list may contain a Conn
// that has nothing left to write, or one twice.
func (l *Loop) sendGathered() {
	for _, c := range l.gathered {
		if next := c.schedule.enough(); next != c.schedule {
			c.schedule = next
			c.Send()
		}
	}
	clear(l.gathered)
	l.gathered = l.gathered[:0]
}
