//go:build linux

package load

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// conn is a connection and the batch on it.
type conn struct {
	Batch
	fd     int
	secure *secure // nil without TLS
	from   int64   // when the batch was sent or due: what its latency is counted from
}

// newConn returns a connection whose socket does not block.
func newConn(t Target) (c conn, err error) {
	if c.fd, err = Connect(t); err != nil {
		return c, err
	}
	if t.TLS != nil {
		c.secure, err = shake(c.fd, t.TLS)
	}
	if err == nil {
		err = os.NewSyscallError("fcntl", unix.SetNonblock(c.fd, true))
	}
	if err != nil {
		unix.Close(c.fd)
	}
	return c, err
}

// send writes as much as the socket takes.
func (c *conn) send() (err error) {
	if c.secure == nil {
		c.out, err = write(c.fd, c.out)
		return err
	}
	if err := c.secure.seal(c.out); err != nil {
		return err
	}
	c.out = nil
	return c.secure.send(c.fd)
}

// write writes as much as the socket takes, and returns the rest.
func write(fd int, p []byte) (rest []byte, err error) {
	for len(p) > 0 {
		n, err := unix.Write(fd, p)
		switch {
		case err == nil:
			p = p[n:]
		case errors.Is(err, unix.EAGAIN):
			return p, nil
		case !errors.Is(err, unix.EINTR):
			return p, os.NewSyscallError("write", err)
		}
	}
	return nil, nil
}
