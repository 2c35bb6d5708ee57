package execution

import "github.com/memverbs/memverbs/verbs/waiters"

// Caller is what an executor knows about a client.
type Caller struct {
	// Owner is the client.
	Owner Owner

	executions   []*Execution      // running verbs
	reading      *sharedRead       // the shared read that the caller's verbs joined last; nil if none is under way
	readers      int               // number of verbs that wait for reading and for nothing else
	wants        line              // verbs that wait for memory
	paused       line              // verbs that wait to continue in a later turn of the loop
	batches      line              // verbs that wait to send a batch
	reservations int               // number of verbs with reserved memory
	refused      int               // number of verbs whose appends were refused, see refusals.go
	served       uint32            // tick at which a verb last reserved or released memory
	waiting      []*waiters.Waiter // calls that wait until there is something for them
	wrapped      int               // number of verbs that are not answered and may take several executions, or none yet
	attention    attention
}

// Owner is the client whose verbs an executor runs.
type Owner interface {
	// Progress is called when a verb has ended.
	Progress()
	// HasOnly reports whether n verbs are all that the owner has in flight.
	HasOnly(n int) bool
}

// maxExecutions is how many verbs of a caller may run at once.
const maxExecutions = 256

// Running returns how many verbs of the caller are running.
func (c *Caller) Running() int { return len(c.executions) }

// Waiting returns how many calls of the caller wait until there is something for them, or are being made meanwhile.
func (c *Caller) Waiting() int { return len(c.waiting) }

// Wrapped reports whether a verb of the caller is not answered that may take several executions: one on keys in namespaces,
// or on a key that may have remained at a former place.
func (c *Caller) Wrapped() bool { return c.wrapped > 0 }

func (c *Caller) add(r *Execution) {
	r.place = len(c.executions)
	c.executions = append(c.executions, r)
}

func (c *Caller) remove(r *Execution) {
	last := len(c.executions) - 1
	c.executions[r.place], c.executions[last].place = c.executions[last], r.place
	c.executions[last], c.executions = nil, c.executions[:last]
}
