package proxy

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Server is the proxy. It is started once and stopped once.
type Server struct {
	shared *front.Shared
	stop   sync.Once // closing a descriptor again could close another's
	cancel context.CancelFunc

	reloading sync.Mutex // held by a reload
	stopping  bool       // nothing is reloaded any more
	removed   config.Gone
	stale     config.Staleness

	engine    *transport.Engine
	acceptors sync.WaitGroup
	looking   sync.WaitGroup
	lookEvery time.Duration // how often names are looked up again
	lookNow   chan struct{} // asks for names to be looked up again

	background background
	recordNow  chan struct{} // has the records of servers looked after

	enrolling chan struct{} // one element for each client that is enrolling
}

// Addrs returns the addresses that the server listens on.
func (s *Server) Addrs() []net.Addr {
	return s.addrsOf(func(*config.Listener) bool { return true })
}

// OpenAddrs returns the addresses at which clients need neither a certificate nor a password.
func (s *Server) OpenAddrs() []net.Addr {
	return s.addrsOf(func(l *config.Listener) bool {
		return l.Passwords == nil && (l.TLS == nil || !l.TLS.AsksForCertificates())
	})
}

// LegibleAddrs returns the addresses at which clients send passwords without TLS.
func (s *Server) LegibleAddrs() []net.Addr {
	return s.addrsOf(func(l *config.Listener) bool { return l.Passwords != nil && l.TLS == nil })
}

// addrsOf returns the addresses of the listeners that those selects.
func (s *Server) addrsOf(those func(*config.Listener) bool) (addrs []net.Addr) {
	now := s.shared.Setup.Load()
	for i, l := range now.Sockets {
		if those(&now.Config.Listeners[i]) {
			addrs = append(addrs, l.Addr())
		}
	}
	return addrs
}

// Snapshot returns the state of the proxy. It returns an error if the event loops have not
// answered when ctx is done. It must be called between Open and the end of Shutdown.
func (s *Server) Snapshot(ctx context.Context) (*status.Snapshot, error) {
	return s.shared.Snapshot(ctx)
}
