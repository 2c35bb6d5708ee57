package execution

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// send sends operation n, or fails it if that can't be done.
func (r *Execution) send(n uint32) {
	if op := &r.ops[n]; op.Appends() && r.on.appends.takes(r, n) || r.share(n) {
		return
	} else if reply, sent := r.on.operate(r.ownerOf(op), op, upstream.Pending{Sink: r, Slot: n}); !sent {
		r.take(n, reply)
	}
}

// ownerOf returns the upstream that owns the structure which op is about.
func (r *Execution) ownerOf(op *verbs.Op) *pool.Member {
	key := op.RoutingKey()
	if bytes.Equal(key, r.key) { // as it mostly is; to locate a key takes longer
		return r.owner
	}
	return r.pool.Owner(key)
}

// operate sends an operation to the upstream that owns its structure. If it does not,
// it returns the reply.
func (x *Executor) operate(u *pool.Member, op *verbs.Op, p upstream.Pending) (reply verbs.Reply, sent bool) {
	var refusal []byte
	switch {
	case u.State != upstream.Up:
		refusal = u.Refuse()
	case !u.Version.AtLeast(upstream.MetaCommands) && op.Command().Meta():
		refusal = u.ErrorLine("is memcached " + u.Version.String() + "; verbs need 1.6.0 or later")
	case op.Outdated(u.Epoch):
		return verbs.Reply{Status: verbs.Exists}, false
	default:
		x.ask(u, op, p)
		return verbs.Reply{}, true
	}
	return verbs.Reply{Err: string(bytes.TrimSpace(refusal))}, false
}

// Answered takes the reply to one operation.
func (r *Execution) Answered(p *upstream.Pending, a *upstream.Answer) {
	r.take(p.Slot, r.on.parse(&r.ops[p.Slot], a))
}

// parse reads the reply to an operation.
func (x *Executor) parse(op *verbs.Op, a *upstream.Answer) verbs.Reply {
	if a.Fail {
		return verbs.Reply{Err: string(bytes.TrimSpace(a.Data))}
	}
	reply := verbs.ParseReply(op.Kind, a.Last)
	reply.Epoch = a.Epoch
	if op.Appends() {
		reply.Grown = len(op.Data)
	}
	return reply
}

// take takes the reply to operation n, and goes on if it is the last.
func (r *Execution) take(n uint32, reply verbs.Reply) {
	r.largest = max(r.largest, len(reply.Data))
	if !r.ops[n].Constant {
		r.read = max(r.read, len(reply.Data))
	}
	r.waiting--
	if len(reply.Data) > 0 {
		reply = r.keep(&r.ops[n], reply)
	}
	if r.routine.Replies[n] = reply; r.waiting == 0 && !r.sending && !r.defers(n) {
		r.hasRead()
		r.carryOut(r.routine.Resume())
	}
}

// hasRead has others begin to read: what the verb asked for first is there. If it now
// waits for memory, or works on for long, small verbs need not wait for that.
func (r *Execution) hasRead() {
	if r.expects > 0 {
		r.owner.Verbs.Reading -= r.expects
		r.owner.Verbs.Learn(r.read)
		r.expects = 0
	}
}

// defers has the verb go on in a later turn, if verbs have read enough in this one. It
// returns false if it is to go on now: also if what was read is known already, or if
// there is no room for a copy of reply n, which is the last.
func (r *Execution) defers(n uint32) bool {
	reply := &r.routine.Replies[n]
	size := len(reply.Data)
	if r.ops[n].Known || r.on.turns.mayRead(r.copied+size) || !reply.Copied && !r.on.rooms.try(size) {
		return false
	}
	if !reply.Copied {
		r.copy(reply)
	}
	r.on.turns.pause(r)
	return true
}

// copy copies what was read, for which there is room, as it is not valid for long.
func (r *Execution) copy(reply *verbs.Reply) {
	r.copied += len(reply.Data)
	reply.Data, reply.Copied = bytes.Clone(reply.Data), true
}

// keep copies what was read if more is waited for, as it does not outlive this call.
// It drops what is of no use, or what there is no room for.
func (r *Execution) keep(op *verbs.Op, reply verbs.Reply) verbs.Reply {
	size := len(reply.Data)
	if op.Bytes > 0 && size > op.Bytes || r.waiting > 0 && !r.on.rooms.try(size) {
		return verbs.Reply{Status: verbs.Dropped, Size: size}
	}
	if r.waiting > 0 {
		r.copy(&reply)
	}
	return reply
}

// ask sends what a verb asked for. What never changes may be large, so that is read on
// the second connection.
func (x *Executor) ask(u *pool.Member, op *verbs.Op, p upstream.Pending) {
	to := u.Connection(op.Constant)
	out := to.Out()
	out.Extend(op.AppendTo(out.Room(2*len(op.Key) + len(op.Data) + 128)))
	to.Expected.Extend(op.Asked(to.Expected.Text()))
	p.Command, p.Long = op.Command(), true
	x.Counts.Operations++
	to.Push(&p)
}

// TooLong says what is wrong with the value of size bytes that a verb has asked for.
func TooLong(size int) string {
	return fmt.Sprintf("holds an item of %d bytes that the verb needs, and verbs read none longer than %d MB; delete it", size, verbs.MaxAnswer>>20)
}
