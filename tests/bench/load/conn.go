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
	fd   int
	from int64 // when the batch was sent or due: what its latency is counted from
}

// send writes as much as the socket takes.
func (c *conn) send() error {
	for len(c.out) > 0 {
		n, err := unix.Write(c.fd, c.out)
		switch {
		case err == nil:
			c.out = c.out[n:]
		case errors.Is(err, unix.EAGAIN):
			return nil
		case !errors.Is(err, unix.EINTR):
			return os.NewSyscallError("write", err)
		}
	}
	return nil
}
