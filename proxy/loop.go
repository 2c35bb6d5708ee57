package proxy

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// loop is one event loop: some of the clients, connections of its own to every
// upstream, and all that lies between them. Everything in it is touched by the
// loop's goroutine only, so nothing is locked.
//
// Whatever an event brings is worked through in memory first; when that is done
// (Settle), what is to be written is written, once for each connection.
type loop struct {
	server    *Server
	net       *transport.Loop
	log       *slog.Logger
	pool      memory.Pool
	values    values
	env       upstream.Env // of the upstreams
	upstreams *pool
	untried   int // upstreams whose first connection attempt has not ended
	located   located
	clients   map[*client]struct{}
	assigned  atomic.Int64         // clients, with those that are on their way here
	leaving   map[*client]struct{} // those that will be closed soon
	stats     counters
	polls     map[string]*poll // under way, by what they ask for
	req       protocol.Request // the one that is being carried out; nothing is kept in it
	carriage  carriage
	appends   appends
	account   memory.Account
	rooms     rooms
	arguments argumentRoom
	turns     turns
	outgrown  outgrown
	losses    losses

	queues      []*queue     // in which clients wait
	idleWaiting []*waiting   // for later requests that have to wait
	awake       []*client    // that may be able to go on with their input
	routines    []*execution // idle, for later verbs
	kept        int          // by these, in bytes
	scratch     structure.Scratch
	views       *structure.Views
	decisions   structure.Decisions
	woken       []*execution // by another verb that they have waited for
	gathers     []*gather    // idle, for later retrievals

	clock     *clock.Clock
	receipt   uint64      // how often something was received from a client
	asked     atomic.Bool // by another loop, to let go of memory
	futile    futile
	begun     uint64 // executions so far
	mostVerbs int    // under way for an upstream
}

// ticksPerTimeout is how finely an upstream's time-out is measured.
const ticksPerTimeout = 20

func newLoop(s *Server, net *transport.Loop) *loop {
	l := &loop{
		server:  s,
		net:     net,
		log:     s.log,
		clients: map[*client]struct{}{},
		leaving: map[*client]struct{}{},
		polls:   map[string]*poll{},
	}
	l.clock = clock.New(max(s.config.Timeout/ticksPerTimeout, time.Millisecond), l.post, l.onTick)
	l.appends.loop, l.rooms.loop, l.turns.loop = l, l, l
	l.account.Budget = &s.budget
	l.mostVerbs = s.config.mostVerbs()
	l.pool.Account = &l.account
	l.views = structure.NewViews(s.viewRoom)
	l.net.Serve(l, &l.pool)
	if s.config.VerbKeys != "" {
		l.carriage.keys = verbkeys.New(s.config.VerbKeys)
	}
	l.env = l.newEnv()
	l.upstreams = newPool(l)
	l.untried = len(l.upstreams.all)
	l.arguments.loop, l.arguments.of = l, &l.arguments
	return l
}

// newEnv returns what the loop's upstreams get of it.
func (l *loop) newEnv() upstream.Env {
	s := l.server
	return upstream.Env{
		Net:            l.net,
		Clock:          l.clock,
		Pool:           &l.pool,
		Context:        s.context,
		Counts:         &l.stats.Counts,
		Timeout:        s.config.Timeout,
		ConnectTimeout: s.config.ConnectTimeout,
		MaxItemSize:    s.config.MaxItemSize,
		MaxLong:        verbs.MaxAnswer,
		LargeReply:     l.largeReply(),
		UnderWay:       s.underWay(),
		HasMemory:      l.hasMemory,
		TooLong:        tooLong,
	}
}

// post has fn called on the loop. It may be called from any goroutine. It
// reports whether the loop still runs.
func (l *loop) post(fn func()) bool { return l.net.Post(fn) }

// Settle implements [transport.LoopOwner]. Clients that can go on do, and what has
// been queued is written.
func (l *loop) Settle() {
	l.settle()
	l.turns.read = 0
}

func (l *loop) settle() {
	l.goOn()
	if l.account.Overdrawn() {
		l.relieve()
		l.goOn()
	}
}

// goOn has those go on that can, until nobody can.
func (l *loop) goOn() {
	for l.wakeVerbs() || l.rooms.next() || l.appends.next() || len(l.queues) > 0 && l.serveQueues() || len(l.awake) > 0 || l.net.HasToFlush() || l.env.HasToDispatch() {
		for len(l.awake) > 0 {
			c := l.awake[len(l.awake)-1]
			l.awake = l.awake[:len(l.awake)-1]
			c.awake = false
			c.proceed()
		}
		l.env.Dispatch()
		l.net.Flush()
	}
}

// EndTurn implements [transport.LoopOwner].
func (l *loop) EndTurn() {
	for _, u := range l.upstreams.all {
		u.EndTurn()
	}
	l.net.WriteOn()
	l.turns.next()
}

// wake has c go on with its input before the current callback ends.
func (l *loop) wake(c *client) {
	if !c.awake {
		c.awake = true
		l.awake = append(l.awake, c)
	}
}

// onTick looks for what has been waited for too long. It reports whether anything is
// waited for.
func (l *loop) onTick() (waiting bool) {
	for _, u := range l.upstreams.all {
		waiting = u.OnTick() || waiting
	}
	waiting = l.appends.onTick() || waiting
	waiting = l.rooms.onTick() || len(l.arguments.clients) > 0 || waiting
	for c := range l.leaving {
		waiting = true
		c.onTick()
	}
	return waiting
}

// drain has every client leave when what it has asked for is answered.
func (l *loop) drain() {
	for c := range l.clients {
		c.conn.Pause()
		c.eof = true
		c.depart()
	}
}

// shut fails whatever is still under way, so that nothing waits for it.
func (l *loop) shut() {
	for c := range l.clients {
		c.abort()
	}
	for _, u := range l.upstreams.all {
		u.First.Fail("is not asked any more: the proxy is shutting down")
	}
	l.turns.shut()
}

// close ends what the loop has started, after it has ended itself.
func (l *loop) close() {
	l.clock.Stop()
	for _, u := range l.upstreams.all {
		u.Close()
	}
	for _, r := range l.routines {
		r.routine.Close()
	}
}
