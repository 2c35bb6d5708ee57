package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Engine reads, changes and tidies structures of any kind for the calls of one routine.
// It stays with the routine, so that later calls reuse its memory.
//
// It consists of parts, each of which knows those that come after it, and none before.
type Engine struct {
	tidier
	leader
	compactor
	settler
	writer writer
	loader
	clock clock
	folds
	limits
	call
}

// EngineOf returns the engine of a call on structures of the given kind.
func EngineOf(c *verbs.Call, kind *format.Kind) *Engine {
	e, ok := c.Keeper.(*Engine)
	if !ok {
		e = newEngine(c)
		c.Keeper = e
	}
	e.Kind, e.Of, e.Spare, e.Prune, e.clock.lasts = kind, nil, 0, nil, lasts{}
	return e
}

func newEngine(of *verbs.Call) *Engine {
	e := &Engine{call: call{Call: of, env: of.Env.(Env)}}
	c := &e.call
	e.limits = limits{c}
	e.folds = folds{call: c}
	e.clock = clock{call: c}
	e.loader = loader{call: c, folds: &e.folds}
	e.writer = writer{c, &e.limits, &e.clock}
	e.settler = settler{call: c, limits: &e.limits, folds: &e.folds, clock: &e.clock, loader: &e.loader, writer: &e.writer}
	e.compactor = compactor{c, &e.folds, &e.clock, &e.loader, &e.writer}
	e.leader = leader{call: c, limits: &e.limits, clock: &e.clock, loader: &e.loader, writer: &e.writer, settler: &e.settler}
	e.tidier = tidier{c, &e.limits, &e.settler, &e.compactor, &e.leader}
	return e
}
