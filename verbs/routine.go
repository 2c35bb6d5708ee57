package verbs

import (
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/memverbs/memverbs/protocol"
)

// Routine runs one call after another on a coroutine of its own. It is not
// safe for concurrent use: Start, Resume and Close are to be called in turn.
type Routine struct {
	// Replies is where the replies to the operations that Start or Resume
	// returned are to be put, in their order, before Resume is called.
	Replies []Reply

	call Call
	next func() ([]Op, bool)
	stop func()
}

// NewRoutine returns a routine whose calls run in env.
func NewRoutine(env Env) *Routine {
	r := &Routine{}
	r.call.env = env
	r.next, r.stop = iter.Pull(func(yield func([]Op) bool) {
		r.call.yield = yield
		for {
			if r.call.begun {
				r.run()
			}
			if !yield(nil) {
				return
			}
		}
	})
	r.next() // up to the first yield, so that yield is set
	return r
}

// run runs the verb. A verb that panics is a defect of this package, which
// must not cost more than the one call.
func (r *Routine) run() {
	defer func() {
		r.call.begun = false
		err := recover()
		if err == nil || err == errClosed {
			return
		}
		r.call.Panic = fmt.Sprintf("%v\n%s", err, debug.Stack())
		if !r.call.answered {
			r.call.say("SERVER_ERROR internal error")
		}
	}()
	programs[r.call.command](&r.call)
}

// Start begins the verb that req asks for, of which it keeps nothing, and
// returns the first operations that it waits for. See Resume.
func (r *Routine) Start(req *protocol.Request) []Op {
	r.call.reset(req)
	return r.resume()
}

// Resume goes on with the verb after its operations have been carried out and
// Replies filled in. It returns the next operations, or none when the verb is
// done. Look at [Routine.Answer] after each: a verb may answer and go on.
func (r *Routine) Resume() []Op {
	r.call.replies = r.Replies
	return r.resume()
}

func (r *Routine) resume() []Op {
	ops, _ := r.next()
	if cap(r.Replies) < len(ops) || cap(r.Replies) > max(keptOps, len(ops)) {
		r.Replies = make([]Reply, len(ops))
	}
	clear(r.Replies[:cap(r.Replies)]) // what was read must not be kept
	r.Replies = r.Replies[:len(ops)]
	return ops
}

// Trim lets go of each buffer of more than keep bytes that the last call has
// left. It may be called when the call is done and its answer is not needed any
// more.
func (r *Routine) Trim(keep int) { r.call.trim(keep) }

// Answer returns what the verb answered the client and true, once, when it
// has. It stays valid until the next Start.
func (r *Routine) Answer() ([]byte, bool) {
	if !r.call.answered || r.call.taken {
		return nil, false
	}
	r.call.taken = true
	return r.call.answer, true
}

// Item tells of the item that the answer of a call that reads one set was
// read from.
func (r *Routine) Item() Item { return r.call.item }

// Account returns what the call has cost so far.
func (r *Routine) Account() Account { return r.call.Account }

// Close ends the coroutine. The routine must not be used afterwards.
func (r *Routine) Close() { r.stop() }
