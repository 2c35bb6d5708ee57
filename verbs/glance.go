package verbs

import "github.com/memverbs/memverbs/protocol"

// Glances makes calls that answer from memory, see [Verb].Glance, one after another. Such a call ends at once, so it needs no
// [Routine], and no copy of its arguments.
type Glances struct{ call Call }

// NewGlances returns glances in env.
func NewGlances(env Env) *Glances {
	return &Glances{Call{Env: env, Pace: Pace{Slice: SliceTokens}}}
}

// Answer returns the answer to req, which is valid until the next call. It returns nil if a [Routine] has to find the answer.
func (g *Glances) Answer(verb *Verb, req *protocol.Request) []byte {
	c := &g.call
	c.reset(verb)
	c.Arguments.borrow(req)
	c.glance()
	c.Arguments = Arguments{}
	if !c.Answered() {
		return nil
	}
	return c.Answer
}

// Account returns what the last call has cost.
func (g *Glances) Account() Account { return g.call.Account }

// glance answers the call if it can.
func (c *Call) glance() {
	var none Step
	defer c.endPanic(&none)
	c.verb.Glance(c)
}
