package execution

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
)

// Execution is a verb of a caller under way: a routine of package verbs, whose
// operations are sent to the upstreams and whose replies are brought back.
type Execution struct {
	Verb  *verbs.Verb
	Slot  uint32 // of the answer, among whatever the listener has
	Quiet bool   // nobody wants to see the answer

	on      *Executor
	routine *verbs.Routine
	pool    *pool.Pool // that it began with
	caller  *Caller
	place   int    // among the caller's executions
	number  uint64 // in the order in which the loop's executions began
	to      Listener
	owner   *pool.Member // of the first key, nil if there is none
	key     []byte       // the verb's key, to detect conflicts
	several bool         // there are more keys
	ops     []verbs.Op
	waiting int  // replies to ops that are outstanding
	sending bool // ops are being sent, so don't resume yet
	kept    int  // memory of the idle routine, in bytes
	queued  bool // an append of it has been queued
	hasTold bool // it has answered, and only tidies up
	largest int  // size of the largest value read, in bytes
	read    int  // the same, without values that may arrive on the second connection
	expects int  // bytes that it was expected to read, as counted in admission

	room      int    // bytes reserved for the verb, arguments included
	arguments int    // room for these
	counted   bool   // among those of the caller that have room
	copied    int    // bytes of replies that were copied for it
	wanted    int    // bytes of room that it waits for
	since     uint32 // tick at which the wait began
}

// Listener is told what a verb has answered, once. The text holds until Told returns.
type Listener interface {
	Told(r *Execution, text []byte)
}

// Largest returns how long the longest value is that the verb has read, in bytes.
func (r *Execution) Largest() int { return r.largest }

// Item returns what is known of the item that the answer stands for.
func (r *Execution) Item() verbs.Item { return r.routine.Item() }

// TakeAnswer returns the answer, which the listener has been told, in a buffer that is the
// listener's from now on.
func (r *Execution) TakeAnswer() []byte { return r.routine.TakeAnswer() }

// hasRead ends the verb's share of admission's limit on reading, as its first replies
// have arrived. So other verbs may begin to read even if this one now waits for memory
// or works for long.
func (r *Execution) hasRead() {
	if r.expects > 0 {
		r.owner.Verbs.Reading -= r.expects
		r.owner.Verbs.Learn(r.read)
		r.expects = 0
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
