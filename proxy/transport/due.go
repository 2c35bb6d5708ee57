package transport

// owes reports whether output or ciphertext is to be written.
func (c *Conn) owes() bool { return c.Out.Size() > 0 || c.secure != nil && c.secure.sealed.Size() > 0 }

// Send marks the output to be written when the current callback ends.
func (c *Conn) Send() {
	if next := c.schedule.sent(); next != c.schedule && c.owes() {
		c.become(next)
	}
}

// SendLater marks the output to be written at the end of the loop's turn, together with what is
// added to it until then. Much output is written when the current callback ends.
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
	case gathering, later:
		c.loop.later = append(c.loop.later, c)
		c.loop.AwaitEndOfTurn()
	}
}
