package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Use is what a verb does with the structures it loads.
type Use uint8

const (
	Counted  Use = iota // it folds each of them
	Listed              // and answers with the members
	Sampled             // and answers with some members, or removes them
	Combined            // it concatenates their logs and folds the result
)

// extents are the sizes of what was loaded.
type extents struct {
	bytes  int // of all logs
	tokens int // in all logs
	folds  int // in the largest log that is not folded yet
	most   int // in the largest log
}

// memory returns how many bytes the use takes in addition to the logs.
func (u Use) memory(kind *format.Kind, of extents) int {
	folds := 0
	if of.folds > 0 {
		folds = kind.Memory(of.folds)
	}
	switch u {
	case Listed:
		return folds + min(of.bytes, verbs.MaxAnswer)
	case Sampled:
		return folds + 2*of.bytes + 4*of.most
	case Combined: // the separate logs are dropped before the concatenation is folded
		return max(of.bytes+folds, kind.Memory(of.tokens)+min(of.bytes, verbs.MaxAnswer))
	}
	return folds
}
