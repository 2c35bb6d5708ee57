package structure

import "github.com/memverbs/memverbs/verbs/structure/format"

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
