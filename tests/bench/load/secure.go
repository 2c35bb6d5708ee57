//go:build linux

package load

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// secure is the TLS of a connection. After the handshake it works in memory, as the
// thread that makes the load reads and writes the socket.
type secure struct {
	tls  *tls.Conn
	wire wire
}

// shake makes a handshake on a socket that blocks.
func shake(fd int, config *tls.Config) (*secure, error) {
	timeout := unix.NsecToTimeval(patience.Nanoseconds())
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &timeout); err != nil {
		return nil, os.NewSyscallError("setsockopt", err)
	}
	s := &secure{wire: wire{fd: fd}}
	s.tls = tls.Client(&s.wire, config)
	if err := s.tls.Handshake(); err != nil {
		return nil, err
	}
	s.wire.settled = true
	return s, nil
}

// seal adds plaintext to what is sent next.
func (s *secure) seal(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	_, err := s.tls.Write(p)
	return err
}

// send writes as much as the socket takes.
func (s *secure) send(fd int) error {
	rest, err := write(fd, s.wire.out)
	s.wire.out = s.wire.out[:copy(s.wire.out, rest)]
	return err
}

// feed takes what was received. It must not change until open says that there is no more.
func (s *secure) feed(p []byte) { s.wire.in = p }

// open fills p with plaintext. It returns 0 if there is no more of it yet.
func (s *secure) open(p []byte) (int, error) {
	n, err := s.tls.Read(p)
	switch {
	case errors.Is(err, again{}):
		return n, nil
	case err == io.EOF:
		return n, errClosed
	}
	return n, err
}

// wire is what a tls.Conn takes for a connection: the socket during the handshake, memory
// after it.
type wire struct {
	net.Conn // none: nothing else of it is used
	fd       int
	settled  bool // the handshake is over
	in, out  []byte
}

// again says that nothing more has been received. crypto/tls goes on after errors that are
// temporary.
type again struct{}

func (again) Error() string   { return "nothing more has been received" }
func (again) Timeout() bool   { return true }
func (again) Temporary() bool { return true }

// Read implements [net.Conn].
func (w *wire) Read(p []byte) (int, error) {
	if !w.settled {
		return readAnything(w.fd, p)
	}
	if len(w.in) == 0 {
		return 0, again{}
	}
	n := copy(p, w.in)
	w.in = w.in[n:]
	return n, nil
}

// Write implements [net.Conn].
func (w *wire) Write(p []byte) (int, error) {
	if !w.settled {
		return unix.Write(w.fd, p)
	}
	w.out = append(w.out, p...)
	return len(p), nil
}

// readAnything reads from a socket that blocks.
func readAnything(fd int, p []byte) (int, error) {
	for {
		n, err := unix.Read(fd, p)
		switch {
		case errors.Is(err, unix.EINTR): // not restarted on sockets that have a timeout
			continue
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, errClosed
		}
		return n, nil
	}
}
