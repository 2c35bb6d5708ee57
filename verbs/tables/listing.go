package tables

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure"
)

// A listing reads the index and then looks up the row of each field that it holds.

// hgetall answers with all rows.
var hgetall = verbs.Verb{
	Verb:  protocol.Verb{Name: "hgetall", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "answers with all rows of a table",
	Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<table>", Listed: true},
	Run:   onTable((*tableCall).hgetall),
}

func (c *tableCall) hgetall() {
	c.list(func(l *listing) state {
		c.Answer = c.Answer[:0]
		if s := l.each(verbs.Fetch, c.appendRow); s != present {
			return s
		}
		return c.end()
	}, c.end)
}

// hkeys answers with the fields that have rows.
var hkeys = verbs.Verb{
	Verb:  protocol.Verb{Name: "hkeys", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "answers with the fields of all rows of a table",
	Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<table>"},
	Run:   onTable((*tableCall).hkeys),
}

func (c *tableCall) hkeys() {
	c.list(func(l *listing) state {
		found := l.fields[:0] // a field moves to a place before those that are still to be looked up
		s := l.each(verbs.Probe, func(field []byte, r *verbs.Reply) bool {
			if r.Status == verbs.Hit {
				found = append(append(found, field...), ' ')
			}
			return true
		})
		if s != present {
			return s
		}
		return c.tell(found[:max(len(found)-1, 0)])
	}, c.end)
}

// tell answers with a list of fields as one value.
func (c *tableCall) tell(fields []byte) state {
	if c.TooLong(len(fields)) {
		return told
	}
	c.Answer = c.Answer[:0]
	c.BeginValue(&c.Pace, c.Key, len(fields))
	c.Answer = append(append(c.Answer, fields...), "\r\n"...)
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
		s := l.each(verbs.Probe, func(_ []byte, r *verbs.Reply) bool {
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
	rows   int    // fields that were found to have one
	dead   int    // tokens of the index that it could do without
}

// list calls answer with the fields in the index, until the client has got an answer, and
// without instead of it where there is no table. An index that turns out to be mostly
// superfluous is compacted afterwards.
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
	if l != nil && c.Answered() && c.Env.Options().Compacts(l.dead) && l.dead > l.rows {
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
	return &listing{tableCall: c, fields: fields, dead: set.Dead() + bytes.Count(strays, []byte{' '})}, present
}

// each is rows for all fields of the index. It counts the rows.
func (l *listing) each(kind verbs.OpKind, take func(field []byte, r *verbs.Reply) bool) state {
	l.LetGoOfLogs()
	return l.tableCall.rows(kind, l.fields, func(field []byte, r *verbs.Reply) bool {
		if r.Status == verbs.Hit {
			l.rows++
		} else {
			l.dead++
		}
		return take(field, r)
	})
}
