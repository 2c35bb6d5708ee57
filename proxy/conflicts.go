package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/structure"
)

// maxCompared is how many words of a request are looked at one by one; a
// request with more is taken to be about everything.
const maxCompared = 256

// conflicts reports whether req may touch what a verb of c that is under way
// has yet to change, or may change what one has yet to read. To be wrong costs
// waiting.
func (c *client) conflicts(req *protocol.Request) bool {
	if len(c.executions) >= maxExecutions || req.Command == protocol.FlushAll {
		return true
	}
	if !req.Command.Retrieval() && !takesKeys(req) {
		return c.concerned(actOf(req), c.isBlindAppend(req))
	}
	if req.NumWords > maxCompared {
		return true
	}
	this := actOf(req)
	for rest := req.Words; ; {
		if this.key, rest = protocol.NextWord(rest); len(this.key) == 0 {
			return false
		}
		if c.concerned(c.loop.carriage.carriedBy(this, req.Command), false) {
			return true
		}
	}
}

// act is what a request is to do about one key.
type act struct {
	key      []byte
	verb     *verbs.Verb // nil if it is a plain command
	readOnly bool
}

// actOf returns what req is to do about its key.
func actOf(req *protocol.Request) act {
	if v := catalog.Of(req); v != nil {
		return act{req.Key, v, v.ReadOnly}
	}
	return act{req.Key, nil, req.Command.ReadOnly()}
}

// carriedBy returns what is done about a key that a retrieval names: that of the verb, if
// the key names one.
func (c *carriage) carriedBy(this act, command protocol.Command) act {
	if c.covers(this.key) && command.Retrieval() {
		if subject, verb := c.keys.Subject(command, this.key); verb != nil {
			return act{subject, verb, verb.ReadOnly}
		}
	}
	return this
}

// isBlindAppend reports whether what req does is no more than to append, so that it
// happens behind what else waits to be appended.
func (c *client) isBlindAppend(req *protocol.Request) bool {
	v := catalog.Of(req)
	return v != nil && v.Tokens != nil && structure.Appended(c.loop, req.Key, v.Tokens(len(req.Words)))
}

// concerned reports whether what is to be done conflicts with a verb of c that is under
// way. behind says that it goes behind what waits to be appended.
func (c *client) concerned(this act, behind bool) bool {
	for _, r := range c.executions {
		if this.readOnly && r.verb.ReadOnly || behind && r.admitsAfter(this.verb) {
			continue
		}
		if r.several || r.isRelated(this) {
			return true
		}
	}
	return false
}

// admitsAfter reports whether a verb of the same client that appends may come after r as it is,
// whatever both are about: r is of the same verb, and either has answered, or waits for
// no more than an append that the other's goes behind.
func (r *execution) admitsAfter(verb *verbs.Verb) bool {
	return verb == r.verb && (r.hasTold || asked{r, 0}.joins())
}

// isRelated reports whether r is about the same key, or one of the two about a structure
// and the other about an item of it by its name.
func (r *execution) isRelated(to act) bool {
	return bytes.Equal(r.key, to.key) ||
		to.verb != nil && to.verb.NamedParts && within(r.key, to.key) ||
		r.verb.NamedParts && within(to.key, r.key)
}

// within reports whether key has the name of a structure in front.
func within(key, structure []byte) bool {
	return len(key) > len(structure) && key[len(structure)] == ':' && bytes.HasPrefix(key, structure)
}
