package execution

import (
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// refusedAtFormer reports whether the verb's operations would make a structure at a former place, or one of them asks a former place
// that is down. If so, none of them is carried out, and all have got their replies.
func (r *Execution) refusedAtFormer() bool {
	var reply verbs.Reply
	refused := false
	switch {
	case r.former != nil:
		reply, refused = r.former.refuses(r.trip.ops)
	case !r.executor.steady():
		reply, refused = r.downAtFormer()
	}
	for n := 0; refused && n < len(r.trip.ops); n++ {
		r.take(uint32(n), reply)
	}
	return refused
}

// downAtFormer reports whether an operation asks a former place that is down, and returns the reply to it if so. What is sent together with
// it would be in vain: a limit would count what it can't allow.
func (r *Execution) downAtFormer() (reply verbs.Reply, refused bool) {
	for i := 0; i < len(r.trip.ops) && !refused; i++ {
		if op := &r.trip.ops[i]; op.At > 0 {
			reply, refused = r.executor.refuses(r.ownerOf(op), op)
		}
	}
	return reply, refused
}

// send sends operation n; if that is impossible, it sets the reply.
func (r *Execution) send(n uint32) {
	op := &r.trip.ops[n]
	if op.Kind == verbs.DeleteEverywhere {
		r.deleteEverywhere(n)
		return
	}
	if op.Appends() && r.executor.appends.enqueue(r, n) || r.shareRead(n) {
		return
	}
	if reply, sent := r.executor.operate(r.ownerOf(op), op, upstream.Pending{Sink: r, Slot: n}); !sent {
		r.take(n, reply)
	}
}

// take sets the reply to operation n, and resumes the verb if no replies are
// outstanding.
func (r *Execution) take(n uint32, reply verbs.Reply) {
	if r.former != nil && reply.Status == verbs.NotStored {
		reply = r.former.notAppended(&r.trip.ops[n], reply)
	}
	r.reading.largest = max(r.reading.largest, len(reply.Data))
	if !r.trip.ops[n].Constant {
		r.reading.small = max(r.reading.small, len(reply.Data))
	}
	r.batch.read += len(reply.Data)
	if r.trip.waiting--; r.trip.waiting == 0 {
		r.away += r.executor.Time.Stamp().Since(r.trip.asked)
		r.executor.batches.end(r)
	}
	if len(reply.Data) > 0 {
		reply = r.retain(&r.trip.ops[n], reply)
	}
	if r.routine.Replies[n] = reply; r.trip.waiting == 0 && r.stage == awaiting && !r.defers(n) {
		r.stage = r.stage.replied()
		r.hasRead()
		r.carryOut(r.routine.Resume())
	}
}

// defers postpones the verb to a later turn of the loop if verbs have read enough in this callback.
// It returns false if the verb should be resumed now: also if most of the value is known already,
// or if there is no memory to copy the latest replies. n is the last of them.
func (r *Execution) defers(n uint32) bool {
	if r.trip.ops[n].Known || r.executor.turns.mayRead(r.trip.copied+r.trip.inPlace) || !r.executor.reservations.try(r.trip.inPlace) {
		return false
	}
	for i := range r.routine.Replies {
		if reply := &r.routine.Replies[i]; len(reply.Data) > 0 && !reply.Copied {
			r.copy(reply)
		}
	}
	r.trip.inPlace = 0
	r.stage = r.stage.putsOff()
	r.executor.turns.add(r)
	return true
}

// copy copies the reply's data, because the original is valid only during the callback. Memory for
// that was reserved.
func (r *Execution) copy(reply *verbs.Reply) {
	r.trip.copied += len(reply.Data)
	reply.Keep()
}

// retain copies the reply's data if the verb waits for further answers, because the original is
// valid only during the callback. It drops data that is too long to be useful, or for which there
// is no memory.
func (r *Execution) retain(op *verbs.Op, reply verbs.Reply) verbs.Reply {
	size, last := len(reply.Data), r.trip.waiting == r.trip.arrived
	switch {
	case op.Bytes > 0 && size > max(op.Bytes, verbs.FreeReply):
		return verbs.Reply{Status: verbs.Dropped, Size: size}
	case last:
		r.trip.inPlace += size
	case size <= verbs.FreeReply:
		reply.Keep()
	case r.executor.reservations.try(size):
		r.copy(&reply)
	default:
		return verbs.Reply{Status: verbs.Dropped, Size: size}
	}
	return reply
}

// shareRead carries out operation n as a shared read if possible, and reports whether it
// did.
func (r *Execution) shareRead(n uint32) bool {
	op := &r.trip.ops[n]
	if op.Constant || !r.onlyReads() {
		return false
	}
	x, u := r.executor, r.ownerOf(op)
	x.reads.asked = append(append(x.reads.asked[:0], byte(op.Kind)), op.Key...)
	return r.share(u, int(n), x.reads.asked, func(s upstream.Sink) bool {
		_, sent := x.operate(u, op, upstream.Pending{Sink: s, Slot: n})
		return sent
	})
}

// onlyReads reports whether all operations of r are reads, and few.
func (r *Execution) onlyReads() bool {
	if len(r.trip.ops) > maxShared { // checked first, since onlyReads is called for each operation
		return false
	}
	for i := range r.trip.ops {
		if !r.trip.ops[i].Reads() {
			return false
		}
	}
	return true
}
