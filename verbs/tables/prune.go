package tables

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure"
)

// The index grows with every field that a table has ever had. So when a part of it is folded
// away, the fields in it that have no row any more are dropped.
//
// That is right because the row precedes the field in the index. The part that is folded
// away was read before the rows are looked for. If a row is missing then, and is set later,
// its field is appended later too, and what is appended later is kept.

// sampled is how many fields are looked up before all are. If few of these have no row, none
// is dropped, so that a table whose rows stay is settled without looking at all of them.
const sampled = 64

// prune implements [structure.Engine.Prune]: it returns tokens that remove the fields in the
// set that have no row.
func (c *tableCall) prune(fold structure.Fold) (tokens []byte, outcome verbs.Reply) {
	set := fold.(*sets.Set)
	fields := set.AppendMembers(&c.Pace, nil)
	if n := set.Live(); n > sampled {
		some := c.every(fields, n/sampled, c.Random(n/sampled))
		if tokens, outcome = c.removals(some); outcome.Status != verbs.Hit || bytes.Count(tokens, []byte{' '}) < sampled/8 {
			return nil, outcome
		}
	}
	return c.removals(fields)
}

// removals returns tokens that remove the fields in the list that have no row.
func (c *tableCall) removals(fields []byte) (tokens []byte, outcome verbs.Reply) {
	var keys []byte
	for len(fields) > 0 {
		var ops []verbs.Op
		var rest []byte
		ops, keys, rest = c.batch(c.Ops[:0], verbs.Probe, rowsAtOnce, fields, keys[:0])
		for _, r := range c.AskAll(ops) {
			var field []byte
			field, fields = protocol.NextWord(fields)
			switch r.Status {
			case verbs.Hit:
			case verbs.Missing:
				tokens = append(append(append(tokens, '-'), field...), ' ')
			default:
				return nil, r
			}
		}
		fields = rest
	}
	return tokens, verbs.Reply{Status: verbs.Hit}
}

// every returns each step-th word of a list, from the number first on.
func (c *tableCall) every(list []byte, step, first int) (words []byte) {
	n := 0
	c.EachWord(list, func(word []byte) {
		if n%step == first {
			words = append(append(words, word...), ' ')
		}
		n++
	})
	return words
}
