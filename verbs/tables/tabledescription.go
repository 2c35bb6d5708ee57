package tables

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Describe describes the index of the table that the call is about: Hit, Missing if there is
// no such table, or Failed. [structure.Engine.AfterRead] has to follow.
func Describe(call *verbs.Call) (e *structure.Engine, d structure.Description, outcome verbs.Reply) {
	c := newCall(call)
	switch s := c.learn(c.Ask(c.anchor())); s {
	case changed:
		d, outcome = c.Engine.Describe(c.index)
		return c.Engine, d, outcome
	case absent:
		return c.Engine, d, verbs.Reply{Status: verbs.Missing}
	}
	return c.Engine, d, verbs.Reply{}
}
