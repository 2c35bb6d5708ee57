package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A call that appends without reading may append to a structure of another kind. It is answered
// STORED, but its tokens have no meaning there, and the next swap that folds them drops them. That
// is counted and logged, since nothing else shows the mistake.

// foreign is the tokens of other kinds that a fold has left out.
type foreign struct {
	kind   *format.Kind // of the structure
	tokens int
}

// foreignIn returns the tokens that fold, of a structure of the given kind, has left out.
func foreignIn(kind *format.Kind, fold format.Fold) foreign { return foreign{kind, fold.Foreign()} }

// countSwap adds a swap that has replaced a log by a folded one to the account; r is the
// reply to it. Tokens are noted as dropped only if that is certain: another swap may have
// come first, or dropped them already.
func (e *Engine) countSwap(key []byte, out foreign, r verbs.Reply) {
	e.Count(r)
	if r.Status == verbs.Stored && out.tokens > 0 {
		e.env.NoteForeign(e.owner(key), key, out.kind.Name, out.tokens)
	}
}
