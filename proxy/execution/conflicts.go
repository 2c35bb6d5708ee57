package execution

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/structure"
)

// maxCompared is how many keys of a request are compared one by one; a request with
// more conflicts with every verb.
const maxCompared = 256

// Conflicts reports whether req may conflict with a running verb of c: one of them may
// change what the other has yet to read or change. A false positive only costs waiting.
// named are the keys that name verbs, nil if there are none. A flush of a namespace concerns
// all keys: it may wait for a server, and what its client asks of another one must not overtake it.
func (c *Caller) Conflicts(x *Executor, req *protocol.Request, named *verbkeys.Keys) bool {
	if len(c.executions) == 0 {
		return false
	}
	if len(c.executions) >= maxExecutions || req.Command == protocol.FlushAll || c.flushes() {
		return true
	}
	if !req.Command.Retrieval() && !TakesKeys(req) {
		return c.concerned(actOf(req), x.isBlindAppend(req))
	}
	if req.NumWords > maxCompared {
		return true
	}
	this := actOf(req)
	for this.key = range protocol.Words(req.Words) {
		if c.concerned(carriedBy(named, this, req.Command), false) {
			return true
		}
	}
	return false
}

// flushes reports whether a running verb of c concerns all upstreams.
func (c *Caller) flushes() bool {
	return slices.ContainsFunc(c.executions, func(r *Execution) bool { return r.Verb.Everywhere })
}

// act is what a request does with one key.
type act struct {
	key      []byte
	verb     *verbs.Verb // nil if it is a plain command
	readOnly bool
	quiet    bool
	several  bool // key is only the first of those that it uses
}

// actOf returns what req does to its key.
func actOf(req *protocol.Request) act {
	if v := catalog.Of(req); v != nil {
		return act{key: req.Key, verb: v, readOnly: v.ReadOnly, quiet: req.Quiet}
	}
	return act{key: req.Key, readOnly: req.Command.ReadOnly(), quiet: req.Quiet}
}

// carriedBy returns the act of the verb that a key of a retrieval names, or this if it names none.
func carriedBy(named *verbkeys.Keys, this act, command protocol.Command) act {
	if named != nil && named.Cover(this.key) && command.Retrieval() {
		if subject, verb := named.Subject(command, this.key); verb != nil {
			return act{subject, verb, verb.ReadOnly, this.quiet, verb.Carry.Split}
		}
	}
	return this
}

// isBlindAppend reports whether req only appends, without reading, so that it takes
// effect after all waiting appends.
func (x *Executor) isBlindAppend(req *protocol.Request) bool {
	v := catalog.Of(req)
	return v != nil && v.Tokens != nil && x.Namespaces.Of(req.Key) == 0 && structure.Appended(&x.env, req.Key, v.Tokens(req.Words, req.Data))
}

// concerned reports whether this conflicts with a running verb of c. blind says that this is a
// blind append.
func (c *Caller) concerned(this act, blind bool) bool {
	for _, r := range c.executions {
		if this.readOnly && r.Verb.ReadOnly || blind && r.admitsAfter(this.verb) || len(c.executions) < maxQueued && r.precedes(this) {
			continue
		}
		if r.several || this.several || r.isRelated(this) {
			return true
		}
	}
	return false
}

// admitsAfter reports whether a blind append by verb may begin while r is running, whatever
// their keys: r is of the same verb, and has either answered or waits only for an append,
// and the new one is queued after that.
func (r *Execution) admitsAfter(verb *verbs.Verb) bool {
	return verb == r.Verb && (r.answered || operation{r, 0}.joins())
}

// maxQueued is how many ordered verbs of a caller may wait for each other. They wait for as long as it
// takes to read the structure, and verbs for all structures of an upstream share a limit (pool.Slots).
const maxQueued = 32

// precedes reports whether this may begin while r is running, whatever their keys, because it takes
// effect after r.
func (r *Execution) precedes(this act) bool {
	return this.verb == r.Verb && r.Verb.Ordered && !this.quiet && !r.Quiet && r.routine.Queued()
}

// isRelated reports whether r and to have the same key, or one of them uses a structure and the
// other an item of it by the item's key.
func (r *Execution) isRelated(to act) bool {
	return bytes.Equal(r.key, to.key) ||
		to.verb != nil && to.verb.NamedParts && within(r.key, to.key) ||
		r.Verb.NamedParts && within(to.key, r.key)
}

// within reports whether key begins with the name of structure and a colon.
func within(key, structure []byte) bool {
	return len(key) > len(structure) && key[len(structure)] == ':' && bytes.HasPrefix(key, structure)
}
