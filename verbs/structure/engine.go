package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Engine reads, changes and tidies structures of any kind for the calls of one routine.
// It stays with the routine, so that later calls reuse its memory.
//
// It is made of layers, each of which has all that those below it have, and knows none above it.
type Engine struct{ tidier }

// EngineOf returns the engine of a call on structures of the given kind.
func EngineOf(c *verbs.Call, kind *format.Kind) *Engine {
	e, ok := c.Keeper.(*Engine)
	if !ok {
		e = new(Engine)
		e.call = call{Call: c, env: c.Env.(Env)}
		c.Keeper = e
	}
	e.Kind, e.Of, e.Spare, e.Prune, e.lasts = kind, nil, 0, nil, lasts{}
	return e
}
