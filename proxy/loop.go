package proxy

import (
	"log/slog"
	"sync/atomic"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// loop is one event loop: some of the clients, connections of its own to every
// upstream, and all that lies between them. Everything in it is touched by the
// loop's goroutine only, so nothing is locked. What it does turn by turn is in turn.go.
type loop struct {
	*shared
	net      *transport.Loop
	clock    *clock.Clock
	account  memory.Account
	buffers  memory.Pool
	env      upstream.Env // of the upstreams
	pool     *pool.Pool
	queues   admission.Queues
	verbs    *execution.Executor
	carriage carriage
	stats    counters
	values   values

	clients  map[*client]struct{}
	assigned atomic.Int64         // clients, with those that are on their way here
	leaving  map[*client]struct{} // those that will be closed soon
	awake    []*client            // that may be able to go on with their input
	receipt  uint64               // how often something was received from a client
	asked    atomic.Bool          // by another loop, to free memory
	futile   futile

	req         protocol.Request // the one that is being carried out; nothing is kept in it
	idleWaiting idleWaiting
	idleGathers []*gather // for later retrievals
}

// futile is when relief was tried last, if it was of no use: looking through all
// clients again and again would have everybody wait.
type futile struct {
	tried bool
	tick  uint32
	used  int // bytes
}

// shared is what all loops of a server share.
type shared struct {
	config  Config
	log     *slog.Logger
	budget  memory.Budget
	servers *upstream.Servers
	loops   []*loop

	clients  atomic.Int64
	draining atomic.Bool
	drained  chan struct{}

	// answerStats answers stats with an argument, from any loop. It returns false if
	// there is no such argument.
	answerStats func(what string, answer func(text string)) bool
}

// post has fn called on the loop. It may be called from any goroutine. It
// reports whether the loop still runs.
func (l *loop) post(fn func()) bool { return l.net.Post(fn) }

// wake has c go on with its input before the current callback ends.
func (l *loop) wake(c *client) {
	if !c.awake {
		c.awake = true
		l.awake = append(l.awake, c)
	}
}

// shed frees all that is kept for later use, as there is too little memory.
func (l *loop) shed() {
	l.buffers.Shed()
	l.verbs.ShedIdle()
}

// hasMemory reports whether there are n bytes, once what is kept for later use is gone.
func (l *loop) hasMemory(n int) bool {
	if !l.account.Reserve(n) {
		l.shed()
	}
	return l.account.Reserve(n)
}

// largeReplyShare is which part of the memory a reply takes at least to be given up.
const largeReplyShare = 8

// largeReply returns the size from which a reply is refused if there is no memory for
// it, in bytes.
func (l *loop) largeReply() int { return int(l.budget.Limit) / largeReplyShare }

// departed is called when a client is gone.
func (s *shared) departed() {
	if s.clients.Add(-1) == 0 && s.draining.Load() {
		select {
		case <-s.drained:
		default:
			close(s.drained)
		}
	}
}
