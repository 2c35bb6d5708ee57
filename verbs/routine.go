package verbs

import (
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/memverbs/memverbs/protocol"
)

// Routine runs one call after another, on a coroutine of its own unless the call
// comes to one append (direct.go). It is not
// safe for concurrent use: Start, Resume and Close are to be called in turn.
type Routine struct {
	// Replies is where the replies to the operations that Start or Resume
	// returned are to be put, in their order, before Resume is called.
	Replies []Reply

	call   Call
	direct bool // the call waits for the only operation it may need
	next   func() ([]Op, bool)
	stop   func()
}

// NewRoutine returns a routine whose calls run in env. The coroutine is made when
// a call first needs it.
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

// run runs the verb. A verb that panics is a defect of this package, which
// must not cost more than the one call.
func (r *Routine) run() {
	defer func() {
		r.call.program = nil
		err := recover()
		if r.call.Keeper != nil {
			r.call.Keeper.GiveBack()
		}
		if err == nil || err == errClosed {
			return
		}
		r.call.Panic = fmt.Sprintf("%v\n%s", err, debug.Stack())
		if !r.call.answered {
			r.call.Say("SERVER_ERROR internal error")
		}
	}()
	r.call.program(&r.call)
}

// Start begins a verb, for which req asks, and returns the first operations that it waits
// for. It keeps nothing of req. See Resume.
func (r *Routine) Start(verb *Verb, req *protocol.Request) []Op {
	r.call.reset(verb, req)
	if ops := r.call.direct(); ops != nil {
		r.direct = true
		r.expect(len(ops))
		return ops
	}
	r.call.program = r.call.verb.Run
	return r.resume()
}

// Resume goes on with the verb after its operations have been carried out and
// Replies filled in. It returns the next operations, or none when the verb is
// done. Look at [Routine.Answer] after each: a verb may answer and go on.
func (r *Routine) Resume() []Op {
	r.call.replies = r.Replies
	if r.direct {
		r.direct = false
		if r.call.program = r.call.directly(r.Replies[0]); r.call.program == nil {
			r.expect(0)
			return nil
		}
	}
	return r.resume()
}

// resume switches to the coroutine.
func (r *Routine) resume() []Op {
	if r.next == nil {
		r.makeCoroutine()
	}
	r.call.used = true
	ops, _ := r.next()
	r.expect(len(ops))
	return ops
}

// expect makes room for n replies.
func (r *Routine) expect(n int) {
	if cap(r.Replies) < n || cap(r.Replies) > max(keptOps, n) {
		r.Replies = make([]Reply, n)
	}
	clear(r.Replies[:cap(r.Replies)]) // what was read must not be kept
	r.Replies = r.Replies[:n]
}

// Trim lets go of each buffer of more than keep bytes that the last call has
// left. It may be called when the call is done and its answer is not needed any
// more.
func (r *Routine) Trim(keep int) { r.call.trim(keep) }

// Kept returns how much memory the routine keeps for later calls, in bytes.
func (r *Routine) Kept() int { return r.call.kept() }

// Answer returns what the verb answered the client and true, once, when it
// has. It stays valid until the next Start.
func (r *Routine) Answer() ([]byte, bool) {
	if !r.call.answered || r.call.taken {
		return nil, false
	}
	r.call.taken = true
	return r.call.Answer, true
}

// TakeAnswer is Answer that gives the answer away: it is the caller's to keep.
func (r *Routine) TakeAnswer() []byte {
	answer := r.call.Answer
	r.call.Answer = nil
	r.call.room = max(r.call.room-len(answer), r.call.arguments)
	return answer
}

// Room returns for how many bytes the call holds room that it asked for, those
// of its arguments included. It may have become less.
func (r *Routine) Room() int { return r.call.room }

// Item tells of the item that the answer of a call that reads one structure was
// read from.
func (r *Routine) Item() Item { return r.call.Item }

// Account returns what the call has cost so far.
func (r *Routine) Account() Account { return r.call.Account }

// Inside returns the call that the routine carries out, or has. It is for tests, which look
// at its memory and set its pace.
func (r *Routine) Inside() *Call { return &r.call }

// Close ends the coroutine. The routine must not be used afterwards.
func (r *Routine) Close() {
	if r.stop != nil {
		r.stop()
	}
}
