package tables

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// hget answers with the rows of fields.
var hget = verbs.Verb{
	Verb:  protocol.Verb{Name: "hget", Usage: "<key> <field>+", Read: readFields, List: true},
	Does:  "answers with rows of a table",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<table>/<field>", Words: 1},
	Run:   glance,
}

// runGet is hget on a coroutine.
var runGet = onTable((*tableCall).hget)

func (c *tableCall) hget() {
	c.eachRow(verbs.Fetch, c.takeRow, c.end, c.end)
}

// eachRow carries out an operation on the row of each field of the request, see rows. Then end completes the
// answer, or without if there is no table.
func (c *tableCall) eachRow(kind verbs.OpKind, take func([]byte, *verbs.Reply) bool, end, without func() state) {
	c.run(func() state {
		c.Answer = c.Answer[:0]
		if s := c.rows(kind, c.Words, take); s != present {
			return s
		}
		return end()
	}, without)
}

// takeRow is appendRow for hget. It also notes the item's properties: a command that carries hget
// asks for one row, so the answer is one item.
func (c *tableCall) takeRow(field []byte, r *verbs.Reply) bool {
	c.Item = r.Item()
	return c.appendRow(field, r)
}

// end completes an answer of values.
func (c *tableCall) end() state {
	c.End()
	return done
}

// appendRow appends a row that was read to the answer, if there is one.
func (c *tableCall) appendRow(field []byte, r *verbs.Reply) bool {
	if r.Status == verbs.Hit {
		c.AppendItem(field, r.Flags, r.Data, nil)
	}
	return true
}

// hexists answers with 1 or 0 for each field.
var hexists = verbs.Verb{
	Verb:  protocol.Verb{Name: "hexists", Usage: "<key> <field>+", Read: readFields, List: true},
	Does:  "says whether a table has each of the rows",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<table>/<field>", Words: 1},
	Run:   onTable((*tableCall).hexists),
}

func (c *tableCall) hexists() {
	c.eachRow(verbs.Probe, func(_ []byte, r *verbs.Reply) bool {
		bit := "0 "
		if r.Status == verbs.Hit {
			bit = "1 "
		}
		c.Answer = append(c.Answer, bit...)
		return true
	}, func() state {
		c.Answer = append(c.Answer[:len(c.Answer)-1], "\r\n"...)
		c.Done()
		return done
	}, c.notFound)
}

// hdel deletes rows, and leaves the index alone.
var hdel = verbs.Verb{
	Verb:  protocol.Verb{Name: "hdel", Usage: "<key> <field>+ [noreply]", Read: readRemoval, List: true},
	Does:  "deletes rows of a table",
	Carry: &verbs.Carry{By: protocol.Delete, Shape: "<table>/<field>", Words: 1},
	Run:   onTable((*tableCall).hdel),
}

func (c *tableCall) hdel() {
	deleted := false // stays true if the table is gone when more rows are to be deleted
	tell := func() state {
		if deleted {
			return c.answer("DELETED")
		}
		return c.notFound()
	}
	c.eachRow(verbs.Delete, func(_ []byte, r *verbs.Reply) bool {
		deleted = deleted || r.Status == verbs.Stored
		return true
	}, tell, tell)
}

// hincr and hdecr change the number that a row holds, or make the row with an initial number if there is none.
var (
	hincr = counting("hincr", "adds to the number in a row of a table and answers with the sum; with <initial>, a row that is missing is made with that number", verbs.Incr, protocol.Incr)
	hdecr = counting("hdecr", "subtracts from the number in a row of a table, but not below 0, and answers with the rest; with <initial>, as hincr", verbs.Decr, protocol.Decr)
)

func counting(name, does string, kind verbs.OpKind, by protocol.Command) verbs.Verb {
	return verbs.Verb{
		Verb:  protocol.Verb{Name: name, Usage: "<key> <field> <n> [<initial>] [noreply]", Read: readCount},
		Does:  does,
		Carry: &verbs.Carry{By: by, Shape: "<table>/<field>", Words: 1, Initial: true},
		Run:   onTable(func(c *tableCall) { c.count(kind) }),
	}
}

func (c *tableCall) count(kind verbs.OpKind) {
	field := c.Word(0)
	n, _ := protocol.ParseUint(c.Word(1))
	without := c.notFound
	if initial := c.Word(2); len(initial) > 0 {
		c.countFrom(field, initial)
		without = func() state { return c.create(verbs.Add) }
	}
	c.run(func() state {
		key := appendRowKey(nil, c.Key, c.generation, field)
		replies, s := c.begun(c.AskAll(append(c.first(), verbs.Op{Kind: kind, Key: key, Number: n}, c.anchor())))
		if s != present {
			return s
		}
		row := replies[0]
		if s = c.check(replies[1]); s == absent || s == changed {
			if row.Status == verbs.Missing {
				return s
			}
			return c.torn()
		}
		switch {
		case s == told:
			return told
		case row.Status == verbs.Stored:
			return c.answerNumber(row.Number)
		case row.Status == verbs.Missing && c.number != "":
			return c.storeRow(verbs.Add)
		case row.Status == verbs.Missing:
			return c.notFound()
		}
		return c.fail(row)
	}, without)
}

// countFrom makes the call store the number initial in the row of field if there is no row.
func (c *tableCall) countFrom(field, initial []byte) {
	n, _ := protocol.ParseUint(initial)
	c.number = strconv.FormatUint(n, 10)
	c.Words, c.Data = field, []byte(c.number)
	c.Buf = appendToken(c.Buf[:0], field)
}
