package proxy

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Server is the proxy. It is started once and stopped once.
type Server struct {
	shared
	stop    sync.Once                    // closing a descriptor again could close another's
	setup   atomic.Pointer[config.Setup] // nil before Start
	started time.Time
	cancel  context.CancelFunc

	reloading sync.Mutex // held by a reload
	stopping  bool       // nothing is reloaded any more
	removed   config.Gone
	stale     config.Staleness

	engine    *transport.Engine
	acceptors sync.WaitGroup
	looking   sync.WaitGroup
	lookNow   chan struct{} // asks for names to be looked up again

	enrolling  chan struct{} // one element for each client that is enrolling
	rejected   atomic.Uint64
	unaccepted atomic.Uint64 // failed attempts to accept a client
	desk       report.Desk
	polls      *report.Polls // used by the first loop only
	handshakes *secure.Handshakes
}

// Addrs returns the addresses that the server listens on.
func (s *Server) Addrs() []net.Addr {
	var addrs []net.Addr
	for _, l := range s.setup.Load().Sockets {
		addrs = append(addrs, l.Addr())
	}
	return addrs
}

// OpenAddrs returns those of the addresses at which clients need neither a certificate nor a
// password.
func (s *Server) OpenAddrs() []net.Addr {
	return s.addrsOf(func(l *config.Listener) bool {
		return l.Passwords == nil && (l.TLS == nil || !l.TLS.AsksForCertificates())
	})
}

// LegibleAddrs returns those of the addresses at which clients show passwords without TLS.
func (s *Server) LegibleAddrs() []net.Addr {
	return s.addrsOf(func(l *config.Listener) bool { return l.Passwords != nil && l.TLS == nil })
}

// addrsOf returns the addresses of those listeners.
func (s *Server) addrsOf(those func(*config.Listener) bool) (addrs []net.Addr) {
	now := s.setup.Load()
	for i, l := range now.Sockets {
		if those(&now.Config.Listeners[i]) {
			addrs = append(addrs, l.Addr())
		}
	}
	return addrs
}

// eachLoop calls fn on every loop, without waiting.
func (s *Server) eachLoop(fn func(*loop)) {
	for _, l := range s.loops {
		l.post(func() { fn(l) })
	}
}
