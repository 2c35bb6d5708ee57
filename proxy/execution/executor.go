package execution

import (
	"log/slog"
	"time"

	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Executor carries out the verbs of one event loop.
type Executor struct {
	Env
	Counts Counts
	Pool   *pool.Pool // that verbs which begin ask

	appends   appends
	reads     map[*pool.Member]*sharedReads
	rooms     rooms
	arguments argumentRoom
	turns     turns
	outgrown  outgrown
	losses    losses
	views     *structure.Views
	decisions structure.Decisions
	scratch   structure.Scratch
	woken     []*Execution // by another verb that they have waited for
	begun     uint64       // executions so far
	idle      []*Execution // for later verbs
	kept      int          // by these, in bytes
}

// Env is what an executor gets of its loop. It does not change once verbs have begun.
type Env struct {
	Net      *transport.Loop
	Clock    *clock.Clock
	Log      *slog.Logger
	Account  *memory.Account   // counts what verbs take of the memory
	Queues   *admission.Queues // in which clients wait to begin verbs
	Loops    int               // of the process
	Timeout  time.Duration     // for an upstream to answer, and to wait for memory
	Options  *verbs.Options
	ViewRoom *structure.ViewRoom

	// Post has fn called on the loop, from any goroutine. It returns false if the loop has
	// ended.
	Post func(fn func()) bool
	// Settle has everybody go on that can, and writes what is to be written.
	Settle func()
	// Shed frees what the loop keeps for later use.
	Shed func()
	// RelieveVerbs has all loops free memory for verbs that wait for it.
	RelieveVerbs func()
	// Elsewhere has something done that takes long, on no loop, and then calls then, on
	// none either.
	Elsewhere func(do, then func())
}

// New returns an executor that asks the upstreams of a pool.
func New(env Env, p *pool.Pool) *Executor {
	x := &Executor{Env: env, Pool: p, reads: map[*pool.Member]*sharedReads{}}
	x.appends = appends{on: x, queues: map[item]*appendQueue{}}
	x.rooms.on, x.turns.on, x.arguments.on = x, x, x
	x.arguments.Init(env.Queues, &x.arguments)
	x.views = structure.NewViews(env.ViewRoom)
	return x
}

// GoOn has verbs go on that have waited for others, for memory or for an item. It reports
// whether any did.
func (x *Executor) GoOn() bool { return x.wake() || x.rooms.next() || x.appends.next() }

// EndCallback is called when all that an event has brought is done with.
func (x *Executor) EndCallback() { x.turns.read = 0 }

// EndTurn is called when the event loop has looked at all sockets. A verb that has paused
// works on for a slice.
func (x *Executor) EndTurn() { x.turns.next() }

// OnTick ends what has been waited for too long. It reports whether anything is waited for.
func (x *Executor) OnTick() bool {
	waiting := x.appends.onTick()
	return x.rooms.onTick() || x.arguments.Len() > 0 || waiting
}

// Shut ends what has paused.
func (x *Executor) Shut() { x.turns.shut() }

// Close ends the routines that are kept for later verbs. It is called when the loop has
// ended.
func (x *Executor) Close() {
	for _, r := range x.idle {
		r.routine.Close()
	}
	x.idle = nil
	x.keep(-x.kept)
}

// wake has verbs go on that have waited for another one. It reports whether there were any.
func (x *Executor) wake() bool {
	woken := len(x.woken) > 0
	for len(x.woken) > 0 {
		r := takeFirst(&x.woken)
		r.answer(verbs.Reply{})
	}
	return woken
}

// takeFirst takes the first off a list, which does not refer to it any more.
func takeFirst[T any](list *[]*T) *T {
	first := (*list)[0]
	(*list)[0] = nil
	*list = (*list)[1:]
	return first
}

// Counts are what an executor has counted.
type Counts struct {
	Verbs       [catalog.Most]VerbCounts // by their numbers
	Operations  uint64                   // that verbs have asked upstreams for
	Compactions struct{ Tried, Won uint64 }
	Incomplete  uint64 // structures
	Views       structure.ViewCounts
}

// VerbCounts are what has been counted of one verb.
type VerbCounts struct {
	Calls uint64
	Trips uint64 // round trips
}

// Report returns what has been counted, with what is in views now.
func (x *Executor) Report() Counts {
	counts := x.Counts
	counts.Views = x.views.Counts()
	return counts
}

// ResetCounts forgets what has been counted.
func (x *Executor) ResetCounts() {
	x.Counts = Counts{}
	x.views.ResetCounts()
}

// Add adds what another loop has counted.
func (c *Counts) Add(other *Counts) {
	for i := range c.Verbs {
		c.Verbs[i].Calls += other.Verbs[i].Calls
		c.Verbs[i].Trips += other.Verbs[i].Trips
	}
	c.Operations += other.Operations
	c.Compactions.Tried += other.Compactions.Tried
	c.Compactions.Won += other.Compactions.Won
	c.Incomplete += other.Incomplete
	c.Views.Add(other.Views)
}

func (c *Counts) countVerb(v *verbs.Verb, a verbs.Account) {
	c.Verbs[v.Number].Trips += uint64(a.Trips)
	c.Compactions.Tried += uint64(a.Tried)
	c.Compactions.Won += uint64(a.Won)
}
