package tables

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure"
)

// A listing reads the index and then looks up the row of each field in it.

// hgetall answers with rows.
var hgetall = verbs.Verb{
	Verb:  protocol.Verb{Name: "hgetall", Usage: "<key> [<offset> <count>]", Read: readListing},
	Does:  "answers with all rows of a table, or with <count> rows after the first <offset>",
	Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<table>[/page/<offset>/<count>]", Before: "page", Times: 2, Listed: true},
	Run:   onTable((*tableCall).hgetall),
}

func (c *tableCall) hgetall() {
	p := c.pageOf("hgetall")
	c.list(func(l *listing) state {
		c.Answer = c.Answer[:0]
		if s := l.read(p); s != present {
			return s
		}
		return c.end()
	}, c.end)
}

// hkeys answers with fields that have rows.
var hkeys = verbs.Verb{
	Verb:  protocol.Verb{Name: "hkeys", Usage: "<key> [<offset> <count>]", Read: readListing},
	Does:  "answers with the fields of all rows of a table, or of <count> rows after the first <offset>",
	Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<table>[/page/<offset>/<count>]", Before: "page", Times: 2},
	Run:   onTable((*tableCall).hkeys),
}

func (c *tableCall) hkeys() {
	p := c.pageOf("hkeys")
	c.list(func(l *listing) state {
		found, s := l.find(p.offset, p.count)
		if s != present {
			return s
		}
		return c.tell(found)
	}, c.end)
}

// tell answers with a list of fields as one value.
func (c *tableCall) tell(fields []byte) state {
	if c.tooLong(len(fields)) {
		return told
	}
	c.Answer = c.Answer[:0]
	c.BeginValue(&c.Pace, c.Key, len(fields))
	c.Pace.EachByte(len(fields), func(from, to int) { c.Answer = append(c.Answer, fields[from:to]...) })
	c.Answer = append(c.Answer, "\r\n"...)
	return c.end()
}

// hlen answers with the number of rows.
var hlen = verbs.Verb{
	Verb:  protocol.Verb{Name: "hlen", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "answers with the number of rows of a table",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<table>"},
	Run:   onTable((*tableCall).hlen),
}

func (c *tableCall) hlen() {
	c.list(func(l *listing) state {
		rows := 0
		s := l.each(verbs.Probe, l.fields, func(_ []byte, r *verbs.Reply) bool {
			if r.Status == verbs.Hit {
				rows++
			}
			return true
		})
		if s != present {
			return s
		}
		return c.answerNumber(uint64(rows))
	}, c.notFound)
}

// listing is the fields of a table's index, some of which may have no row.
type listing struct {
	*tableCall
	fields []byte // separated by spaces
	live   int    // fields, except those that were found to have no row
	dead   int    // superfluous tokens of the index
}

// list calls answer with the fields in the index until the client has got an answer; if there is no
// table, it calls without instead. An index that turns out to be mostly superfluous is compacted
// afterwards.
func (c *tableCall) list(answer func(*listing) state, without func() state) {
	var l *listing
	c.run(func() state {
		var s state
		if l, s = c.load(); s == present {
			s = answer(l)
		}
		return s
	}, without)
	c.AfterRead(nil)
	if l != nil && c.Answered() && c.Env.Options().Compacts(l.dead) && l.dead > l.live {
		c.Compact(c.index)
	}
}

// load reads the index.
func (c *tableCall) load() (*listing, state) {
	s := c.LoadOne(c.index, structure.Listed)
	switch {
	case s.Reply.Status == verbs.Missing:
		return nil, c.missed()
	case s.Reply.Status != verbs.Hit:
		return nil, c.fail(s.Reply)
	case c.Read(s) == nil:
		return nil, c.fail(structure.NotOfKind(c.Shown(s.Key), c.Kind))
	}
	set := s.Fold.(*sets.Set)
	fields, strays := c.fieldsOf(set)
	return &listing{tableCall: c, fields: fields, live: set.Live() - strays, dead: set.Dead() + strays}, present
}

// fieldsOf returns the fields in an index, separated by spaces, and how many other members it has. Since
// clients can write anything under its key, some may be no fields, and no row could have a key for them.
func (c *tableCall) fieldsOf(set *sets.Set) (fields []byte, strays int) {
	members := set.AppendMembers(&c.Pace, nil)
	fields = members[:0] // a field moves to a place before the members that are still to be looked at
	c.EachWord(members, func(word []byte) {
		switch {
		case !isField(word):
			strays++
		case len(fields) == 0:
			fields = append(fields, word...)
		default:
			fields = append(append(fields, ' '), word...)
		}
	})
	return fields, strays
}

// each is rows for fields of the index. It counts the fields that have no row.
func (l *listing) each(kind verbs.OpKind, fields []byte, take func(field []byte, r *verbs.Reply) bool) state {
	l.FreeLogs()
	return l.rows(kind, fields, func(field []byte, r *verbs.Reply) bool {
		if r.Status != verbs.Hit {
			l.live--
			l.dead++
		}
		return take(field, r)
	})
}
