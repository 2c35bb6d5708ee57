package execution

import (
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// New returns an executor that asks the upstreams of a pool.
func New(env Env, p *pool.Pool) *Executor {
	x := &Executor{core: core{Env: env, Pool: p}, reads: sharedReads{}}
	x.appends = appends{on: &x.core, queues: map[item]*appendQueue{}}
	x.rooms.on, x.turns.on = &x.core, &x.core
	x.arguments.on, x.arguments.rooms = &x.core, &x.rooms
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

// Leave says that a caller is gone, so that nobody needs its answers. What is under way
// ends all the same, but what waits for memory is refused.
func (x *Executor) Leave(c *Caller) {
	c.gone = true
	if len(c.wants) > 0 {
		x.rooms.gone = append(x.rooms.gone, c)
	}
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
