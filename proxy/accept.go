package proxy

import (
	"errors"
	"net"
	"time"

	"github.com/memverbs/memverbs/proxy/transport"
)

// tooMany is what a client is told that can't be served.
const tooMany = "SERVER_ERROR too many open connections\r\n"

// acceptPause is how long to wait when the process has run out of something
// that a connection needs.
const acceptPause = 50 * time.Millisecond

// accept hands the clients that connect to l to the loops.
func (s *Server) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			s.unaccepted.Add(1)
			s.log.Warn("cannot accept a client", "address", l.Addr().String(), "error", transport.Cause(err))
			s.pause(acceptPause)
			continue
		}
		if s.clients.Add(1) > int64(s.config.MaxClients) {
			s.reject(conn)
			continue
		}
		s.enroll(conn)
	}
}

// maxEnrolling is how many clients may be on their way to a loop, as each needs
// two descriptors until it is there.
const maxEnrolling = 32

// enroll hands a client to the loop that has least. It does not wait for the
// loop, which may have a lot to do, so that others can be accepted meanwhile.
func (s *Server) enroll(conn net.Conn) {
	l := s.loops[0]
	for _, other := range s.loops[1:] {
		if other.assigned.Load() < l.assigned.Load() {
			l = other
		}
	}
	l.assigned.Add(1)
	s.enrolling <- struct{}{}
	go func() {
		defer func() { <-s.enrolling }()
		if err := l.net.Enroll(conn, &newClient(l).conn); err != nil {
			s.unserved(l, conn, err)
		}
	}()
}

// unserved notes that a client could not be handed to its loop.
func (s *Server) unserved(l *loop, conn net.Conn, err error) {
	s.log.Warn("cannot serve a client", "client", conn.RemoteAddr().String(), "error", err)
	l.assigned.Add(-1)
	s.departed()
}

// reject tells a client that it can't be served.
func (s *Server) reject(conn net.Conn) {
	s.departed()
	s.rejected.Add(1)
	_ = conn.SetWriteDeadline(time.Now().Add(acceptPause)) // a new socket has room for a line
	_, _ = conn.Write([]byte(tooMany))
	_ = conn.Close()
}

// pause waits, but not longer than the server runs.
func (s *Server) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.context.Done():
	case <-timer.C:
	}
}
