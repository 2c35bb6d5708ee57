package proxy

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/proxy/warning"
	"github.com/memverbs/memverbs/verbs/structure"
)

// loop is one event loop: some of the clients, its own connections to every upstream,
// and everything between them. Only the loop's goroutine uses its fields, except atomic
// ones, so nothing is locked. turn.go has what it does in each turn.
type loop struct {
	*shared
	net     *transport.Loop
	clock   *clock.Clock
	account memory.Account
	buffers memory.Pool
	batch   upstream.Batch
	queues  admission.Queues
	work    execution.Work

	clients loopClients
	pools   loopPools
	scratch scratch
	reuse   reuse
	values  values // that its clients have got

	timers loopTimers
	relief relief

	stats    status.Counts
	timing   reply.Timing
	refusals warning.Limited // of passwords
}

// loopClients are the clients of a loop, and what they do in its turn.
type loopClients struct {
	all      map[*client]struct{}
	leaving  map[*client]struct{} // those that will be closed soon
	late     int                  // how many have come while others were dismissed
	assigned atomic.Int64         // how many there are, including those that are enrolling
	woken    []*client            // that may be able to proceed
	resting  []*client            // that proceed at the end of the turn
	effort   int                  // how much the requests of all of them took in this turn
	receipt  uint64               // number of reads from clients
}

// loopPools are the pools of a loop, and what a reload has left of others.
type loopPools struct {
	current  []*route.Pool  // in the order of the setup
	retired  []*route.Pool  // replaced or removed ones whose verbs are still running
	members  []*pool.Member // of all these, each once
	routings map[*config.Socket]*route.Table
	replaced bool // a pool or a member is retired and not closed yet
}

// scratch is memory for the request that is being dispatched.
type scratch struct {
	req      protocol.Request
	plain    protocol.Request // see asksPlainly
	carriage route.Carriage
	stripped route.Stripped
}

// reuse keeps objects for reuse.
type reuse struct {
	waiting idleWaiting
	gathers []*gather
}

// loopTimers are what a loop does from time to time.
type loopTimers struct {
	idle      *time.Timer   // of closeIdle; nil if no client is disconnected for being idle
	idleEvery time.Duration // how often that runs
	probing   *time.Timer   // of probe; nil if upstreams are not probed
}

// shared is what all loops of a server share.
type shared struct {
	config   config.Config // when it started; only settings that a reload does not change are used
	pauses   pauses
	log      *slog.Logger
	context  context.Context
	budget   memory.Budget
	viewRoom *structure.ViewRoom

	refusedKeys *warning.ByReason // keys that name verbs

	loops       []*loop
	aside       sync.Mutex // held while a function of elsewhere runs
	worksBeside func()     // called before each
	firstVerb   func()     // called before a client's first verb

	cuts warning.Shared // of clients, see relief.go

	clients  atomic.Int64
	draining atomic.Bool   // clients are dismissed
	deserted atomic.Bool   // and no others come any more
	drained  chan struct{} // closed when all are gone after that

	// answerStats answers stats with an argument, for a client of a listener; answer is
	// called on any loop. It returns false if there is no such argument.
	answerStats func(at *config.Socket, what string, answer func(text string)) bool
}

// post calls fn on the loop, later. It may be called from any goroutine. It returns
// false if the loop has ended.
func (l *loop) post(fn func()) bool { return l.net.Post(fn) }

// wake makes c proceed before the current callback ends.
func (l *loop) wake(c *client) {
	if !c.pace.woken {
		c.pace.woken = true
		l.clients.woken = append(l.clients.woken, c)
	}
}

// shed frees all memory kept for reuse, because memory is short.
func (l *loop) shed() {
	l.buffers.Shed()
	l.eachExecutor((*execution.Executor).ShedIdle)
}

// eachExecutor calls fn with the executors of all pools.
func (l *loop) eachExecutor(fn func(*execution.Executor)) {
	for _, p := range l.pools.current {
		fn(p.Verbs)
	}
	for _, p := range l.pools.retired {
		fn(p.Verbs)
	}
}

// hasMemory reports whether n bytes are available, after freeing memory kept for reuse
// if necessary.
func (l *loop) hasMemory(n int) bool {
	if !l.account.Reserve(n) {
		l.shed()
	}
	return l.account.Reserve(n)
}

// largeReplyShare is the fraction of the memory from which an incomplete reply may be
// refused.
const largeReplyShare = 8

// largeReply returns the size from which a reply is refused if there is no memory for
// it, in bytes.
func (l *loop) largeReply() int { return int(l.budget.Limit) / largeReplyShare }

// departed is called when a client is gone.
func (s *shared) departed() {
	if s.clients.Add(-1) == 0 && s.deserted.Load() {
		select {
		case <-s.drained:
		default:
			close(s.drained)
		}
	}
}

// pauses are times that tests shorten.
type pauses struct {
	unmoved, lastRequests time.Duration // see the constants
	lookEvery             time.Duration // how often names of upstreams are looked up again
	probeEvery            time.Duration // how often idle upstreams are probed; 0 for never
}
