package verbs

import (
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/memverbs/memverbs/protocol"
)

// Routine runs one call after another, on its own coroutine if the call needs one, see [Step]. It
// is not safe for concurrent use.
type Routine struct {
	// Replies is to be filled in before Resume is called: the replies to the operations
	// that Start or Resume returned, in order.
	Replies []Reply

	call     Call
	progress progress
	step     Step // of the call, while it is asking or switched
	next     func() ([]Op, bool)
	stop     func()
}

// NewRoutine returns a routine whose calls run in env. It creates the coroutine when a
// call first needs it.
func NewRoutine(env Env) *Routine {
	r := &Routine{}
	r.call.Env = env
	r.call.Pace = Pace{Slice: SliceTokens, Pause: r.call.pause, elsewhere: r.call.elsewhere}
	return r
}

func (r *Routine) makeCoroutine() {
	r.next, r.stop = iter.Pull(func(yield func([]Op) bool) {
		r.call.yield = yield
		for {
			r.run()
			if !yield(nil) {
				return
			}
		}
	})
}

// run is the coroutine: it runs each call that continues there.
func (r *Routine) run() {
	defer r.call.release()
	defer r.call.endPanic(&r.step)
	r.step.Go(&r.call)
}

// release releases what the call shares with others.
func (c *Call) release() {
	if c.Keeper != nil {
		c.Keeper.Release()
	}
}

// endPanic, deferred, ends a call that panics, so that step is the last. A panic is a defect of the
// verb and must affect only this call.
func (c *Call) endPanic(step *Step) {
	err := recover()
	if err == nil {
		return
	}
	*step = Step{}
	c.release()
	if err == errClosed {
		return
	}
	c.Panic = fmt.Sprintf("%v\n%s", err, debug.Stack())
	if c.answer == unanswered {
		c.Say("SERVER_ERROR internal error")
	}
}

// Start begins the verb that req asks for and returns the first operations to carry out,
// or none if the verb is done. It retains nothing of req. See Resume.
func (r *Routine) Start(verb *Verb, req *protocol.Request) []Op {
	r.call.begins(verb, req)
	return r.goOn(r.call.begin())
}

// Resume continues the verb after its operations have been carried out and Replies
// filled in. It returns the next operations, or none if the verb is done. Check
// [Routine.Answer] after each Start and Resume: a verb may answer and continue.
func (r *Routine) Resume() []Op {
	r.call.replies = r.Replies
	if r.progress == asking {
		return r.goOn(r.call.take(r.step.Then, r.Replies))
	}
	return r.resume()
}

// goOn does a step, and returns the operations that the call asks for.
func (r *Routine) goOn(step Step) []Op {
	r.step, r.progress = step, progressOf(&step)
	if r.progress == switched {
		return r.resume()
	}
	if len(step.Ops) > 0 && !step.Ops[0].Local() {
		r.call.Trips++
	}
	r.expect(len(step.Ops))
	return step.Ops
}

// resume switches to the coroutine.
func (r *Routine) resume() []Op {
	if r.next == nil {
		r.makeCoroutine()
	}
	r.call.used = true
	ops, _ := r.next()
	if len(ops) == 0 {
		r.step, r.progress = Step{}, ended
	}
	r.expect(len(ops))
	return ops
}

// expect makes Replies have the length n.
func (r *Routine) expect(n int) {
	if cap(r.Replies) < n || cap(r.Replies) > max(keptOps, n) {
		r.Replies = make([]Reply, n)
	}
	clear(r.Replies[:cap(r.Replies)]) // so that old replies can be freed
	r.Replies = r.Replies[:n]
}

// Trim frees each buffer of more than keep bytes that the last call has left. Call it
// only when that call is done and its answer is no longer needed.
func (r *Routine) Trim(keep int) { r.call.trim(keep) }

// Kept returns how much memory the routine keeps for later calls, in bytes.
func (r *Routine) Kept() int { return r.call.kept() }

// Answer returns the answer to the client and true, once, as soon as it is complete.
// The answer stays valid until the next Start.
func (r *Routine) Answer() ([]byte, bool) {
	if r.call.answer != answered {
		return nil, false
	}
	r.call.answer = taken
	return r.call.Answer, true
}

// TakeAnswer gives the caller the buffer of the answer that [Routine.Answer] has
// returned, and deducts its length from what is reserved for the call.
func (r *Routine) TakeAnswer() []byte {
	answer := r.call.Answer
	r.call.Answer = nil
	r.call.reserved.size = max(r.call.reserved.size-len(answer), r.call.reserved.arguments)
	return answer
}

// Reserved returns how many bytes the call has reserved, including those for its arguments.
// It may be less than after the last Reserve.
func (r *Routine) Reserved() int { return r.call.reserved.size }

// Item describes the item that the answer was read from, for a call that reads one
// structure.
func (r *Routine) Item() Item { return r.call.Item }

// Seen returns what a call that may wait has seen.
func (r *Routine) Seen() Seen { return r.call.Seen }

// Repeat has the routine answer as another one has, as if it had made the same call, and returns the answer.
func (r *Routine) Repeat(answer []byte) []byte {
	r.call.Answer = append(r.call.Answer[:0], answer...)
	return r.call.Answer
}

// Queued reports whether the call takes effect before those that begin later, see [Verb.Ordered].
func (r *Routine) Queued() bool { return r.call.Queued }

// Serves reports whether other calls wait for what the call does for them too.
func (r *Routine) Serves() bool { return r.call.Serves }

// Account returns what the call has cost so far.
func (r *Routine) Account() Account { return r.call.Account }

// Inside returns the current or last call of the routine. It is for tests, which inspect
// its memory and set its pace.
func (r *Routine) Inside() *Call { return &r.call }

// Close ends the coroutine. The routine must not be used afterwards.
func (r *Routine) Close() {
	if r.progress == asking {
		r.call.release()
	}
	if r.stop != nil {
		r.stop()
	}
}
