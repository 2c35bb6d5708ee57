package tables

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// condemn deletes the anchor, as r has read it after the index was found missing: the table
// is lost. It returns the state of the table afterwards.
func (c *tableCall) condemn(r verbs.Reply) state {
	if r.CAS == 0 {
		c.Sayf("SERVER_ERROR a part of %s was evicted, and its upstream keeps no CAS; delete it", c.Shown(c.Key))
		return told
	}
	switch r = c.remove(r); r.Status {
	case verbs.Stored, verbs.Missing:
		return absent
	case verbs.Exists:
		return c.learn(c.Ask(c.anchor()))
	}
	return c.fail(r)
}

// remove deletes the anchor of a table that is lost, unless it has changed since r has read
// it.
func (c *tableCall) remove(r verbs.Reply) verbs.Reply {
	c.Env.Hints().Forget(c.Key)
	r = c.Ask(verbs.Op{Kind: verbs.DeleteIf, Key: c.Key, CAS: r.CAS, Epoch: r.Epoch})
	if r.Status == verbs.Stored {
		c.Env.(structure.Env).NoteLost(c.Key, c.Shown(c.Key), Kind.Name)
	}
	return r
}

// missed is called when the index was found missing: it returns the state of the table,
// which is lost if it still has the call's generation.
func (c *tableCall) missed() state {
	r := c.Ask(c.anchor())
	if s := c.check(r); s != present {
		return s
	}
	return c.condemn(r)
}

// torn answers a call whose table existed before it changed a row and not afterwards: others may or
// may not have seen the change.
func (c *tableCall) torn() state {
	c.Sayf("%s: %s was deleted or lost meanwhile", errTorn, c.Shown(c.Key))
	return told
}

// errTorn is the beginning of torn's answer.
const errTorn = "SERVER_ERROR it is unknown whether this had an effect"
