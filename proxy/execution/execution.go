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
	key     []byte       // what the verb is about, to tell conflicts
	several bool         // there are more keys
	ops     []verbs.Op
	waiting int  // replies to ops that are outstanding
	sending bool // ops, so that it is not the time to go on yet
	kept    int  // by the routine while it is idle, in bytes
	queued  bool // an append, at some time
	hasTold bool // what there is to answer, so that only tidying is left
	largest int  // value that was read, in bytes
	read    int  // the same, without what may come on the second connection
	expects int  // bytes that it was expected to read when it began

	room      int    // that the verb has, in bytes, with that of its arguments
	arguments int    // room for these
	counted   bool   // among those of the caller that have room
	copied    int    // bytes of replies that were copied for it
	wanted    int    // room that it waits for
	since     uint32 // the tick at which that began
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

// hasRead has others begin to read: what the verb asked for first is there. If it now
// waits for memory, or works on for long, small verbs need not wait for that.
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
