package verbtest

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// What a proxy does with appends that it holds back: the call that holds their item carries them
// out with its own, see [structure.Env]. Here any append that a call waits for may be one of them.

// mayBeTaken reports whether the append of c to the item under key can be taken along.
func (c *Caller) mayBeTaken(key []byte) bool {
	if len(c.open) != 1 || len(c.ops) != 1 || c.takenAlong || c.tookAlong != nil {
		return false
	}
	op := &c.ops[0]
	return op.Joins(op) && bytes.Equal(op.Key, key)
}

// takeAlong implements [structure.Env.TakeAlong] for the calls of env.
func (s *Schedule) takeAlong(env verbs.Env, key []byte, most int) (tokens []byte) {
	for _, p := range s.Clients {
		if c := p.Caller; c != nil && p.Pool.Env == env && c.mayBeTaken(key) && len(tokens)+len(c.ops[0].Data) <= most && (s.Fewer || s.Choose.Pick(2) == 1) {
			c.takenAlong = true
			tokens = append(tokens, c.ops[0].Data...)
		}
	}
	return tokens
}

// tookAlong implements [structure.Env.TookAlong].
func (s *Schedule) tookAlong(env verbs.Env, key []byte, outcome verbs.Reply) {
	for _, p := range s.Clients {
		c := p.Caller
		if c == nil || p.Pool.Env != env || !c.takenAlong || !bytes.Equal(c.ops[0].Key, key) {
			continue
		}
		if c.takenAlong = false; outcome.Status == verbs.Stored || outcome.Status == verbs.Failed {
			c.tookAlong = &verbs.Reply{Status: outcome.Status, Err: outcome.Err}
		}
	}
}
