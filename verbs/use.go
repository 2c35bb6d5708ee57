package verbs

// use is what a verb is going to do with what it loads.
type use uint8

const (
	counted  use = iota // each structure is folded
	listed              // and its members go into the answer
	sampled             // or some of them, which are removed
	combined            // the structures become one log, which is folded
)

// extents is how much was loaded.
type extents struct {
	bytes  int // of logs, in all
	tokens int // in them
	folds  int // tokens of the largest that is still to be folded
	most   int // tokens of the largest
}

// room returns how many bytes the use takes, beside the logs.
func (u use) room(kind *Kind, of extents) int {
	folds := 0
	if of.folds > 0 {
		folds = kind.Room(of.folds)
	}
	switch u {
	case listed:
		return folds + min(of.bytes, MaxAnswer)
	case sampled:
		return folds + 2*of.bytes + 4*of.most
	case combined: // the first logs are gone when the last one is folded
		return max(of.bytes+folds, kind.Room(of.tokens)+min(of.bytes, MaxAnswer))
	}
	return folds
}
