package structure

import "github.com/memverbs/memverbs/verbs/structure/format"

// Scratch is memory for folding large logs. Allocating it again for each log would take
// longer than folding.
type Scratch struct {
	kindFold
	log []byte
}

// Size returns the memory of s, in bytes.
func (s *Scratch) Size() int {
	size := cap(s.log)
	if s.fold != nil {
		size += s.fold.Kept()
	}
	return size
}

type kindFold struct {
	kind *format.Kind
	fold format.Fold
}
