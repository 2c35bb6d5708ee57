package execution

import "slices"

// Caller is a client, as its verbs know it.
type Caller struct {
	// Owner is the client.
	Owner Owner

	executions []*Execution // under way
	wants      []*Execution // those that wait for memory, oldest first
	paused     []*Execution // those that go on when it is the caller's turn, oldest first
	rooms      int          // how many have memory
	inQueue    bool         // of those whose verbs wait for memory
	served     uint32       // the tick at which a verb got memory, or gave it back
	gone       bool
}

// Owner is whom the verbs of a caller are carried out for.
type Owner interface {
	// Progress is called when a verb has ended.
	Progress()
	// IsAlone reports whether nothing is under way for the owner but one verb.
	IsAlone() bool
}

// maxExecutions is how many verbs of a caller may be under way.
const maxExecutions = 256

// Running returns how many verbs of the caller are under way.
func (c *Caller) Running() int { return len(c.executions) }

func (c *Caller) add(r *Execution) {
	r.place = len(c.executions)
	c.executions = append(c.executions, r)
}

func (c *Caller) remove(r *Execution) {
	last := len(c.executions) - 1
	c.executions[r.place], c.executions[last].place = c.executions[last], r.place
	c.executions[last], c.executions = nil, c.executions[:last]
}

// insert puts r into a list of executions, oldest first.
func insert(list []*Execution, r *Execution) []*Execution {
	place := slices.IndexFunc(list, func(other *Execution) bool { return other.number > r.number })
	if place < 0 {
		place = len(list)
	}
	return slices.Insert(list, place, r)
}
