//go:build !linux

package transport

import (
	"errors"

	"golang.org/x/sys/unix"
)

// poller, on systems other than Linux, lets gnet buffer what a socket does not accept, and ends a
// connection when the buffer becomes too large.
type poller struct{}

// epolls is used only on Linux.
type epolls struct{}

func listEpolls() (epolls, error) { return epolls{}, nil }

// maxBuffered is how much gnet may buffer for one connection, in bytes.
const maxBuffered = 16 << 20

var errSlow = errors.New("the peer does not read what it asked for")

func newPoller(*Loop, int) (*poller, error) { return &poller{}, nil }

func (e *poller) lighten(near, far int) error { return nil }

func (e *poller) pause(*Conn) bool { return false }

func (e *poller) resume(*Conn) {}

func (e *poller) write(c *Conn, p []byte) (int, error) {
	if !c.Attached() {
		return 0, unix.EPIPE
	}
	if c.conn.OutboundBuffered() > maxBuffered {
		return 0, errSlow
	}
	return c.conn.Write(p)
}

func (e *poller) writev(c *Conn, parts [][]byte) (int, error) { return e.write(c, parts[0]) }

func (e *poller) read(c *Conn, p []byte) (int, error) { return unix.Read(c.fd, p) }

func (e *poller) unconfirmed(*Conn) int { return 0 }

func (e *poller) awaitWritable(*Conn) {}

func (e *poller) forget(*Conn) {}

func (e *poller) close() {}

func (e *poller) duplicate(*Conn) (int, error) { return 0, errors.ErrUnsupported }

func (e *poller) unread(*Conn) int { return 0 }

func (e *poller) unheard(*Conn) int { return 0 }
