package execution

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/waiters"
)

// waitingCall is a call that waits until there is something for it: its request, and who gets the answer. It is the
// listener of the executions that make it. It implements [waiters.Call].
type waitingCall struct {
	waiters.Waiter
	executor *Executor
	req      protocol.Request // its key and words are in text
	text     []byte
	verb     *verbs.Verb
	owner    *pool.Member
	caller   *Caller
	listener Listener
	slot     uint32
	since    latency.Stamp // when it began
	made     latency.Stamp // when it was made last
}

func newWaitingCall(req *protocol.Request, verb *verbs.Verb, owner *pool.Member, c *Caller, to Listener, slot uint32) *waitingCall {
	w := &waitingCall{verb: verb, owner: owner, caller: c, listener: to, slot: slot}
	w.text = slices.Concat(req.Key, req.Words)
	key := len(req.Key)
	w.req = protocol.Request{
		Command: protocol.Extra, Verb: &verb.Verb, Prefix: req.Prefix, Key: w.text[:key:key], Words: w.text[key:], NumWords: req.NumWords,
		Details: req.Details, Listed: req.Listed,
	}
	return w
}

const waitingCallSize = int(unsafe.Sizeof(waitingCall{}))

// memory returns the memory of the call while it waits, in bytes.
func (w *waitingCall) memory() int { return waitingCallSize + cap(w.text) }

// class returns what all calls have in common that can find the same things. Calls with another prefix are of another
// class, since their answers have another key.
func (w *waitingCall) class() []byte {
	class := slices.Clone(w.req.Prefix)
	if w.verb.Class != nil {
		class = append(append(class, ' '), w.verb.Class(w.req.Words)...)
	}
	return class
}

// alike returns what calls have in common that may get the answers of one another: the whole request.
func (w *waitingCall) alike() []byte {
	when := int64(0)
	if w.verb.Relative != nil && w.verb.Relative(w.req.Words) {
		when = w.req.When
	}
	return fmt.Appendf(nil, "%d %s %t %t %d %s", w.verb.Number, w.req.Words, w.req.Details, w.req.Listed, when, w.req.Prefix)
}

// Begin begins the verb of req, for caller c, or has the call wait until there is something for it, as req says. owner
// owns its first key; it is nil if req has no key. The answer goes to slot of to.
func (x *Executor) Begin(req *protocol.Request, owner *pool.Member, c *Caller, to Listener, slot uint32) {
	if req.Wait > 0 && c.attention == patient && !x.arguments.retired {
		x.await(req, owner, c, to, slot)
		return
	}
	x.start(req, owner, c, to, slot)
}

// await begins a call that may wait.
func (x *Executor) await(req *protocol.Request, owner *pool.Member, c *Caller, to Listener, slot uint32) {
	verb := catalog.Of(req)
	w := newWaitingCall(req, verb, owner, c, to, slot)
	w.executor = x
	w.since = x.Time.Stamp()
	if verb.Relative != nil {
		w.req.When = x.env.Now()
	}
	c.waiting = append(c.waiting, &w.Waiter)
	x.Account.Take(w.memory())
	x.waits.table.Await(&w.Waiter, w, waiters.Request{Key: w.req.Key, Class: w.class(), Alike: w.alike(), All: verb.ReadOnly, For: int64(req.Wait)})
	x.waits.arm()
}

// Try implements [waiters.Call].
func (w *waitingCall) Try() {
	w.made = w.executor.Time.Stamp()
	w.executor.start(&w.req, w.owner, w.caller, w, w.slot)
}

// VerbAnswered implements [Listener].
func (w *waitingCall) VerbAnswered(r *Execution, text []byte) {
	s := &w.executor.waits
	if whose := s.table.Tried(&w.Waiter, w.result(r, text)); whose != nil {
		to := whose.Call().(*waitingCall)
		r.Slot, r.waited = to.slot, w.made.Since(to.since)
		to.end(r, text)
	}
	s.table.GoOn()
	s.arm()
}

// result returns what the call has come to that r has made.
func (w *waitingCall) result(r *Execution, text []byte) waiters.Result {
	seen := r.routine.Seen()
	result := waiters.Result{Outcome: waiters.Found, Answer: text, In: seen.In, Sight: waiters.Sight{From: seen.From, Mark: seen.Mark}}
	switch verbkeys.Understand(w.verb, text, verbs.Item{}).Outcome {
	case verbkeys.Refused:
		result.Outcome, result.Sight = waiters.Failed, waiters.Sight{}
	case verbkeys.Missing:
		result.Outcome = waiters.Nothing
	default:
		if seen.Few {
			result.Outcome = waiters.Nothing
		}
	}
	return result
}

// Over implements [waiters.Call].
func (w *waitingCall) Over(answer []byte) {
	if len(answer) == 0 {
		answer = []byte("END\r\n")
	}
	x := w.executor
	if x.waits.over == nil {
		x.waits.over = &Execution{executor: x, routine: verbs.NewRoutine(&x.env)}
	}
	r := x.waits.over
	r.Verb, r.Slot, r.owner, r.waited = w.verb, w.slot, w.owner, x.Time.Stamp().Since(w.since)
	w.end(r, r.routine.Repeat(answer))
	if len(answer) > keptAnswer {
		x.waits.over = nil
	}
}

// keptAnswer is how long the buffer may be, in bytes, that is kept for the answers of calls that are not made.
const keptAnswer = 16 << 10

// end passes the answer on.
func (w *waitingCall) end(r *Execution, text []byte) {
	w.caller.waiting = slices.DeleteFunc(w.caller.waiting, func(other *waiters.Waiter) bool { return other == &w.Waiter })
	w.executor.Account.Free(w.memory())
	w.listener.VerbAnswered(r, text)
}
