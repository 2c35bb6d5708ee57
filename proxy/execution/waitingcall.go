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

// class returns what tells the call apart from those that find other things. Calls with another prefix are answered with
// another key.
func (w *waitingCall) class() []byte {
	class := slices.Clone(w.req.Prefix)
	if w.verb.Class != nil {
		class = append(append(class, ' '), w.verb.Class(w.req.Words)...)
	}
	return class
}

// alike returns what calls have in common of which each may get the answer of another: all of their requests.
func (w *waitingCall) alike() []byte {
	return fmt.Appendf(nil, "%d %s %t %t %s", w.verb.Number, w.req.Words, w.req.Details, w.req.Listed, w.req.Prefix)
}

// Try implements [waiters.Call].
func (w *waitingCall) Try() {
	w.made = w.executor.Time.Stamp()
	w.executor.begin(&w.req, w.owner, w.caller, w, w.slot)
}

// VerbAnswered implements [Listener].
func (w *waitingCall) VerbAnswered(r *Execution, text []byte) {
	s := &w.executor.waits
	if whose := s.table.Tried(&w.Waiter, text, outcomeOf(w.verb, text), r.routine.In()); whose != nil {
		to := whose.Call().(*waitingCall)
		r.Slot, r.waited = to.slot, w.made.Since(to.since)
		to.end(r, text)
	}
	s.table.GoOn()
	s.arm()
}

// outcomeOf returns the outcome of a call of verb with that answer.
func outcomeOf(verb *verbs.Verb, text []byte) waiters.Outcome {
	switch verbkeys.Understand(verb, text, verbs.Item{}).Outcome {
	case verbkeys.Missing:
		return waiters.Nothing
	case verbkeys.Refused:
		return waiters.Failed
	}
	return waiters.Found
}

// Over implements [waiters.Call].
func (w *waitingCall) Over(nothing []byte) {
	if len(nothing) == 0 {
		nothing = []byte("END\r\n")
	}
	r := w.executor.waits.answerer()
	r.Verb, r.Slot, r.owner, r.waited = w.verb, w.slot, w.owner, w.executor.Time.Stamp().Since(w.since)
	w.end(r, nothing)
}

// end passes the answer on.
func (w *waitingCall) end(r *Execution, text []byte) {
	w.caller.waiting = slices.DeleteFunc(w.caller.waiting, func(other *waitingCall) bool { return other == w })
	w.executor.Account.Free(w.memory())
	w.listener.VerbAnswered(r, text)
}
