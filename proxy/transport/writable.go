package transport

// A socket that has not accepted all output is watched until it accepts more.

// awaitWritable arranges a call of writable on the loop when the socket accepts more.
func (c *Conn) awaitWritable() error {
	if err := c.loop.poller.awaitWritable(c.fd, c.watched); err != nil {
		return err
	}
	c.watched = true
	c.loop.full[c.fd] = c
	return nil
}

// forgetWritable undoes awaitWritable. It must be called before the descriptor is closed: the
// socket may live on under another descriptor and would be polled for ever.
func (c *Conn) forgetWritable() {
	if c.watched {
		c.watched = false
		delete(c.loop.full, c.fd)
		c.loop.poller.forget(c.fd)
	}
}

// writable is called when the socket accepts more again.
func (c *Conn) writable() {
	c.schedule = c.schedule.emptied()
	c.Send()
}
