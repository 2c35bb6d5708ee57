package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Engine reads, changes and tidies structures of any kind for the calls of one routine.
// It stays with the routine, so that later calls reuse its memory.
type Engine struct {
	*verbs.Call
	env  Env
	Kind *format.Kind // the kind of the verb

	// Of is the key of the other structure if the engine works on a structure that is a part of
	// another one, such as the index of a table: all its items are on the upstream that owns that
	// key. It is nil otherwise.
	Of []byte
	// Spare is how many bytes of the call's room to keep in addition to those for what is loaded.
	Spare int
	// Prune drops members that are not needed any more, for a reason that only the verb knows,
	// from the fold of a log that is about to be rewritten, and from that log. If stuck says that the structure
	// was full lately, it drops all of them, else it may leave some. It may ask for operations. What was
	// appended meanwhile comes after the removals. It returns whether it has dropped any, and Hit, or why it failed.
	// It is nil if nothing is ever pruned.
	Prune func(fold format.Fold, stuck bool) (pruned bool, outcome verbs.Reply)

	loaded int // bytes of the call's room for what was loaded and its use

	List  []Loaded    // scratch: the structures loaded last
	first []byte      // scratch: the head of the first of List
	log   []byte      // scratch: the log of its segments
	folds []kindFold  // scratch: a fold for each kind
	lent  views.Loans // views that the call uses

	before *views.View // a view of the call's structure that was just found outdated, or nil
	atOnce atOnce
	weight weight // of the structure that the call has last decided on

	lasts   lasts   // when a head expires, see exptimeOf
	scratch Scratch // taken from env, not used yet
}

// EngineOf returns the engine of a call on structures of the given kind.
func EngineOf(c *verbs.Call, kind *format.Kind) *Engine {
	e, ok := c.Keeper.(*Engine)
	if !ok {
		e = &Engine{Call: c, env: c.Env.(Env)}
		c.Keeper = e
	}
	e.Kind, e.Of, e.Spare, e.Prune, e.lasts = kind, nil, 0, nil, lasts{}
	return e
}

// owner returns the key by which the structure under key is placed.
func (e *Engine) owner(key []byte) []byte {
	if e.Of != nil {
		return e.Of
	}
	return key
}

// Ask is [verbs.Call.Ask] for an item of a structure that the engine works on.
func (e *Engine) Ask(op verbs.Op) verbs.Reply {
	e.Ops = append(e.Ops[:0], op)
	return e.AskAll(e.Ops)[0]
}

// AskAll is [verbs.Call.AskAll] for items of structures that the engine works on.
func (e *Engine) AskAll(ops []verbs.Op) []verbs.Reply { return e.Call.AskAll(e.placed(ops)) }

// placed routes ops to the upstream that owns Of, if it is not nil.
func (e *Engine) placed(ops []verbs.Op) []verbs.Op {
	if e.Of != nil {
		for i := range ops {
			ops[i].Of = e.Of
		}
	}
	return ops
}

// hold asks the proxy to hold back other calls' appends to the head under key, or ends that.
func (e *Engine) hold(key []byte, on bool) { e.env.Hold(e.owner(key), key, on) }

// noteLost reports that the structure under key is lost, unless it is a part of another structure:
// then the verb on that structure reports the loss.
func (e *Engine) noteLost(key []byte) {
	if e.Of == nil {
		e.env.NoteLost(key, key, e.Kind.Name)
	}
}

// ReserveMore raises the call's room to n bytes more than what was loaded takes, see
// [verbs.Call.Reserve].
func (e *Engine) ReserveMore(n int) bool { return e.Reserve(e.loaded + n) }

// weight is how many tokens a structure had when a call decided on it.
type weight struct{ dead, live int }

// lasts says when a head expires.
type lasts struct {
	key     string
	ttl     int64 // its time to live when that was found out, in seconds
	exptime int64
}
