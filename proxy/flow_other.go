//go:build !linux

package proxy

import (
	"errors"

	"golang.org/x/sys/unix"
)

// flow, elsewhere than on Linux, lets gnet buffer what a socket does not take,
// and gives up a connection on which that becomes too much.
type flow struct{}

// maxBuffered is how much gnet may hold for one connection, in bytes.
const maxBuffered = 16 << 20

var errSlow = errors.New("the peer does not read what it asked for")

func newFlow(*loop, int) (*flow, error) { return &flow{}, nil }

func (f *flow) pause(*wire) bool { return false }

func (f *flow) resume(*wire) {}

func (f *flow) write(w *wire, p []byte) (int, error) {
	if w.conn == nil {
		return 0, unix.EPIPE
	}
	if w.conn.OutboundBuffered() > maxBuffered {
		return 0, errSlow
	}
	return w.conn.Write(p)
}

func (f *flow) writev(w *wire, parts [][]byte) (int, error) { return f.write(w, parts[0]) }

func (f *flow) read(w *wire, p []byte) (int, error) { return unix.Read(w.fd, p) }

func (f *flow) unconfirmed(*wire) int { return 0 }

func (f *flow) awaitWritable(*wire) {}

func (f *flow) forget(*wire) {}

func (f *flow) close() {}

func (f *flow) duplicate(*wire) (int, error) { return 0, errors.ErrUnsupported }

func (f *flow) unread(*wire) int { return 0 }
