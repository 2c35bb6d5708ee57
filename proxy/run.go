package proxy

import (
	"bytes"
	"math/rand/v2"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// run is a verb of a client under way: a routine of package verbs, whose
// operations are sent to the upstreams and whose replies are brought back.
type run struct {
	loop    *loop
	routine *verbs.Routine
	client  *client
	place   int    // among the client's runs
	number  uint64 // in the order in which the loop's runs began
	to      listener
	slot    uint32
	quiet   bool
	command protocol.Command
	key     []byte // what the verb is about, to tell conflicts
	several bool   // there are more keys
	wide    bool   // reads many items at once
	ops     []verbs.Op
	waiting int  // for so many operations of ops
	sending bool // ops, so that it is not the time to go on yet
	kept    int  // by the routine while it is idle, in bytes
	reading bool // many items, see reads
	queued  bool // an append, at some time
	hasTold bool // what there is to answer, so that only tidying is left
}

// listener is told what a verb has answered, once. The text holds until told
// returns.
type listener interface {
	told(r *run, text []byte)
}

// dispatchVerb begins the verb that req is.
func (c *client) dispatchVerb(req *protocol.Request) {
	var slot uint32
	if !req.Quiet {
		slot = c.slots.reserve(1, nil)
	}
	c.begin(req, c, slot)
}

// begin begins a verb whose answer is for to.
func (c *client) begin(req *protocol.Request, to listener, slot uint32) {
	r := c.loop.idleRun()
	r.client, r.to, r.slot, r.command, r.quiet = c, to, slot, req.Command, req.Quiet
	r.key, r.queued, r.hasTold = append(r.key[:0], req.Key...), false, false
	c.loop.begun++
	r.number = c.loop.begun
	r.several = req.Command.TakesKeys() && req.NumWords > 1
	if r.wide = wide(req); r.wide {
		c.loop.wide++
	}
	r.place = len(c.runs)
	c.runs = append(c.runs, r)
	r.carryOut(r.routine.Start(req))
}

// maxWide is how many verbs that read many items at once a loop runs at a
// time, as each holds what it has read until it has read all.
const maxWide = 4

func wide(req *protocol.Request) bool {
	return req.Refusal == "" && (req.Command == protocol.LogFetch || req.Command.TakesKeys() && req.NumWords > 1)
}

// waitsForWide reports whether req has to wait until other verbs of its kind
// are done. c is woken then.
func (c *client) waitsForWide(req *protocol.Request) bool {
	isWide := wide(req) || req.Command.Retrieval() && c.loop.carriage.load.wide()
	if !isWide || c.loop.wide < maxWide {
		return false
	}
	if !c.waitsWide {
		c.waitsWide = true
		c.loop.wideOff = append(c.loop.wideOff, c)
	}
	return true
}

// narrow is called when a verb that read many items is done.
func (l *loop) narrow() {
	l.wide--
	for _, c := range l.wideOff {
		c.waitsWide = false
		l.wake(c)
	}
	clear(l.wideOff)
	l.wideOff = l.wideOff[:0]
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

func (l *loop) idleRun() *run {
	if n := len(l.routines); n > 0 {
		r := l.routines[n-1]
		l.routines = l.routines[:n-1]
		l.kept -= r.kept
		return r
	}
	return &run{loop: l, routine: verbs.NewRoutine(l)}
}

// carryOut sends the operations that the verb waits for, until there are
// replies to wait for or the verb is done.
func (r *run) carryOut(ops []verbs.Op) {
	r.tell()
	for len(ops) > 0 {
		r.ops, r.waiting = ops, len(ops)
		if !r.loop.reads.admit(r) {
			return
		}
		r.sending = true
		for i := range ops {
			r.send(uint32(i))
		}
		r.sending = false
		if r.waiting > 0 {
			return
		}
		r.loop.reads.leave(r)
		ops = r.routine.Resume()
		r.tell()
	}
	r.end()
}

// send sends operation n, or fails it if that can't be done.
func (r *run) send(n uint32) {
	if op := &r.ops[n]; op.Appends() && r.loop.appends.takes(r, n) {
		return
	} else if reply, sent := r.loop.operate(op, pending{sink: r, slot: n}); !sent {
		r.take(n, reply)
	}
}

// operate sends an operation to the upstream that owns its key. If it does not,
// it returns the reply.
func (l *loop) operate(op *verbs.Op, p pending) (reply verbs.Reply, sent bool) {
	u := l.locate(op.Key)
	var refusal []byte
	switch {
	case u.state != up:
		refusal = u.refusal
	case !u.version.atLeast(metaCommands) && op.Command().Meta():
		refusal = u.errorLine("is memcached " + u.version.String() + "; verbs need 1.6.0 or later")
	case op.Outdated(u.epoch):
		return verbs.Reply{Status: verbs.Exists}, false
	default:
		u.operate(op, p)
		return verbs.Reply{}, true
	}
	return verbs.Reply{Err: string(bytes.TrimSpace(refusal))}, false
}

// answered takes the reply to one operation.
func (r *run) answered(p *pending, a *answer) {
	r.take(p.slot, r.loop.parse(&r.ops[p.slot], a))
}

// parse reads the reply to an operation.
func (l *loop) parse(op *verbs.Op, a *answer) verbs.Reply {
	if a.fail {
		return verbs.Reply{Err: string(bytes.TrimSpace(a.data))}
	}
	reply := verbs.ParseReply(op.Kind, a.last)
	reply.Epoch = a.epoch
	if op.Appends() {
		reply.Grown = len(op.Data)
	}
	return reply
}

// take takes the reply to operation n, and goes on if it is the last.
func (r *run) take(n uint32, reply verbs.Reply) {
	if r.waiting--; r.waiting > 0 {
		reply.Data = bytes.Clone(reply.Data) // what is read does not outlive this call
		r.routine.Replies[n] = reply
		return
	}
	if r.routine.Replies[n] = reply; !r.sending {
		r.loop.reads.leave(r)
		r.carryOut(r.routine.Resume())
	}
}

// tell passes on the verb's answer when there is one. The verb may go on.
func (r *run) tell() {
	if text, answered := r.routine.Answer(); answered {
		r.hasTold = true
		r.to.told(r, text)
	}
}

// told implements [listener].
func (c *client) told(r *run, text []byte) {
	if r.quiet || c.gone {
		return
	}
	c.learn(len(text))
	c.reply(r.slot, text, bytes.HasPrefix(text, []byte("SERVER_ERROR")))
}

// end lets go of a verb that is done.
func (r *run) end() {
	c := r.client
	account := r.routine.Account()
	r.loop.stats.countVerb(r.command, account)
	if account.Panic != "" {
		r.loop.log.Error("a verb failed; this is a defect of memverbs", "verb", r.command.String(), "panic", account.Panic)
	}
	if r.wide {
		r.loop.narrow()
	}
	last := len(c.runs) - 1
	c.runs[r.place], c.runs[last].place = c.runs[last], r.place
	c.runs[last], c.runs = nil, c.runs[:last]
	c.progress()
	r.client, r.to, r.ops = nil, nil, nil
	r.loop.idle(r)
}

// idle has r wait for a later verb.
func (l *loop) idle(r *run) {
	if len(l.routines) == maxRoutines {
		r.routine.Close()
		return
	}
	r.routine.Trim(keepMuch)
	if r.kept = r.routine.Kept(); l.kept+r.kept > maxKept {
		r.routine.Trim(keepLittle)
		r.kept = r.routine.Kept()
	}
	l.kept += r.kept
	l.routines = append(l.routines, r)
}

// The loop is the world of its verbs.

// Now implements [verbs.Env].
func (l *loop) Now() int64 { return time.Now().UnixMilli() }

// AppendCreates implements [verbs.Env].
func (l *loop) AppendCreates(key []byte) bool {
	return l.locate(key).version.atLeast(appendCreates)
}

// ItemLimit implements [verbs.Env].
func (l *loop) ItemLimit(key []byte) int { return l.locate(key).limit }

// Hold implements [verbs.Env].
func (l *loop) Hold(key []byte, on bool) { l.appends.hold(key, on) }

// Random implements [verbs.Env].
func (l *loop) Random() uint64 { return rand.Uint64() }

// Options implements [verbs.Env].
func (l *loop) Options() *verbs.Options { return &l.server.config.Verbs }
