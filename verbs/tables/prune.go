package tables

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure"
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

// prune implements [structure.Engine.Prune]: it drops the fields from the set that have no row.
func (c *tableCall) prune(fold format.Fold, stuck bool, dropped *structure.Dropped) verbs.Reply {
	set := fold.(*sets.Set)
	c.dropStrays(set, dropped)
	if n := set.Live(); n > sampled && !stuck {
		missing := 0
		outcome := c.eachWithoutRow(set, n/sampled, c.Random(n/sampled), func(int) { missing++ })
		if outcome.Status != verbs.Hit || missing < sampled/8 {
			return outcome
		}
	}
	return c.eachWithoutRow(set, 1, 0, func(at int) {
		_, member := set.Next(at)
		dropped.Add(member)
		set.Drop(at)
	})
}

// dropStrays drops the members of an index that are no fields. Since clients can write anything under its key, some may
// be, and no row could have a key for them.
func (c *tableCall) dropStrays(set *sets.Set, dropped *structure.Dropped) {
	c.eachMember(set, func(at int, member []byte) {
		if !isField(member) {
			dropped.Add(member)
			set.Drop(at)
		}
	})
}

// eachMember calls do with each member of the set, and with the index of its token.
func (c *tableCall) eachMember(set *sets.Set, do func(at int, member []byte)) {
	c.Pace.Each(set.Live()+set.Dead(), func(from, to int) {
		for at, member := set.Next(from); at < to && member != nil; at, member = set.Next(at + 1) {
			do(at, member)
		}
	})
}

// eachWithoutRow looks up the row of each step-th field in the set, from the number first on, and calls do with the index
// of the token of each that has none. It returns Hit, or why it failed.
func (c *tableCall) eachWithoutRow(set *sets.Set, step, first int, do func(at int)) verbs.Reply {
	outcome := verbs.Reply{Status: verbs.Hit}
	n := 0
	var tokens []int
	var fields, keys []byte
	lookUp := func() {
		var ops []verbs.Op
		ops, keys, _ = c.batch(c.Ops[:0], verbs.Probe, rowsAtOnce, fields, keys[:0])
		for i, r := range c.AskAll(ops) {
			switch {
			case r.Status == verbs.Missing:
				do(tokens[i])
			case r.Status != verbs.Hit:
				outcome = r
			}
		}
		tokens, fields = tokens[:0], fields[:0]
	}
	c.eachMember(set, func(at int, member []byte) {
		if n++; (n-1)%step != first || outcome.Status != verbs.Hit {
			return
		}
		tokens, fields = append(tokens, at), append(append(fields, member...), ' ')
		if len(tokens) == rowsAtOnce {
			lookUp()
		}
	})
	if len(tokens) > 0 && outcome.Status == verbs.Hit {
		lookUp()
	}
	return outcome
}
