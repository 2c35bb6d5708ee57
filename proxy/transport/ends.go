package transport

import "golang.org/x/sys/unix"

// End drops the output and closes the socket, unless gnet is closing it.
func (c *Conn) End() {
	if c.secure != nil {
		c.secure.end(c)
	}
	c.Out.Drop()
	c.forgetWritable()
	conn, before := c.conn, c.life
	c.conn, c.life, c.schedule = nil, closed, over
	switch {
	case before == detached:
		_ = unix.Close(c.fd)
	case before.attached():
		c.loop.sockets.remove(c.fd)
		_ = c.loop.events.Close(conn)
	}
}

// Detach keeps c alive with a duplicate descriptor when gnet is about to close the socket.
// c can then be written to, but not read any more.
func (c *Conn) Detach() error {
	c.forgetWritable()
	fd, err := c.loop.poller.duplicate(c.fd)
	if err == nil {
		c.fd, c.life, c.schedule = fd, c.life.detached(), c.schedule.emptied()
	}
	return err
}

// CloseWrite tells the peer that nothing more will be sent.
func (c *Conn) CloseWrite() {
	if c.secure != nil {
		c.secure.closeWrite(c)
		return
	}
	_ = unix.Shutdown(c.fd, unix.SHUT_WR)
}

// Unconfirmed returns how many of the bytes written the peer's machine has not
// acknowledged. It is 0 for sockets without acknowledgements. With TLS it may be negative: output
// counts as written only when all ciphertext of a piece is written, and the machine may have
// acknowledged a part of it before.
func (c *Conn) Unconfirmed() int {
	n := c.loop.poller.unconfirmed(c.fd)
	if c.secure != nil {
		n = c.secure.unconfirmed(n)
	}
	return n
}
