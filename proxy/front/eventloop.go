package front

import (
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
)

// Loop is one event loop: some of the clients, its own connections to every upstream,
// and everything between them. Only the loop's goroutine uses its fields, except atomic
// ones, so nothing is locked. turn.go has what it does in each turn.
type Loop struct {
	*Shared
	net     *transport.Loop
	clock   *clock.Clock
	Account memory.Account
	Buffers transport.Buffers
	batch   upstream.Batch
	queues  admission.Queues
	work    execution.Work

	Clients loopClients
	Pools   loopPools
	scratch scratch
	fills   int    // of copies, under way
	learned uint64 // how often a generation of a namespace was learned
	reuse   reuse
	values  values // sizes of the values that its clients have received

	timers loopTimers
	relief relief

	Stats    status.Counts
	timing   reply.Timing
	replies  reply.Common
	refusals warning.Limited // of passwords
}

// loopClients are the clients of a loop, and what they do in its turn.
type loopClients struct {
	All      map[*Client]struct{}
	Leaving  map[*Client]struct{} // those that will be closed soon
	late     int                  // how many have come while others were dismissed
	Assigned atomic.Int64         // how many there are, including those that are enrolling
	woken    []*Client            // that may be able to proceed
	resting  []*Client            // that proceed at the end of the turn
	effort   int                  // how much the requests of all of them took in this turn
	receipt  uint64               // number of reads from clients
}

// loopPools are the pools of a loop, and those that a reload has replaced and that still run verbs.
type loopPools struct {
	Current  []*route.Pool  // in the order of the setup
	Retired  []*route.Pool  // replaced or removed ones whose verbs are still running
	Members  []*pool.Member // of all these, each once
	routings map[*config.Socket]*route.Table
	replaced bool // a pool or a member is retired and not closed yet
}

// scratch is memory for the request that is being dispatched.
type scratch struct {
	req      protocol.Request
	plain    protocol.Request // see asksPlainly
	carriage route.Carriage
	stripped route.Stripped

	clientKey []byte // the key of a reply, as its client has it
}

// reuse keeps objects for reuse.
type reuse struct {
	parsers  memory.Reuse[protocol.Parser] // at rest
	waiters  memory.Reuse[admission.Waiter]
	waiting  memory.Reuse[waiting]
	backlogs memory.Reuse[backlog]
	gathers  memory.Reuse[gather]
	shadows  memory.Reuse[shadowedGet]
}

// loopTimers are what a loop does from time to time.
type loopTimers struct {
	idle      *time.Timer   // of closeIdle; nil if no client is disconnected for being idle
	idleEvery time.Duration // how often that runs
	probing   *time.Timer   // of probe; nil if upstreams are not probed
}

// Post calls fn on the loop, later. It may be called from any goroutine. It returns
// false if the loop has ended.
func (l *Loop) Post(fn func()) bool { return l.net.Post(fn) }

// wake makes c proceed before the current callback ends.
func (l *Loop) wake(c *Client) {
	if !c.pace.woken {
		c.pace.woken = true
		l.Clients.woken = append(l.Clients.woken, c)
	}
}

// shed frees all memory kept for reuse, because memory is short.
func (l *Loop) shed() {
	l.Buffers.Shed()
	l.eachExecutor((*execution.Executor).ShedIdle)
}

// eachExecutor calls fn with the executors of all pools.
func (l *Loop) eachExecutor(fn func(*execution.Executor)) {
	for _, p := range l.Pools.Current {
		fn(p.Verbs)
	}
	for _, p := range l.Pools.Retired {
		fn(p.Verbs)
	}
}

// hasMemory reports whether n bytes are available, after freeing memory kept for reuse
// if necessary.
func (l *Loop) hasMemory(n int) bool {
	if !l.Account.Reserve(n) {
		l.shed()
	}
	return l.Account.Reserve(n)
}

// largeReplyShare is the fraction of the memory from which an incomplete reply may be
// refused.
const largeReplyShare = 8

// largeReply returns the size from which a reply is refused if there is no memory for
// it, in bytes.
func (l *Loop) largeReply() int { return int(l.Budget.Limit) / largeReplyShare }

// relief is what a loop remembers of freeing memory.
type relief struct {
	asked  atomic.Bool // another loop has asked this one to do so
	futile futile
}

// futile records the last attempt that freed nothing, since searching all clients again
// and again would delay everybody.
type futile struct {
	tried bool
	tick  uint32
	used  int // bytes
}

// memberOf returns the server of a key in a pool, or in the pool that has replaced it.
func (l *Loop) memberOf(p *route.Pool, stored []byte) *pool.Member {
	if p.Retired() {
		if next := l.poolNamed(p.Shared.Name); next != nil {
			p = next
		}
	}
	return p.Owner(stored)
}

// poolNamed returns the pool of that name, nil if there is none.
func (l *Loop) poolNamed(name string) *route.Pool {
	for _, p := range l.Pools.Current {
		if p.Shared.Name == name {
			return p
		}
	}
	return nil
}
