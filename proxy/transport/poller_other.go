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

// gnetReads is how much gnet reads at once, in bytes.
const gnetReads = ReadSize

// serveSockets leaves waiting and reading to gnet.
func (l *Loop) serveSockets(bool) bool {
	l.goesOn()
	return false
}

// maxBuffered is how much gnet may buffer for one connection, in bytes.
const maxBuffered = 16 << 20

var errSlow = errors.New("the peer does not read what it asked for")

func newPoller(*epolls, int) (*poller, error) { return &poller{}, nil }

func (e *poller) lighten(near, far int) error { return nil }

func (e *poller) pause(int) bool { return false }

func (e *poller) resume(int) {}

func (e *poller) write(to *handle, p []byte) (int, error) {
	if to.conn == nil {
		return 0, unix.EPIPE
	}
	if to.conn.OutboundBuffered() > maxBuffered {
		return 0, errSlow
	}
	return to.conn.Write(p)
}

func (e *poller) writev(to *handle, parts [][]byte) (int, error) { return e.write(to, parts[0]) }

func (e *poller) read(fd int, p []byte) (int, error) { return unix.Read(fd, p) }

func (e *poller) unconfirmed(int) int { return 0 }

func (e *poller) awaitWritable(int, bool) error { return nil }

func (e *poller) forget(int) {}

func (e *poller) close() {}

func (e *poller) duplicate(int) (int, error) { return 0, errors.ErrUnsupported }

func (e *poller) undelivered(int) int { return 0 }

func (e *poller) unreceived(int) int { return 0 }
