package tables

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Kind is the kind of a table's anchor. Its log is one token, which never changes. It is
// registered, see [format.Register], so that a verb on another kind of structure that is
// about to rewrite an anchor, after it has appended tokens by mistake, rewrites it as what
// it is.
var Kind = format.Kind{Letter: 'h', Name: "table", New: func() format.Fold { return &anchor{} }, Memory: func(int) int { return 0 }}

// generationSize is the length of a generation, which is an ID.
const generationSize = verbs.IDSize

// token begins the token of an anchor, before its generation.
const token = "h:"

// newGeneration returns a generation that no table has had.
func newGeneration(env verbs.Env) string {
	id := verbs.NewID(env)
	return string(id[:])
}

// appendAnchor appends the value of an anchor to dst.
func appendAnchor(dst []byte, generation string) []byte {
	return append(append(append(dst, token...), generation...), ' ')
}

// parseAnchor returns the generation in the value of an anchor, and false if it is none.
// Tokens of other kinds may follow it and mean nothing. The generation is checked to be
// base64, since other characters could break the lines of requests.
func parseAnchor(value []byte) (generation []byte, ok bool) {
	rest, ok := bytes.CutPrefix(value, []byte(token))
	if !ok || len(rest) < generationSize || len(rest) > generationSize && !format.Space(rest[generationSize]) {
		return nil, false
	}
	generation = rest[:generationSize]
	return generation, verbs.IsID(generation)
}

// anchor is the fold of an anchor: its first generation.
type anchor struct {
	log        []byte
	generation []byte // nil if there is none
	dead       int
	foreign    int
}

// Expect implements [format.Fold].
func (f *anchor) Expect(*verbs.Pace, int) {}

// Read implements [format.Fold].
func (f *anchor) Read(_ *verbs.Pace, log []byte, now int64) bool {
	*f = anchor{}
	return f.Extend(log, now)
}

// Extend implements [format.Fold].
func (f *anchor) Extend(log []byte, _ int64) bool {
	for word := range format.Words(log[len(f.log):]) {
		generation, ok := parseAnchor(word)
		switch {
		case ok && f.generation == nil:
			f.generation = generation
		case format.Foreign(word, Kind.Letter):
			f.dead++
			f.foreign++
		case ok, len(word) == 1 && word[0] == Kind.Letter:
			f.dead++
		default:
			*f = anchor{}
			return false
		}
	}
	f.log = log
	return true
}

// Live implements [format.Fold].
func (f *anchor) Live() int {
	if f.generation == nil {
		return 0
	}
	return 1
}

// Dead implements [format.Fold].
func (f *anchor) Dead() int { return f.dead }

// Foreign implements [format.Fold].
func (f *anchor) Foreign() int { return f.foreign }

// AppendLog implements [format.Fold].
func (f *anchor) AppendLog(_ *verbs.Pace, dst []byte) []byte {
	if f.generation == nil {
		return dst
	}
	return appendAnchor(dst, string(f.generation))
}

// AppendNet implements [format.Fold]: the first generation of all counts.
func (f *anchor) AppendNet(p *verbs.Pace, dst []byte) []byte { return f.AppendLog(p, dst) }

// Trim implements [format.Fold].
func (f *anchor) Trim(int) { *f = anchor{} }

// Kept implements [format.Fold].
func (f *anchor) Kept() int { return 0 }
