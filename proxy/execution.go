package proxy

import (
	"bytes"
	"math/rand/v2"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/structure"
)

// execution is a verb of a client under way: a routine of package verbs, whose
// operations are sent to the upstreams and whose replies are brought back.
type execution struct {
	loop    *loop
	routine *verbs.Routine
	client  *client
	place   int    // among the client's executions
	number  uint64 // in the order in which the loop's executions began
	to      listener
	slot    uint32
	quiet   bool
	verb    *verbs.Verb
	owner   *gate  // of the first key
	key     []byte // what the verb is about, to tell conflicts
	several bool   // there are more keys
	ops     []verbs.Op
	waiting int  // for so many operations of ops
	sending bool // ops, so that it is not the time to go on yet
	kept    int  // by the routine while it is idle, in bytes
	queued  bool // an append, at some time
	hasTold bool // what there is to answer, so that only tidying is left
	largest int  // value that was read, in bytes
	read    int  // the same, without what may come on the second connection
	expects int  // bytes that it was expected to read when it began

	room      int    // that the verb has, in bytes, with that of its arguments
	arguments int    // room for these
	counted   bool   // among those of the client that have room
	copied    int    // bytes of replies that were copied for it
	wanted    int    // room that it waits for
	since     uint32 // the tick at which that began
}

// listener is told what a verb has answered, once. The text holds until told
// returns.
type listener interface {
	told(r *execution, text []byte)
}

// dispatchVerb begins the verb that req is.
func (c *client) dispatchVerb(req *protocol.Request) {
	var slot uint32
	if !req.Quiet {
		slot = c.replies.reserve(1, nil)
	}
	c.begin(req, c, slot)
}

// begin begins a verb whose answer is for to.
func (c *client) begin(req *protocol.Request, to listener, slot uint32) {
	r := c.loop.idleRun()
	r.client, r.to, r.slot, r.verb, r.quiet = c, to, slot, catalog.Of(req), req.Quiet
	r.key, r.queued, r.hasTold = append(r.key[:0], req.Key...), false, false
	r.owner = c.loop.locate(req.Key)
	r.owner.verbs.running++
	r.expects = r.owner.verbs.expects(req)
	r.owner.verbs.reading += r.expects
	c.loop.begun++
	r.number = c.loop.begun
	r.several = r.verb.Keys && req.NumWords > 1
	r.largest, r.read = 0, 0
	r.arguments = verbs.ArgumentsRoom(len(req.Words) + len(req.Data))
	r.place = len(c.executions)
	c.executions = append(c.executions, r)
	if most := c.loop.rooms.most(); r.arguments > most {
		to.told(r, []byte(c.loop.rooms.tooLarge(r.arguments)+"\r\n"))
		r.arguments = 0
		r.leave()
		r.loop.idle(r)
		return
	}
	r.room = r.arguments
	c.loop.account.Take(r.room)
	c.loop.arguments.taken += r.room
	r.carryOut(r.routine.Start(r.verb, req))
}

// maxRoutines is how many idle routines a loop keeps.
const maxRoutines = 1024

// What an idle routine keeps for later calls, in bytes of each of its buffers:
// much as long as all of a loop do not keep more than maxKept, and little then.
const (
	maxKept    = 16 << 20
	keepMuch   = 1 << 20
	keepLittle = 1 << 10
)

func (l *loop) idleRun() *execution {
	if n := len(l.routines); n > 0 {
		r := l.routines[n-1]
		l.routines = l.routines[:n-1]
		l.keep(-r.kept)
		return r
	}
	return &execution{loop: l, routine: verbs.NewRoutine(l)}
}

// carryOut sends the operations that the verb waits for, until there are
// replies to wait for or the verb is done.
func (r *execution) carryOut(ops []verbs.Op) {
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
func (r *execution) sendAll() bool {
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
func (r *execution) isEarly() bool {
	for i := 0; i < len(r.ops) && r.loop.untried > 0; i++ {
		if u := r.loop.locate(r.ops[i].RoutingKey()); !u.Tried {
			u.early = append(u.early, func() { r.carryOut(r.ops) })
			return true
		}
	}
	return false
}

// settle gives back what the verb has no use for any more.
func (r *execution) settle() {
	if r.copied > 0 {
		r.loop.account.Give(r.copied)
		r.copied = 0
	}
	if r.room > r.arguments {
		r.loop.rooms.settle(r, r.routine.Room())
	}
}

// local carries out an operation that is for the proxy. It returns false if the verb
// goes on later.
func (r *execution) local(op *verbs.Op) bool {
	q := &r.loop.rooms
	reply := verbs.Reply{Status: verbs.Stored}
	switch op.Kind {
	case verbs.Pause:
		r.loop.turns.pause(r)
		return false
	case verbs.Elsewhere:
		r.loop.server.elsewhere(op.Do, func() {
			r.loop.post(func() { r.answer(verbs.Reply{}) })
		})
		return false
	case verbs.Wait:
		op.Waiter.Wake = func() { r.loop.woken = append(r.loop.woken, r) }
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

// wakeVerbs has verbs go on that have waited for another one. It reports whether there were any.
func (l *loop) wakeVerbs() bool {
	woken := len(l.woken) > 0
	for len(l.woken) > 0 {
		r := takeFirst(&l.woken)
		r.answer(verbs.Reply{})
	}
	return woken
}

// answer answers the operation that the verb waits for, which is for the proxy.
func (r *execution) answer(reply verbs.Reply) {
	r.routine.Replies[0] = reply
	r.carryOut(r.routine.Resume())
}

// send sends operation n, or fails it if that can't be done.
func (r *execution) send(n uint32) {
	if op := &r.ops[n]; op.Appends() && r.loop.appends.takes(r, n) || r.share(n) {
		return
	} else if reply, sent := r.loop.operate(op, upstream.Pending{Sink: r, Slot: n}); !sent {
		r.take(n, reply)
	}
}

// operate sends an operation to the upstream that owns its structure. If it does not,
// it returns the reply.
func (l *loop) operate(op *verbs.Op, p upstream.Pending) (reply verbs.Reply, sent bool) {
	u := l.locate(op.RoutingKey())
	var refusal []byte
	switch {
	case u.State != upstream.Up:
		refusal = u.Refuse()
	case !u.Version.AtLeast(upstream.MetaCommands) && op.Command().Meta():
		refusal = u.ErrorLine("is memcached " + u.Version.String() + "; verbs need 1.6.0 or later")
	case op.Outdated(u.Epoch):
		return verbs.Reply{Status: verbs.Exists}, false
	default:
		u.operate(op, p)
		return verbs.Reply{}, true
	}
	return verbs.Reply{Err: string(bytes.TrimSpace(refusal))}, false
}

// Answered takes the reply to one operation.
func (r *execution) Answered(p *upstream.Pending, a *upstream.Answer) {
	r.take(p.Slot, r.loop.parse(&r.ops[p.Slot], a))
}

// parse reads the reply to an operation.
func (l *loop) parse(op *verbs.Op, a *upstream.Answer) verbs.Reply {
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
func (r *execution) take(n uint32, reply verbs.Reply) {
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
func (r *execution) hasRead() {
	if r.expects > 0 {
		r.owner.verbs.reading -= r.expects
		r.owner.verbs.learn(r.read)
		r.expects = 0
	}
}

// defers has the verb go on in a later turn, if verbs have read enough in this one. It
// returns false if it is to go on now: also if what was read is known already, or if
// there is no room for a copy of reply n, which is the last.
func (r *execution) defers(n uint32) bool {
	reply := &r.routine.Replies[n]
	size := len(reply.Data)
	if r.ops[n].Known || r.loop.turns.mayRead(r.copied+size) || !reply.Copied && !r.loop.rooms.try(size) {
		return false
	}
	if !reply.Copied {
		r.copy(reply)
	}
	r.loop.turns.pause(r)
	return true
}

// copy copies what was read, for which there is room, as it is not valid for long.
func (r *execution) copy(reply *verbs.Reply) {
	r.copied += len(reply.Data)
	reply.Data, reply.Copied = bytes.Clone(reply.Data), true
}

// keep copies what was read if more is waited for, as it does not outlive this call.
// It drops what is of no use, or what there is no room for.
func (r *execution) keep(op *verbs.Op, reply verbs.Reply) verbs.Reply {
	size := len(reply.Data)
	if op.Bytes > 0 && size > op.Bytes || r.waiting > 0 && !r.loop.rooms.try(size) {
		return verbs.Reply{Status: verbs.Dropped, Size: size}
	}
	if r.waiting > 0 {
		r.copy(&reply)
	}
	return reply
}

// tell passes on the verb's answer when there is one. The verb may go on.
func (r *execution) tell() {
	if text, answered := r.routine.Answer(); answered {
		r.hasTold = true
		r.to.told(r, text)
	}
}

// told implements [listener].
func (c *client) told(r *execution, text []byte) {
	if r.quiet || c.gone {
		return
	}
	c.learn(max(len(text), r.largest))
	if len(text) >= handedOver {
		c.replyOwned(r.slot, c.loop.pool.Adopt(r.routine.TakeAnswer()), false)
		return
	}
	c.reply(r.slot, text, isError(text))
}

// handedOver is how long an answer is, in bytes, of which the buffer is handed over
// instead of being copied.
const handedOver = 1 << 20

// end lets go of a verb that is done.
func (r *execution) end() {
	c := r.client
	account := r.routine.Account()
	r.loop.stats.countVerb(r.verb, account)
	if account.Panic != "" {
		r.loop.log.Error("a verb failed; this is a defect of memverbs", "verb", r.verb.Name, "panic", account.Panic)
	}
	r.leave()
	c.progress()
	r.client, r.to, r.ops = nil, nil, nil
	r.loop.idle(r)
}

// abandon ends a verb that has paused, whose answer nobody needs. What it has read is
// not kept, even if something should still refer to r.
func (r *execution) abandon() {
	r.routine.Close()
	if !r.hasTold {
		r.to.told(r, []byte("SERVER_ERROR not finished\r\n"))
	}
	r.leave()
	r.client, r.to, r.ops, r.routine = nil, nil, nil, nil
}

// leave gives back what the verb has, and takes it off the client's list.
func (r *execution) leave() {
	c := r.client
	r.settle()
	r.loop.arguments.taken -= r.arguments
	r.arguments = 0
	r.loop.rooms.settle(r, 0)
	r.owner.verbs.running--
	r.hasRead()
	last := len(c.executions) - 1
	c.executions[r.place], c.executions[last].place = c.executions[last], r.place
	c.executions[last], c.executions = nil, c.executions[:last]
}

// idle has r wait for a later verb.
func (l *loop) idle(r *execution) {
	if len(l.routines) == maxRoutines {
		r.routine.Close()
		return
	}
	r.routine.Trim(keepMuch)
	if r.kept = r.routine.Kept(); l.kept+r.kept > maxKept {
		r.routine.Trim(keepLittle)
		r.kept = r.routine.Kept()
	}
	l.keep(r.kept)
	l.routines = append(l.routines, r)
}

// keep notes that idle routines keep n bytes more.
func (l *loop) keep(n int) {
	l.kept += n
	if n >= 0 {
		l.account.Take(n)
	} else {
		l.account.Give(-n)
	}
}

// shed lets go of all that is kept for later use, as there is too little room.
func (l *loop) shed() {
	l.pool.Shed()
	l.TakeScratch()
	if l.kept < keepMuch {
		return
	}
	for _, r := range l.routines {
		r.routine.Trim(keepLittle)
		r.kept = r.routine.Kept()
	}
	kept := 0
	for _, r := range l.routines {
		kept += r.kept
	}
	l.keep(kept - l.kept)
}

// The loop is the world of its verbs.
var _ structure.Env = (*loop)(nil)

// Now implements [verbs.Env].
func (l *loop) Now() int64 { return time.Now().UnixMilli() }

// AppendCreates implements [verbs.Env].
func (l *loop) AppendCreates(structure []byte) bool {
	return l.locate(structure).Version.AtLeast(upstream.AppendCreates)
}

// ItemLimit implements [verbs.Env].
func (l *loop) ItemLimit(structure, key []byte) int { return l.locate(structure).ItemLimit(key) }

// Hold implements [structure.Env].
func (l *loop) Hold(key []byte, on bool) { l.appends.hold(key, on) }

// KeepScratch implements [structure.Env].
func (l *loop) KeepScratch(s structure.Scratch) {
	l.TakeScratch()
	if l.rooms.has(s.Size()) {
		l.account.Take(s.Size())
		l.scratch = s
	}
}

// TakeScratch implements [structure.Env].
func (l *loop) TakeScratch() structure.Scratch {
	s := l.scratch
	l.account.Give(s.Size())
	l.scratch = structure.Scratch{}
	return s
}

// Views implements [structure.Env].
func (l *loop) Views() *structure.Views { return l.views }

// Decisions implements [structure.Env].
func (l *loop) Decisions() *structure.Decisions { return &l.decisions }

// Outgrown implements [verbs.Env].
func (l *loop) Outgrown(key []byte) bool { return l.outgrown.has(key) }

// NoteOutgrown implements [verbs.Env].
func (l *loop) NoteOutgrown(key []byte) { l.outgrown.note(key) }

// Random implements [verbs.Env].
func (l *loop) Random() uint64 { return rand.Uint64() }

// Options implements [verbs.Env].
func (l *loop) Options() *verbs.Options { return &l.server.config.Verbs }
