package structure

import "github.com/memverbs/memverbs/verbs"

// Use is what a verb is going to do with what it loads.
type Use uint8

const (
	Counted  Use = iota // each structure is folded
	Listed              // and its members go into the answer
	Sampled             // or some of them, which are removed
	Combined            // the structures become one log, which is folded
)

// extents is how much was loaded.
type extents struct {
	bytes  int // of logs, in all
	tokens int // in them
	folds  int // tokens of the largest that is still to be folded
	most   int // tokens of the largest
}

// room returns how many bytes the use takes, beside the logs.
func (u Use) room(kind *Kind, of extents) int {
	folds := 0
	if of.folds > 0 {
		folds = kind.Room(of.folds)
	}
	switch u {
	case Listed:
		return folds + min(of.bytes, verbs.MaxAnswer)
	case Sampled:
		return folds + 2*of.bytes + 4*of.most
	case Combined: // the first logs are gone when the last one is folded
		return max(of.bytes+folds, kind.Room(of.tokens)+min(of.bytes, verbs.MaxAnswer))
	}
	return folds
}
