package execution

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Execution is a verb of a caller under way: a routine of package verbs, whose
// operations are sent to the upstreams and whose replies are brought back.
type Execution struct {
	Verb  *verbs.Verb
	Slot  uint32 // of the answer, among whatever the listener has
	Quiet bool   // nobody wants to see the answer

	on      *Executor
	routine *verbs.Routine
	pool    *pool.Pool // that it began with
	caller  *Caller
	place   int    // among the caller's executions
	number  uint64 // in the order in which the loop's executions began
	to      Listener
	owner   *pool.Member // of the first key
	key     []byte       // what the verb is about, to tell conflicts
	several bool         // there are more keys
	ops     []verbs.Op
	waiting int  // replies to ops that are outstanding
	sending bool // ops, so that it is not the time to go on yet
	kept    int  // by the routine while it is idle, in bytes
	queued  bool // an append, at some time
	hasTold bool // what there is to answer, so that only tidying is left
	largest int  // value that was read, in bytes
	read    int  // the same, without what may come on the second connection
	expects int  // bytes that it was expected to read when it began

	room      int    // that the verb has, in bytes, with that of its arguments
	arguments int    // room for these
	counted   bool   // among those of the caller that have room
	copied    int    // bytes of replies that were copied for it
	wanted    int    // room that it waits for
	since     uint32 // the tick at which that began
}

// Listener is told what a verb has answered, once. The text holds until Told returns.
type Listener interface {
	Told(r *Execution, text []byte)
}

// Begin begins the verb that req is, for a caller. Its first key is owner's, which is nil if
// it has none. Its answer is for to.
func (x *Executor) Begin(req *protocol.Request, owner *pool.Member, c *Caller, to Listener, slot uint32) {
	r := x.takeIdle()
	r.caller, r.to, r.Slot, r.Verb, r.Quiet = c, to, slot, catalog.Of(req), req.Quiet
	r.key, r.queued, r.hasTold = append(r.key[:0], req.Key...), false, false
	x.begun++
	r.number = x.begun
	r.several = r.Verb.Keys && req.NumWords > 1
	r.largest, r.read = 0, 0
	r.arguments = verbs.ArgumentsRoom(len(req.Words) + len(req.Data))
	r.occupySlot(req, owner)
	c.add(r)
	if r.arguments > x.rooms.most() {
		to.Told(r, []byte(x.rooms.tooLarge(r.arguments)+"\r\n"))
		r.arguments = 0
		r.leave()
		x.keepIdle(r)
		return
	}
	r.room = r.arguments
	x.Account.Take(r.room)
	x.arguments.taken += r.room
	r.carryOut(r.routine.Start(r.Verb, req))
}

// occupySlot counts r among the verbs that are under way for the upstream of its key, with
// what it is expected to read.
func (r *Execution) occupySlot(req *protocol.Request, owner *pool.Member) {
	r.pool, r.owner, r.expects = r.on.Pool, owner, 0
	if owner == nil {
		return
	}
	if r.Verb.Reads {
		r.expects = r.owner.Verbs.Guess()
	}
	if r.Verb.Reads && r.Verb.Keys {
		r.expects *= max(1, req.NumWords)
	}
	r.owner.Verbs.Running++
	r.owner.Verbs.Reading += r.expects
}

// carryOut sends the operations that the verb waits for, until there are
// replies to wait for or the verb is done.
func (r *Execution) carryOut(ops []verbs.Op) {
	r.tell()
	for len(ops) > 0 {
		r.settle()
		r.ops, r.waiting = ops, len(ops)
		if ops[0].Local() {
			if !r.local(&ops[0]) {
				return
			}
		} else if !r.sendAll() {
			return
		}
		ops = r.routine.Resume()
		r.tell()
	}
	r.end()
}

// sendAll sends the operations that the verb waits for. It returns false if the verb
// goes on later.
func (r *Execution) sendAll() bool {
	if r.isEarly() {
		return false
	}
	r.sending = true
	for i := range r.ops {
		r.send(uint32(i))
	}
	r.sending = false
	return r.waiting == 0
}

// isEarly reports whether an operation is for an upstream that has not been tried
// yet. Then r will go on when it has.
func (r *Execution) isEarly() bool {
	for i := 0; i < len(r.ops) && !r.pool.Tried(); i++ {
		if u := r.ownerOf(&r.ops[i]); !u.Tried {
			u.WhenTried(func() { r.carryOut(r.ops) })
			return true
		}
	}
	return false
}

// settle gives back what the verb has no use for any more.
func (r *Execution) settle() {
	if r.copied > 0 {
		r.on.Account.Give(r.copied)
		r.copied = 0
	}
	if r.room > r.arguments {
		r.on.rooms.settle(r, r.routine.Room())
	}
}

// local carries out an operation that is for the proxy. It returns false if the verb
// goes on later.
func (r *Execution) local(op *verbs.Op) bool {
	q := &r.on.rooms
	reply := verbs.Reply{Status: verbs.Stored}
	switch op.Kind {
	case verbs.Pause:
		r.on.turns.pause(r)
		return false
	case verbs.Elsewhere:
		r.on.Elsewhere(op.Do, func() {
			r.on.Post(func() { r.answer(verbs.Reply{}) })
		})
		return false
	case verbs.Wait:
		op.Waiter.Wake = func() { r.on.woken = append(r.on.woken, r) }
		return false
	case verbs.Reserve:
		if !q.reserve(r, op.Bytes) {
			reply.Status = verbs.NotStored
		}
	case verbs.Await:
		if op.Bytes <= q.most() {
			q.await(r, op.Bytes)
			return false
		}
		reply = verbs.Reply{Err: q.tooLarge(op.Bytes)}
	}
	r.routine.Replies[0] = reply
	return true
}

// answer answers the operation that the verb waits for, which is for the proxy.
func (r *Execution) answer(reply verbs.Reply) {
	r.routine.Replies[0] = reply
	r.carryOut(r.routine.Resume())
}

// tell passes on the verb's answer when there is one. The verb may go on.
func (r *Execution) tell() {
	if text, answered := r.routine.Answer(); answered {
		r.hasTold = true
		r.to.Told(r, text)
	}
}

// Largest returns how long the longest value is that the verb has read, in bytes.
func (r *Execution) Largest() int { return r.largest }

// Item returns what is known of the item that the answer stands for.
func (r *Execution) Item() verbs.Item { return r.routine.Item() }

// TakeAnswer returns the answer, which the listener has been told, in a buffer that is the
// listener's from now on.
func (r *Execution) TakeAnswer() []byte { return r.routine.TakeAnswer() }

// end lets go of a verb that is done.
func (r *Execution) end() {
	c := r.caller
	account := r.routine.Account()
	r.on.Counts.countVerb(r.Verb, account)
	if account.Panic != "" {
		r.on.Log.Error("a verb failed; this is a defect of memverbs", "verb", r.Verb.Name, "panic", account.Panic)
	}
	r.leave()
	c.Owner.Progress()
	r.caller, r.to, r.ops, r.pool = nil, nil, nil, nil
	r.on.keepIdle(r)
}

// abandon ends a verb that has paused, whose answer nobody needs. What it has read is
// not kept, even if something should still refer to r.
func (r *Execution) abandon() {
	r.routine.Close()
	if !r.hasTold {
		r.to.Told(r, []byte("SERVER_ERROR not finished\r\n"))
	}
	r.leave()
	r.caller, r.to, r.ops, r.routine, r.pool = nil, nil, nil, nil, nil
}

// leave gives back what the verb has, and takes it off the client's list.
func (r *Execution) leave() {
	c := r.caller
	r.settle()
	r.on.arguments.taken -= r.arguments
	r.arguments = 0
	r.on.rooms.settle(r, 0)
	r.owner.Verbs.Running--
	r.hasRead()
	c.remove(r)
}
