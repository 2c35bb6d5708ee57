package execution

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// send sends operation n; if that is impossible, it sets the reply.
func (r *Execution) send(n uint32) {
	if op := &r.ops[n]; op.Appends() && r.executor.appends.enqueue(r, n) || r.shareRead(n) {
		return
	} else if reply, sent := r.executor.operate(r.ownerOf(op), op, upstream.Pending{Sink: r, Slot: n}); !sent {
		r.take(n, reply)
	}
}

// Answered implements [upstream.Sink].
func (r *Execution) Answered(p *upstream.Pending, a *upstream.Answer) {
	r.take(p.Slot, r.executor.parse(&r.ops[p.Slot], a))
}

// take sets the reply to operation n, and resumes the verb if no replies are
// outstanding.
func (r *Execution) take(n uint32, reply verbs.Reply) {
	r.largest = max(r.largest, len(reply.Data))
	if !r.ops[n].Constant {
		r.read = max(r.read, len(reply.Data))
	}
	if r.waiting--; r.waiting == 0 {
		r.away += r.executor.Time.Stamp().Since(r.asked)
	}
	if len(reply.Data) > 0 {
		reply = r.retain(&r.ops[n], reply)
	}
	if r.routine.Replies[n] = reply; r.waiting == 0 && !r.sending && !r.defers(n) {
		r.hasRead()
		r.carryOut(r.routine.Resume())
	}
}

// defers postpones the verb to a later turn if verbs have read enough in this one. It
// returns false if the verb should be resumed now: also if the value is mostly known
// already, or if there is no room to copy reply n, the last one.
func (r *Execution) defers(n uint32) bool {
	reply := &r.routine.Replies[n]
	size := len(reply.Data)
	if r.ops[n].Known || r.executor.turns.mayRead(r.copied+size) || !reply.Copied && !r.executor.rooms.try(size) {
		return false
	}
	if !reply.Copied {
		r.copy(reply)
	}
	r.executor.turns.pause(r)
	return true
}

// copy copies the reply's data, for which there is room, because the original is valid
// only during the callback.
func (r *Execution) copy(reply *verbs.Reply) {
	r.copied += len(reply.Data)
	reply.Keep()
}

// retain copies the reply's data if further replies are outstanding, because the original
// is valid only during the callback. It drops data that is too long to be useful, or
// for which there is no room.
func (r *Execution) retain(op *verbs.Op, reply verbs.Reply) verbs.Reply {
	size := len(reply.Data)
	if size <= verbs.FreeReply && r.waiting > 0 {
		reply.Keep()
		return reply
	}
	if op.Bytes > 0 && size > op.Bytes || r.waiting > 0 && !r.executor.rooms.try(size) {
		return verbs.Reply{Status: verbs.Dropped, Size: size}
	}
	if r.waiting > 0 {
		r.copy(&reply)
	}
	return reply
}

// shareRead carries out operation n as a shared read if possible, and reports whether it
// did.
func (r *Execution) shareRead(n uint32) bool {
	op := &r.ops[n]
	if op.Constant || r.order.broken || !r.onlyReads() || len(r.caller.executions) != 1 || !r.caller.Owner.IsAlone() {
		return false
	}
	u := r.ownerOf(op)
	if u.State != upstream.Up || !u.First.Connected() {
		return false
	}
	reads := r.executor.reads.of(u)
	if read := reads.find(op, u.First.Written(), r.order.after(u)); read != nil {
		read.readers = append(read.readers, operation{r, n})
		r.order = order{u: u, begin: read.begin}
		return true
	}
	r.order.broken = true
	if len(reads.list) >= maxShared {
		return false
	}
	read := &sharedRead{core: &r.executor.core, kind: op.Kind, key: bytes.Clone(op.Key), begin: u.First.Next(), readers: []operation{{r, n}}}
	if _, sent := r.executor.operate(u, op, upstream.Pending{Sink: read, Slot: n}); !sent {
		return false
	}
	reads.list = append(reads.list, read)
	r.order = order{u: u, begin: read.begin}
	return true
}

// onlyReads reports whether all operations of r are reads, and few.
func (r *Execution) onlyReads() bool {
	if len(r.ops) > maxShared { // looked at first, since this is called for each of them
		return false
	}
	for i := range r.ops {
		if kind := r.ops[i].Kind; kind != verbs.Fetch && kind != verbs.Probe {
			return false
		}
	}
	return true
}
