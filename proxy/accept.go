package proxy

import (
	"errors"
	"net"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/transport"
)

// tooMany is the error for a client that is refused because too many are connected.
const tooMany = "SERVER_ERROR too many open connections\r\n"

// MoreFiles says what to do where the system allows too few open files.
const MoreFiles = "raise the limit of open files: ulimit -n, or LimitNOFILE in a unit of systemd"

// acceptPause is the pause after accepting has failed for lack of a resource.
const acceptPause = 50 * time.Millisecond

// accept accepts clients on l and assigns them to loops.
func (s *Server) accept(l *config.Socket) {
	for {
		conn, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			s.shared.Unaccepted.Add(1)
			l.Unaccepted.Log(s.shared.Log, "cannot accept a client", "address", l.Name(), "error", unacceptable(err))
			s.pause(acceptPause)
			continue
		}
		if !s.hasRoom(l) {
			s.reject(conn, l)
			continue
		}
		if tls := s.shared.Setup.Load().Listener(l).TLS; tls != nil {
			s.shake(conn, l, tls)
			continue
		}
		s.enroll(conn, l)
	}
}

// unacceptable says why a client could not be accepted, and what to do where that is a limit of the system.
func unacceptable(err error) string {
	reason := transport.Cause(err).Error()
	if errors.Is(err, syscall.EMFILE) {
		reason += "; " + MoreFiles
	}
	return reason
}

// hasRoom counts a client of l, and reports whether the number of clients is still allowed.
func (s *Server) hasRoom(l *config.Socket) bool {
	now := s.shared.Setup.Load()
	all, here := s.shared.Clients.Add(1), l.Clients.Add(1)
	most := now.Listener(l).MaxClients
	return all <= int64(now.Config.MaxClients) && (most == 0 || here <= int64(most))
}

// maxEnrolling is how many clients may be in the process of enrolling, since each needs
// two descriptors until that is done.
const maxEnrolling = 32

// enroll assigns a client to the loop with the fewest clients. It waits while too many others are
// enrolling, but not for the loop, which may be busy, so that others can be accepted meanwhile.
func (s *Server) enroll(conn net.Conn, at *config.Socket) {
	l := s.shared.Loops[0]
	for _, other := range s.shared.Loops[1:] {
		if other.Clients.Assigned.Load() < l.Clients.Assigned.Load() {
			l = other
		}
	}
	l.Clients.Assigned.Add(1)
	s.enrolling <- struct{}{}
	go func() {
		defer func() { <-s.enrolling }()
		if err := l.Enroll(conn, at); err != nil {
			s.unserved(l, at, conn, err)
		}
	}()
}

// unserved handles a client that its loop could not enroll.
func (s *Server) unserved(l *front.Loop, at *config.Socket, conn net.Conn, err error) {
	at.Unserved.Log(s.shared.Log, "cannot serve a client", "client", conn.RemoteAddr().String(), "error", err)
	l.Clients.Assigned.Add(-1)
	at.Clients.Add(-1)
	s.shared.Departed()
}

// reject sends tooMany to a client and closes the connection.
func (s *Server) reject(conn net.Conn, l *config.Socket) {
	l.Clients.Add(-1)
	s.shared.Departed()
	s.shared.Rejected.Add(1)
	l.Crowded.Log(s.shared.Log, "a client is refused: as many as max-clients allows are connected", "address", l.Name(), "client", conn.RemoteAddr().String())
	_ = conn.SetWriteDeadline(time.Now().Add(acceptPause)) // a new socket has room for a line
	_, _ = conn.Write([]byte(tooMany))
	_ = conn.Close()
}

// pause waits for d, or until the server is stopped.
func (s *Server) pause(d time.Duration) {
	select {
	case <-s.shared.Context.Done():
	case <-time.After(d):
	}
}
