package execution

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Admits reports whether the verb of req can begin: whether there is memory for its arguments, and
// another verb may run for owner, the upstream of its first key. If not, w waits. A verb that will
// be refused begins at once: one whose arguments take more than any request may have, or one
// without a key, whose owner is nil.
func (x *Executor) Admits(w *admission.Waiter, req *protocol.Request, owner *pool.Member) bool {
	w.Memory = 0
	if req.Verb != nil {
		w.Memory = catalog.Of(req).ArgumentsMemory(req.Words, req.Data)
	}
	if w.Memory > 0 && w.Memory <= x.reservations.most() && !x.arguments.admits(w) {
		return false
	}
	return owner == nil || owner.Verbs.Admits(w)
}

// take returns an execution that runs no verb.
func (x *Executor) take() *Execution {
	if r := x.idle.take(); r != nil {
		return r
	}
	return &Execution{executor: x, routine: verbs.NewRoutine(&x.env)}
}

// begin begins the verb of req, for caller c. owner owns its first key; it is nil if req has
// no key. The answer goes to slot of to.
func (x *Executor) begin(req *protocol.Request, owner *pool.Member, c *Caller, to Listener, slot uint32) {
	r := x.take()
	r.guard, _ = to.(guard)
	r.former = formerPlacesOf(to)
	r.former.holds()
	r.caller, r.listener, r.Slot, r.Verb, r.Quiet = c, to, slot, catalog.Of(req), req.Quiet
	r.key, r.appended.queued, r.answered = append(r.key[:0], req.Key...), false, false
	x.begun++
	r.number = x.begun
	r.several = r.Verb.Keys && req.NumWords > 1
	r.reading, r.away, r.waited = reading{}, 0, 0
	r.reserved.arguments, r.owner = r.Verb.ArgumentsMemory(req.Words, req.Data), owner
	if r.reserved.arguments > x.reservations.most() {
		to.VerbAnswered(r, []byte(x.reservations.tooLarge(r.reserved.arguments)+"\r\n"))
		r.former.release()
		r.caller, r.listener, r.guard, r.former, r.reserved.arguments = nil, nil, nil, nil, 0
		x.idle.keep(r)
		return
	}
	r.stage = r.stage.begins()
	r.occupySlot(req)
	c.add(r)
	x.running++
	x.Work.begins()
	r.reserved.bytes = r.reserved.arguments
	x.Account.Take(r.reserved.bytes)
	x.arguments.add(r)
	x.env.beginning = r
	ops := r.routine.Start(r.Verb, req)
	x.env.beginning = nil
	r.carryOut(ops)
}

// formerPlacesOf returns the structures that an execution with a listener uses at former places, nil if there are none.
func formerPlacesOf(to Listener) *former {
	if at, is := to.(placed); is {
		return at.formerPlaces()
	}
	return nil
}

// feeds wakes the calls that wait for what the verb may have added.
func (r *Execution) feeds() {
	if !r.Verb.ReadOnly && !r.Verb.Waits && !r.Verb.Shrinks {
		r.executor.Awaited.Fed(r.executor.clientKey(r.key))
	}
}

// occupySlot counts r, and the bytes that it is expected to read, among the running verbs of its
// upstream.
func (r *Execution) occupySlot(req *protocol.Request) {
	if r.owner == nil {
		return
	}
	if r.Verb.Reads {
		r.reading.expects = r.owner.Verbs.Guess()
	}
	if r.Verb.Reads && r.Verb.Keys {
		r.reading.expects *= max(1, req.NumWords)
	}
	r.owner.Verbs.Running++
	r.owner.Verbs.Reading += r.reading.expects
}

// carryOut sends the verb's operations and resumes it, until it has to wait for replies
// or is done.
func (r *Execution) carryOut(ops []verbs.Op) {
	r.passAnswer()
	for len(ops) > 0 {
		r.release()
		r.trip.ops, r.trip.waiting = ops, len(ops)
		if ops[0].Local() {
			if !r.local(&ops[0]) {
				return
			}
		} else if !r.sendAll() {
			return
		}
		ops = r.routine.Resume()
		r.passAnswer()
	}
	r.end()
}

// sendAll sends the verb's operations. It returns false if the verb will be resumed
// later.
func (r *Execution) sendAll() bool {
	if r.awaitsConnect() || r.executor.appends.delays(r) {
		r.stage = r.stage.delays()
		return false
	}
	r.stage = r.stage.sends()
	r.trip.place, r.trip.inPlace = place{}, 0
	r.trip.asked = r.executor.Time.Stamp()
	if !r.refusedAtFormer() {
		for n := 0; n < len(r.trip.ops); {
			n += r.sendFrom(n)
		}
	}
	if r.guard != nil {
		r.guard.sent(r.trip.ops)
	}
	r.stage = r.stage.sent(r.trip.waiting > 0)
	return r.trip.waiting == 0
}

// awaitsConnect reports whether an operation is for an upstream whose first attempt to
// connect has not ended. If so, r continues when it has.
func (r *Execution) awaitsConnect() bool {
	for i := 0; i < len(r.trip.ops) && !r.executor.Pool.Tried(); i++ {
		if u := r.untried(&r.trip.ops[i]); u != nil {
			u.WhenTried(func() { r.carryOut(r.trip.ops) })
			return true
		}
	}
	return false
}

// untried returns an upstream that op is for and whose first attempt to connect has not ended, nil if there is none.
func (r *Execution) untried(op *verbs.Op) *pool.Member {
	if op.Kind == verbs.DeleteEverywhere {
		return r.executor.Pool.Untried()
	}
	if u := r.ownerOf(op); !u.Tried {
		return u
	}
	return nil
}

// release returns the memory that the verb no longer needs.
func (r *Execution) release() {
	if r.trip.copied > 0 {
		r.executor.Account.Free(r.trip.copied)
		r.trip.copied = 0
	}
	if r.reserved.bytes > r.reserved.arguments {
		r.executor.reservations.shrink(r, r.routine.Reserved())
	}
}

// local carries out a local operation. It returns false if the verb will be resumed
// later.
func (r *Execution) local(op *verbs.Op) bool {
	if r.guard != nil {
		r.guard.suspends()
	}
	q := &r.executor.reservations
	reply := verbs.Reply{Status: verbs.Stored}
	switch op.Kind {
	case verbs.Pause:
		r.stage = r.stage.waits(paused)
		r.executor.turns.add(r)
		return false
	case verbs.Elsewhere:
		r.stage = r.stage.waits(suspended)
		r.executor.Elsewhere(op.Do, func() {
			r.executor.Post(func() { r.resumeWith(verbs.Reply{}) })
		})
		return false
	case verbs.Wait:
		r.stage = r.stage.waits(suspended)
		r.readsNothing()
		op.Waiter.Wake = func() { r.executor.woken = append(r.executor.woken, r) }
		return false
	case verbs.BatchSlot:
		if !r.executor.batches.begins(r, op) {
			r.stage = r.stage.waits(wantsBatch)
			return false
		}
	case verbs.Reserve:
		if !q.reserve(r, op.Bytes) {
			reply.Status = verbs.NotStored
		}
	case verbs.Await:
		if op.Bytes <= q.most() {
			r.stage = r.stage.waits(wantsMemory)
			// While it waits, its arguments don't count as in use. If they did, large requests would not be
			// refused (onTick), and several such verbs could wait for each other for ever.
			r.executor.arguments.remove(r)
			r.executor.idle.endCarrying(r)
			q.await(r, op.Bytes)
			return false
		}
		reply = verbs.Reply{Err: q.tooLarge(op.Bytes)}
	}
	r.routine.Replies[0] = reply
	return true
}

// resumeWith sets the reply to the verb's local operation and resumes the verb.
func (r *Execution) resumeWith(reply verbs.Reply) {
	r.routine.Replies[0] = reply
	r.resume()
}

// resume resumes a verb that has waited.
func (r *Execution) resume() {
	r.stage = r.stage.resumes()
	r.carryOut(r.routine.Resume())
}

// passAnswer passes the verb's answer to the listener if it is complete. The verb may
// continue.
func (r *Execution) passAnswer() {
	text, complete := r.routine.Answer()
	switch {
	case !complete:
	case r.guard != nil:
		r.guard.complete(r, text)
	default:
		r.tell(text)
	}
}

// tell tells the listener the answer.
func (r *Execution) tell(text []byte) {
	r.answered = true
	r.listener.VerbAnswered(r, text)
	r.feeds()
}

// confirm tells the listener an answer that the guard has decided on.
func (r *Execution) confirm(text []byte) {
	r.guard = nil
	r.tell(text)
	r.endsConfirming()
}

// withdraw has the listener told nothing, because another execution carries the verb out anew.
func (r *Execution) withdraw() {
	r.guard, r.answered = nil, true
	r.endsConfirming()
}

// endsConfirming ends a verb that was done before its answer could be told.
func (r *Execution) endsConfirming() {
	if r.stage == confirming {
		r.end()
	}
}

// end ends a verb that is done.
func (r *Execution) end() {
	if r.guard != nil {
		r.stage = r.stage.waits(confirming)
		return
	}
	c := r.caller
	account := r.routine.Account()
	r.executor.Counts.countVerb(r.Verb, account)
	r.executor.noteDefect(r.Verb, account)
	r.leave()
	c.Owner.Progress()
	r.caller, r.listener, r.trip.ops = nil, nil, nil
	r.executor.idle.keep(r)
}

// endsWait resumes a verb that has waited for memory.
func (r *Execution) endsWait(reply verbs.Reply) {
	r.executor.arguments.add(r)
	r.resumeWith(reply)
}

// abandon ends a paused verb whose answer is no longer needed, and frees what it has
// read.
func (r *Execution) abandon() {
	r.routine.Close()
	if r.guard = nil; !r.answered {
		r.listener.VerbAnswered(r, []byte("SERVER_ERROR not finished\r\n"))
	}
	r.leave()
	r.executor.idle.endCarrying(r)
	r.caller, r.listener, r.trip.ops, r.routine = nil, nil, nil, nil
}

// leave ends the verb's stage, releases its memory and removes it from the caller's executions.
func (r *Execution) leave() {
	c := r.caller
	r.release()
	r.endRefusal()
	r.executor.batches.end(r)
	r.executor.arguments.remove(r)
	r.reserved.arguments = 0
	r.executor.reservations.shrink(r, 0)
	if r.owner != nil {
		r.owner.Verbs.Running--
	}
	r.hasRead()
	c.remove(r)
	r.former.release()
	r.former = nil
	r.stage = r.stage.ends()
	r.executor.running--
	r.executor.Work.ends()
}

// endRefusal lets appends go on that wait for a refused append of r to be queued again: r has ended, so it
// will not be.
func (r *Execution) endRefusal() {
	if len(r.appended.refused) == 0 {
		return
	}
	if q := r.executor.appends.queueOf(r.key, r.appended.refused); q != nil {
		q.endRefusal(r)
	}
	r.setRefused(nil)
}
