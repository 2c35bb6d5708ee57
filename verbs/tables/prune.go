package tables

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// The index has every field that the table has ever had. So when a part of it is folded, the fields
// in that part that have no row any more are dropped.
//
// That is correct because a row is stored before its field is appended. The folded part was read
// before the rows are looked up. If a row is missing then, and is set later, its field is appended
// later too, and what is appended later is kept.

// sampled is how many fields are looked up at first. If few of these have no row, none is dropped,
// so that a table whose rows stay is settled without looking up all of them. But if the index has
// no room for more, all fields are looked up.
const sampled = 64

// prune implements [structure.Engine.Prune]: it returns tokens that remove the fields in the
// set that have no row.
func (c *tableCall) prune(fold format.Fold, stuck bool) (tokens []byte, outcome verbs.Reply) {
	set := fold.(*sets.Set)
	fields, strays := c.fieldsOf(set)
	if n := set.Live(); n > sampled && !stuck {
		tokens, outcome = c.removals(c.every(fields, n/sampled, c.Random(n/sampled)))
		switch {
		case outcome.Status != verbs.Hit:
			return nil, outcome
		case bytes.Count(tokens, []byte{' '}) < sampled/8:
			return strays, outcome
		}
	}
	if tokens, outcome = c.removals(fields); outcome.Status != verbs.Hit {
		return nil, outcome
	}
	return append(strays, tokens...), outcome
}

// fieldsOf returns the fields in an index, separated by spaces, and tokens that remove its other
// members. Since clients can write anything under its key, some may be no fields, and no row
// could have a key for them.
func (c *tableCall) fieldsOf(set *sets.Set) (fields, strays []byte) {
	members := set.AppendMembers(&c.Pace, nil)
	fields = members[:0] // in place: a field is moved to before the members that are still to be examined
	c.EachWord(members, func(word []byte) {
		switch {
		case !isField(word):
			strays = append(append(append(strays, '-'), word...), ' ')
		case len(fields) == 0:
			fields = append(fields, word...)
		default:
			fields = append(append(fields, ' '), word...)
		}
	})
	return fields, strays
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
