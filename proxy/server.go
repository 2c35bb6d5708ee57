package proxy

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Server is the proxy. It is started once and stopped once.
type Server struct {
	shared
	stop    sync.Once             // closing a descriptor again could close another's
	setup   atomic.Pointer[setup] // nil before Start
	started time.Time
	cancel  context.CancelFunc

	reloading sync.Mutex // held by a reload
	stopping  bool       // nothing is reloaded any more
	removed   removed

	engine    *transport.Engine
	acceptors sync.WaitGroup

	enrolling  chan struct{} // one element for each client that is enrolling
	rejected   atomic.Uint64
	unaccepted atomic.Uint64 // failed attempts to accept a client
	desk       desk
	polls      polls // used by the first loop only
	handshakes *secure.Handshakes
}

// Addrs returns the addresses that the server listens on.
func (s *Server) Addrs() []net.Addr {
	var addrs []net.Addr
	for _, l := range s.setup.Load().listeners {
		addrs = append(addrs, l.Addr())
	}
	return addrs
}

// OpenAddrs returns those of the addresses at which clients need no certificate.
func (s *Server) OpenAddrs() (addrs []net.Addr) {
	now := s.setup.Load()
	for i, l := range now.listeners {
		if tls := now.config.Listeners[i].TLS; tls == nil || !tls.AsksForCertificates() {
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
