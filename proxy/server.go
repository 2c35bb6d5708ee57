package proxy

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
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

	aside      sync.Mutex    // held by what is done beside the loops
	enrolling  chan struct{} // a place for each client on its way to a loop
	rejected   atomic.Uint64
	unaccepted atomic.Uint64 // attempts to accept a client for which something was lacking
	viewRoom   *structure.ViewRoom
	polls      polls // by the first loop
}

// New returns a server that does as config says and logs to log.
func New(config Config, log *slog.Logger) *Server {
	s := &Server{
		shared:    shared{config: config, log: log, drained: make(chan struct{})},
		layout:    config.Layout,
		enrolling: make(chan struct{}, maxEnrolling),
		polls:     polls{},
	}
	s.shared.answerStats = s.answerStats
	s.budget.Limit = int64(config.BufferMemory)
	if config.ReadCacheUsed == nil {
		s.config.ReadCacheUsed = func(int64) {}
	}
	s.viewRoom = structure.NewViewRoom(config.ReadCache, config.Loops, s.config.ReadCacheUsed)
	s.config.unmoved = unmoved
	s.context, s.cancel = context.WithCancel(context.Background())
	if config.LogLinesLost == nil {
		s.config.LogLinesLost = func() uint64 { return 0 }
	}
	var servers []upstream.Server
	for _, u := range config.Upstreams {
		servers = append(servers, upstream.Server{Name: u.Name, Dial: u.Dial, Ended: u.Ended})
	}
	s.servers = upstream.NewServers(servers, config.Loops, log)
	return s
}

// Addrs returns the addresses that the server listens on.
func (s *Server) Addrs() []net.Addr {
	addrs := make([]net.Addr, 0, len(s.listeners))
	for _, l := range s.listeners {
		addrs = append(addrs, l.Addr())
	}
	return addrs
}

// eachLoop has fn called on every loop, and does not wait for it.
func (s *Server) eachLoop(fn func(*loop)) {
	for _, l := range s.loops {
		l.post(func() { fn(l) })
	}
}

// collect gathers the reports of all loops and calls then, on one of them.
func (s *Server) collect(then func(report)) {
	var mu sync.Mutex
	var all report
	waiting := len(s.loops)
	s.eachLoop(func(l *loop) {
		mu.Lock()
		defer mu.Unlock()
		all.add(l.report())
		if waiting--; waiting == 0 {
			then(all)
		}
	})
}

func (s *Server) closeListeners() {
	for _, l := range s.listeners {
		_ = l.Close()
	}
}
