package proxy

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Server is the proxy. It is started once and stopped once.
type Server struct {
	shared
	layout  pool.Layout
	started time.Time
	context context.Context
	cancel  context.CancelFunc

	engine    *transport.Engine
	listeners []net.Listener
	acceptors sync.WaitGroup

	aside      sync.Mutex    // held while a function of Elsewhere runs
	enrolling  chan struct{} // one element for each client that is enrolling
	rejected   atomic.Uint64
	unaccepted atomic.Uint64 // failed attempts to accept a client
	viewRoom   *structure.ViewRoom
	polls      polls // used by the first loop only
}

// Addrs returns the addresses that the server listens on.
func (s *Server) Addrs() []net.Addr {
	addrs := make([]net.Addr, 0, len(s.listeners))
	for _, l := range s.listeners {
		addrs = append(addrs, l.Addr())
	}
	return addrs
}

// eachLoop calls fn on every loop, without waiting.
func (s *Server) eachLoop(fn func(*loop)) {
	for _, l := range s.loops {
		l.post(func() { fn(l) })
	}
}
