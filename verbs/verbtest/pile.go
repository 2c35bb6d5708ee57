package verbtest

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// pile is a fold of a kind other than sets: the words of all tokens "y+word ",
// duplicates included.
type pile struct {
	log   []byte
	words []string

	dead, foreign int
}

// PileKind is the kind of structure whose fold is a pile.
var PileKind = format.Kind{Letter: 'y', Name: "pile", New: func() format.Fold { return &pile{} }, Memory: func(int) int { return 0 }}

// Expect implements [format.Fold].
func (f *pile) Expect(*verbs.Pace, int) {}

// Read implements [format.Fold].
func (f *pile) Read(_ *verbs.Pace, log []byte, now int64) bool {
	*f = pile{}
	return f.Extend(log, now)
}

// Extend implements [format.Fold].
func (f *pile) Extend(log []byte, _ int64) bool {
	for token := range format.Words(log[len(f.log):]) {
		switch {
		case bytes.HasPrefix(token, []byte("y+")):
			f.words = append(f.words, string(token[2:]))
		case format.Foreign(token, 'y'):
			f.dead++
			f.foreign++
		case string(token) == "y":
			f.dead++
		default:
			return false
		}
	}
	f.log = log
	return true
}

// Live implements [format.Fold].
func (f *pile) Live() int { return len(f.words) }

// Dead implements [format.Fold].
func (f *pile) Dead() int { return f.dead }

// Foreign implements [format.Fold].
func (f *pile) Foreign() int { return f.foreign }

// AppendLog implements [format.Fold].
func (f *pile) AppendLog(_ *verbs.Pace, dst []byte) []byte {
	for _, w := range f.words {
		dst = append(append(append(dst, "y+"...), w...), ' ')
	}
	return dst
}

// AppendNet implements [format.Fold].
func (f *pile) AppendNet(p *verbs.Pace, dst []byte) []byte { return f.AppendLog(p, dst) }

// Trim implements [format.Fold].
func (f *pile) Trim(int) { *f = pile{} }

// Kept implements [format.Fold].
func (f *pile) Kept() int { return 0 }
