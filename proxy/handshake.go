package proxy

import (
	"net"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/secure"
)

// shake makes the handshake with a client of a listener that speaks TLS, and enrolls it after that.
// It waits while there are too many handshakes, but returns before the handshake is over. The
// client counts as connected from the start.
func (s *Server) shake(conn net.Conn, at *config.Socket, tls *secure.Server) {
	place := s.shared.Handshakes.Take(conn, at.Name())
	go func() {
		session, err := place.Shake(tls)
		if err != nil {
			at.Clients.Add(-1)
			s.shared.Departed()
			return
		}
		s.enroll(session, at)
	}()
}
