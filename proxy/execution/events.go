package execution

import (
	"maps"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// New returns an executor that sends operations to the upstreams of p.
func New(env Env, p *pool.Pool) *Executor {
	x := &Executor{core: core{Env: env, Pool: p}}
	x.reads.unsent = map[*pool.Member]*unsent{}
	x.appends = appends{core: &x.core, env: &x.env, queues: newAppendQueues()}
	x.reservations.core, x.turns.core, x.idle.core = &x.core, &x.core, &x.core
	x.arguments.core, x.arguments.reservations = &x.core, &x.reservations
	x.arguments.Init(env.Queues, &x.arguments)
	x.waits.init(x.Awaited, x.env.Uptime, x.Post)
	x.env = verbEnv{core: &x.core, reservations: &x.reservations, appends: &x.appends, views: views.New(env.ViewQuota)}
	x.glances = verbs.NewGlances(&x.env)
	return x
}

// GoOn resumes verbs that have waited for other verbs, for memory, for an item or to send a batch, if they
// can proceed. It reports whether there were any. It need not be called while the loop has no work, see
// [Work.Any].
func (x *Executor) GoOn() bool {
	return x.appends.nextOverdue() || x.wake() || x.grantReservations() || x.appends.deliver() || x.sendBatches()
}

// EndCallback is called at the end of a callback of the event loop, unless the loop had no work.
func (x *Executor) EndCallback() { x.turns.read = 0 }

// grantReservations resumes the verbs for which there is memory now, and refuses those of clients that are gone, see
// [reservations.ofGone]. It reports whether there were any.
func (x *Executor) grantReservations() (any bool) {
	for _, r := range x.reservations.ofGone() {
		r.endsWait(verbs.Reply{Err: "SERVER_ERROR the client is gone"})
		any = true
	}
	for r := x.reservations.next(); r != nil; r = x.reservations.next() {
		r.endsWait(verbs.Reply{Status: verbs.Stored})
		any = true
	}
	return any
}

// sendBatches resumes the verbs that may send their batches now. It is called at the end of the callback,
// so that no verb is resumed inside another one. It reports whether there were any.
func (x *Executor) sendBatches() (any bool) {
	if !x.batches.ready {
		return false
	}
	x.batches.ready = false
	for r, i := x.batches.next(0); r != nil; r, i = x.batches.next(i) {
		any = true
		if r.unwanted() {
			r.abandon()
			continue
		}
		x.batches.start(r, &r.trip.ops[0])
		r.resumeWith(verbs.Reply{Status: verbs.Stored})
	}
	return any
}

// EndTurn is called at the end of a turn of the event loop. Verbs that have gathered decide, and paused ones go on for a
// slice.
func (x *Executor) EndTurn() {
	x.env.decisions.EndTurn(&x.env)
	if x.turns.queue.len() == 0 {
		return
	}
	x.Proceed() // so that outputs don't wait for the slice
	x.turns.read = 0
	for x.turns.goesOn() {
		r := x.turns.take()
		long := r.stage == paused
		if r.unwanted() {
			r.abandon()
		} else {
			r.hasRead()
			r.resume()
		}
		if long {
			break
		}
	}
	if x.turns.queue.len() > 0 {
		x.Net.AwaitEndOfTurn()
	}
}

// OnTick ends waits and holds that have timed out. It reports whether any remain.
func (x *Executor) OnTick() bool {
	waiting := x.appends.onTick()
	waiting = x.arguments.onTick() || waiting
	for _, r := range x.reservations.overdue() {
		r.endsWait(verbs.Reply{Err: x.reservations.tooBusy()})
	}
	return x.reservations.onTick() || waiting
}

// Leave is called when a caller is gone, so that its answers are not needed. Its verbs still run to
// their end, except that those that wait for memory are refused, unless other calls wait for them, and paused ones that only
// read are abandoned.
func (x *Executor) Leave(c *Caller) {
	c.attention = gone
	x.waits.hurry(c)
	if len(c.wants.verbs) > 0 {
		x.reservations.gone = append(x.reservations.gone, c)
	}
}

// Shut ends all verbs that are paused or wait to send a batch.
func (x *Executor) Shut() {
	for _, q := range []*fairQueue{&x.turns.queue, &x.batches.queue} {
		for q.len() > 0 {
			r, line := q.take(0)
			q.enter(line)
			r.abandon()
		}
	}
}

// Retire is called when another executor takes over, so that no more verbs begin here. The clients
// that wait to begin one are woken, and go to the other executor. Calls that wait until there is something for them are
// answered.
func (x *Executor) Retire() {
	x.arguments.retired = true
	x.waits.table.HurryAll()
}

// Hurry is called when no call of a caller is to wait any more: those that do are answered as if their time were over.
func (x *Executor) Hurry(c *Caller) {
	c.attention = max(c.attention, hurried)
	x.waits.hurry(c)
}

// Retired reports whether another executor has taken over.
func (x *Executor) Retired() bool { return x.arguments.retired }

// Running returns how many verbs are running.
func (x *Executor) Running() int { return x.running }

// Close frees what is kept for reuse. It is called when no verb is running, and none will
// begin.
func (x *Executor) Close() {
	x.idle.close()
	x.waits.stop()
	x.env.TakeScratch()
	x.env.views.Close()
	x.Counts.Views.Add(x.env.views.Counts()) // of what has happened, as none are kept any more
}

// ShedIdle frees memory kept for reuse, because memory is short.
func (x *Executor) ShedIdle() {
	x.env.TakeScratch()
	x.idle.shed()
}

// wake resumes the verbs that another verb has woken, and reports whether there were any.
func (x *Executor) wake() bool {
	woken := len(x.woken) > 0
	for len(x.woken) > 0 {
		r := takeFirst(&x.woken)
		r.resumeWith(verbs.Reply{})
	}
	return woken
}

// Report returns the counts, including the current contents of the views, and the calls that wait.
func (x *Executor) Report() Counts {
	counts := *x.Counts
	counts.Lost = maps.Clone(counts.Lost)
	counts.Views.Add(x.env.views.Counts())
	counts.Waiting = x.waits.table.Waiting()
	return counts
}

// ResetCounts sets all counts to zero.
func (x *Executor) ResetCounts() {
	*x.Counts = Counts{}
	x.env.views.ResetCounts()
}
