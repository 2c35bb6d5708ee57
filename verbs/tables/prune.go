package tables

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// The index grows with every field that a table has ever had. So when a part of it is folded
// away, the fields in it that have no row any more are dropped.
//
// That is right because the row precedes the field in the index. The part that is folded
// away was read before the rows are looked for. If a row is missing then, and is set later,
// its field is appended later too, and what is appended later is kept.

// sampled is how many fields are looked up before all are. If few of these have no row, none
// is dropped, so that a table whose rows stay is settled without looking at all of them. Unless the
// index has no room for more: then each matters.
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
	fields = members[:0] // a field moves to a place before the members that are still to be looked at
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
