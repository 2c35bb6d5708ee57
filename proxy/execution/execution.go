package execution

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
)

// Execution is a running verb of a caller: a routine of package verbs, whose operations
// are sent to upstreams and which is resumed with their replies.
type Execution struct {
	Verb  *verbs.Verb
	Slot  uint32 // the listener's slot for the answer
	Quiet bool   // the client wants no answer

	executor *Executor
	routine  *verbs.Routine
	caller   *Caller
	place    int    // index among the caller's executions
	number   uint64 // in the order in which the loop's executions began
	listener Listener
	guard    guard   // the listener, if it is one and has yet to decide
	former   *former // the structures that it uses at former places; nil if there are none
	target
	stage    stage
	answered bool        // it has answered; it may still be working
	trip     trip        // its operations under way
	away     uint32      // microseconds of its round trips so far
	waited   uint32      // microseconds for which it has waited until there was something for it
	reading  reading     // what it reads
	appended appended    // what became of its appends
	batch    batch       // its long batch
	reserved reservation // what it has reserved
	kept     int         // memory that the routine keeps while idle, or had kept when it began, in bytes
}

// target is the keys of a verb's request.
type target struct {
	owner   *pool.Member // of the first key, nil if there is none
	key     []byte       // the first, to detect conflicts
	several bool         // there are more keys
}

// reading is how much a verb reads, in bytes.
type reading struct {
	largest int // size of the largest value
	small   int // the same without constant items, which may arrive on the second connection
	expects int // what it was expected to read, as counted in pool.Slots
}

// appended says what became of a verb's appends.
type appended struct {
	queued  bool   // one has been queued
	refused []byte // key of the item to which one was refused; empty if none was, or it has been queued again
}

// batch is what is counted of a verb's batch, from when it may be sent until it is answered. It is zero
// otherwise.
type batch struct {
	of      *pool.Member
	weight  int  // bytes that it counts as
	read    int  // bytes of its answers so far
	unknown bool // the verb did not know how long they would be
}

// reservation is the memory that is reserved for a verb.
type reservation struct {
	bytes     int    // arguments included
	arguments int    // the part for arguments
	counted   bool   // in Caller.reservations
	wanted    int    // bytes that it waits for
	since     uint32 // tick at which the wait began
}

// operation is operation n of an execution.
type operation struct {
	run *Execution
	n   uint32
}

func (a operation) op() *verbs.Op { return &a.run.trip.ops[a.n] }

// joins reports whether the operation may be joined with others. An operation of a
// batch stays with its batch.
func (a operation) joins() bool { return len(a.run.trip.ops) == 1 && a.op().Joins(a.op()) }

// Listener receives the answer of a verb, once. text is valid until VerbAnswered returns.
type Listener interface {
	VerbAnswered(r *Execution, text []byte)
}

// guard is a listener that decides whether the answer of an execution is told.
type guard interface {
	Listener
	// sent is called when all operations of a trip were sent.
	sent(ops []verbs.Op)
	// suspends is called when the verb asks for a local operation.
	suspends()
	// complete is called when the answer is complete. The guard calls confirm or withdraw of the execution, now or later.
	complete(r *Execution, text []byte)
}

// Largest returns the size of the largest value that the verb has read, in bytes.
func (r *Execution) Largest() int { return r.reading.largest }

// Upstream returns the name of the upstream of the verb's first key, empty if it has no key.
func (r *Execution) Upstream() string {
	if r.owner == nil {
		return ""
	}
	return r.owner.Name
}

// Trips returns the round trips so far.
func (r *Execution) Trips() int { return r.routine.Account().Trips }

// Away returns the microseconds in which the verb has waited for upstreams.
func (r *Execution) Away() uint32 { return r.away }

// Waited returns the microseconds for which the call has waited until there was something for it. They are no part of
// the time that it took.
func (r *Execution) Waited() uint32 { return r.waited }

// Item returns the properties of the item that the answer represents.
func (r *Execution) Item() verbs.Item { return r.routine.Item() }

// TakeAnswer returns the answer that the listener has received, in a buffer that the
// listener takes over.
func (r *Execution) TakeAnswer() []byte { return r.routine.TakeAnswer() }

// unwanted reports whether nobody wants the answer any more, and the verb changes nothing.
func (r *Execution) unwanted() bool { return r.caller.attention == gone && r.Verb.ReadOnly }

// hasRead stops counting what the verb will read, because its first replies have arrived. So other
// verbs may begin to read even if this one now waits for memory or works for long.
func (r *Execution) hasRead() {
	if r.reading.expects > 0 {
		r.owner.Verbs.Learn(r.reading.small)
		r.readsNothing()
	}
}

// readsNothing stops counting what the verb will read, because it waits for another verb, which may
// read for both.
func (r *Execution) readsNothing() {
	if r.reading.expects > 0 {
		r.owner.Verbs.Reading -= r.reading.expects
		r.reading.expects = 0
	}
}

// ownerOf returns the upstream that op is for: the one that owns its structure, unless it is to ask elsewhere.
func (r *Execution) ownerOf(op *verbs.Op) *pool.Member {
	if op.At > 0 {
		return r.executor.Pool.All[op.At-1]
	}
	key := op.RoutingKey()
	if bytes.Equal(key, r.key) { // the usual case; locating a key takes longer
		return r.owner
	}
	return r.executor.place(key)
}
