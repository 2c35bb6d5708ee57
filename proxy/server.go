package proxy

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs"
)

// Server is the proxy. It is started once and stopped once.
type Server struct {
	config  Config
	layout  interface{ Locate([]byte) int }
	log     *slog.Logger
	started time.Time
	budget  memory.Budget
	context context.Context
	cancel  context.CancelFunc

	engine    *gnet.Client
	loops     []*loop
	byEvents  map[gnet.EventLoop]*loop
	primed    chan primed
	health    []health
	versions  versions
	listeners []net.Listener
	acceptors sync.WaitGroup

	aside      sync.Mutex    // held by what is done beside the loops
	enrolling  chan struct{} // a place for each client on its way to a loop
	clients    atomic.Int64
	rejected   atomic.Uint64
	unaccepted atomic.Uint64 // attempts to accept a client for which something was lacking
	viewRoom   *verbs.ViewRoom
	draining   atomic.Bool
	drained    chan struct{}
	stopped    atomic.Bool // nothing must be run on the loops any more
}

// New returns a server that does as config says and logs to log.
func New(config Config, log *slog.Logger) *Server {
	s := &Server{
		config:    config,
		layout:    config.Layout,
		log:       log,
		byEvents:  map[gnet.EventLoop]*loop{},
		primed:    make(chan primed, config.Loops),
		health:    make([]health, len(config.Upstreams)),
		versions:  versions{seen: make([]version, len(config.Upstreams))},
		enrolling: make(chan struct{}, maxEnrolling),
		drained:   make(chan struct{}),
	}
	s.budget.Limit = int64(config.BufferMemory)
	if config.ReadCacheUsed == nil {
		s.config.ReadCacheUsed = func(int64) {}
	}
	s.viewRoom = verbs.NewViewRoom(config.ReadCache, config.Loops, s.config.ReadCacheUsed)
	s.config.unmoved = unmoved
	s.context, s.cancel = context.WithCancel(context.Background())
	if config.LogLinesLost == nil {
		s.config.LogLinesLost = func() uint64 { return 0 }
	}
	for i := range s.health {
		h := &s.health[i]
		h.name, h.log, h.loops = config.Upstreams[i].Name, log, int32(config.Loops)
	}
	return s
}

// Start begins to listen and to connect to the upstreams. It returns when clients
// are served, or with an error that says what could not be done. It does not wait
// for the upstreams: requests for keys of one wait until the first attempt to
// connect to it has succeeded or failed. That it can't be reached is no error.
func (s *Server) Start() error {
	s.started = time.Now()
	if err := s.checkUpstreams(); err != nil {
		return err
	}
	for _, a := range s.config.Listen {
		l, err := listen(a, s.config.SocketMode)
		if err != nil {
			s.closeListeners()
			return err
		}
		s.listeners = append(s.listeners, l)
	}
	if err := s.checkSelf(); err != nil {
		s.closeListeners()
		return err
	}
	if err := s.startLoops(); err != nil {
		s.closeListeners()
		return err
	}
	s.connect()
	for _, l := range s.listeners {
		s.acceptors.Go(func() { s.accept(l) })
	}
	return nil
}

// Addrs returns the addresses that the server listens on.
func (s *Server) Addrs() []net.Addr {
	addrs := make([]net.Addr, 0, len(s.listeners))
	for _, l := range s.listeners {
		addrs = append(addrs, l.Addr())
	}
	return addrs
}

// startLoops starts gnet. The engine that gnet calls a client's is the one
// that leaves listening to us: so the number of clients is bounded before
// anything is spent on them, running out of descriptors is survived, and
// listening can end before the connections do.
func (s *Server) startLoops() error {
	engine, err := gnet.NewClient(&handler{server: s},
		gnet.WithNumEventLoop(s.config.Loops),
		gnet.WithReadBufferCap(transport.ReadSize),
		gnet.WithLogger(gnetLog{s.log}),
	)
	if err != nil {
		return fmt.Errorf("event loops: %w", err)
	}
	if err = engine.Start(); err != nil {
		return fmt.Errorf("event loops: %w", err)
	}
	s.engine = engine
	return s.prime()
}

// primed is what came of one loop's first connection.
type primed struct {
	loop *loop
	err  error
}

// primer is the context of the connections that make the loops known to us, and
// by which the loops are woken later.
type primer struct{ far int } // the descriptor of the other end

// prime gets hold of the event loops, by giving each a connection: gnet hands
// a new one to the loop that has least.
func (s *Server) prime() error {
	for range s.config.Loops {
		near, far, err := connected()
		if err != nil {
			return err
		}
		if _, err = s.engine.EnrollContext(near, primer{far}); err != nil {
			_ = unix.Close(far)
			return err
		}
		p := <-s.primed
		if p.err != nil {
			_ = unix.Close(far)
			return fmt.Errorf("event loops: %w", p.err)
		}
		if s.byEvents[p.loop.events] != nil {
			return errors.New("event loops: one was handed two connections while another had none")
		}
		s.byEvents[p.loop.events] = p.loop
		s.loops = append(s.loops, p.loop)
	}
	return nil
}

// connected returns two sockets that are connected to each other.
func connected() (near net.Conn, far int, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, 0, os.NewSyscallError("socketpair", err)
	}
	for _, fd := range pair {
		unix.CloseOnExec(fd)
		_ = unix.SetNonblock(fd, true)
	}
	file := os.NewFile(uintptr(pair[0]), "primer")
	defer func() { _ = file.Close() }()
	if near, err = net.FileConn(file); err != nil {
		_ = unix.Close(pair[1])
	}
	return near, pair[1], err
}

// connect has every loop connect to every upstream, and does not wait for it.
func (s *Server) connect() {
	s.eachLoop(func(l *loop) {
		for _, u := range l.upstreams {
			u.connect()
		}
	})
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

// lastRead is how long a shutdown goes on reading what clients have sent.
const lastRead = 50 * time.Millisecond

// Shutdown stops listening, waits until what is in flight has been answered,
// but no longer than the configured time, and ends everything.
func (s *Server) Shutdown() {
	s.closeListeners()
	s.acceptors.Wait()
	s.pause(lastRead)
	s.draining.Store(true)
	s.eachLoop((*loop).drain)
	if s.clients.Load() > 0 {
		timer := time.NewTimer(s.config.Drain)
		defer timer.Stop()
		select {
		case <-s.drained:
		case <-timer.C:
			s.log.Warn("clients cut off: what they asked for was not answered in time", "clients", s.clients.Load(), "drain", s.config.Drain)
		}
	}
	s.cancel()
	var shut sync.WaitGroup
	for _, l := range s.loops {
		shut.Add(1)
		if !l.post(func() { l.shut(); shut.Done() }) {
			shut.Done()
		}
	}
	shut.Wait()
	s.stopped.Store(true)
	if err := s.engine.Stop(); err != nil {
		s.log.Error("event loops did not stop in order", "error", err)
	}
	for _, l := range s.loops {
		l.close()
	}
}

func (s *Server) closeListeners() {
	for _, l := range s.listeners {
		_ = l.Close()
	}
}

// departed is called when a client is gone.
func (s *Server) departed() {
	if s.clients.Add(-1) == 0 && s.draining.Load() {
		select {
		case <-s.drained:
		default:
			close(s.drained)
		}
	}
}
