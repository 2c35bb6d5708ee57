package execution

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/latency"
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
	owner    *pool.Member // of the first key, nil if there is none
	key      []byte       // the verb's key, to detect conflicts
	several  bool         // there are more keys
	ops      []verbs.Op
	waiting  int  // replies to ops that are outstanding
	arrived  int  // how many of these the answer that is being taken still has
	inPlace  int  // bytes of replies to ops that are valid only during the callback
	sending  bool // ops are being sent, so don't resume yet
	order    order
	kept     int           // memory of the idle routine, or what it had kept when it began, in bytes
	queued   bool          // an append of it has been queued
	refused  []byte        // key of the item to which its append was refused, see refusals.go; empty if none was
	answered bool          // it has answered, and finishes its work after that
	largest  int           // size of the largest value read, in bytes
	read     int           // the same, without constant items, which may arrive on the second connection
	asked    latency.Stamp // when the operations of its last round trip were sent
	away     uint32        // microseconds of its round trips so far
	batch    batch         // its turn for a long batch
	expects  int           // bytes that it was expected to read, as counted in pool.Slots

	room      int    // bytes reserved for the verb, arguments included
	arguments int    // the part of room for arguments
	counted   bool   // counted in the caller's rooms
	copied    int    // bytes of replies that were copied for it
	putOff    int    // bytes of the replies that a later turn begins with, if it was postponed; 0 if it has paused in long work
	wanted    int    // bytes of room that it waits for
	since     uint32 // tick at which the wait began
}

// Listener receives the answer of a verb, once. text is valid until Told returns.
type Listener interface {
	Told(r *Execution, text []byte)
}

// Largest returns the size of the largest value that the verb has read, in bytes.
func (r *Execution) Largest() int { return r.largest }

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

// Item returns the properties of the item that the answer represents.
func (r *Execution) Item() verbs.Item { return r.routine.Item() }

// TakeAnswer returns the answer that the listener has received, in a buffer that the
// listener takes over.
func (r *Execution) TakeAnswer() []byte { return r.routine.TakeAnswer() }

// hasRead stops counting the verb's reads, because its first replies have arrived. So
// other verbs may begin to read even if this one now waits for memory or works for
// long.
func (r *Execution) hasRead() {
	if r.expects > 0 {
		r.owner.Verbs.Learn(r.read)
		r.readsNothing()
	}
}

// readsNothing stops counting the verb's reads, because it waits for another verb, which may read for
// both.
func (r *Execution) readsNothing() {
	if r.expects > 0 {
		r.owner.Verbs.Reading -= r.expects
		r.expects = 0
	}
}

// ownerOf returns the upstream that owns the structure of op.
func (r *Execution) ownerOf(op *verbs.Op) *pool.Member {
	key := op.RoutingKey()
	if bytes.Equal(key, r.key) { // the usual case; locating a key takes longer
		return r.owner
	}
	return r.executor.Pool.Owner(key)
}
