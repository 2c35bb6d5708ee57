package tables

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// hset sets a row.
var hset = verbs.Verb{
	Verb:  protocol.Verb{Name: "hset", Usage: "<key> <field> <flags> <exptime> <bytes> [noreply]", Read: readRow, Block: true},
	Does:  "sets a row of a table, as set does an item",
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.DataValue, Shape: "<table>/<field>", Words: 1, Exptime: true},
	Run:   setAtOnce,
}

// runSet is hset on a coroutine.
var runSet = onTable(func(c *tableCall) { c.store(verbs.Set, c.find) })

// hadd sets a row if there is none.
var hadd = verbs.Verb{
	Verb:  protocol.Verb{Name: "hadd", Usage: "<key> <field> <flags> <exptime> <bytes> [noreply]", Read: readRow, Block: true},
	Does:  "sets a row of a table if there is none, as add does an item",
	Carry: &verbs.Carry{By: protocol.Add, Value: verbs.DataValue, Shape: "<table>/<field>", Words: 1, Exptime: true},
	Run:   onTable(func(c *tableCall) { c.store(verbs.Add, c.find) }),
}

// store stores a row by an operation of the given kind, Set or Add, after begin has returned the
// state of the table.
func (c *tableCall) store(kind verbs.OpKind, begin func() state) {
	c.Buf = appendToken(c.Buf[:0], c.Words)
	c.goOn(begin(), func() state { return c.storeRow(kind) }, func() state { return c.create(kind) })
}

// appendToken appends the token that lists a field in the index.
func appendToken(dst, field []byte) []byte { return append(append(append(dst, '+'), field...), ' ') }

// row returns the operation that stores the row.
func (c *tableCall) row(kind verbs.OpKind) verbs.Op {
	c.Name = appendRowKey(c.Name[:0], c.Key, c.generation, c.Words)
	return verbs.Op{Kind: kind, Key: c.Name, Data: c.Data, Flags: c.Flags, Exptime: c.Exptime}
}

// create creates the table with the row. Its generation is known to nobody until the anchor
// is there, which comes last.
func (c *tableCall) create(kind verbs.OpKind) state {
	c.use(newGeneration(c.Env), true)
	replies := c.AskAll([]verbs.Op{
		c.row(kind),
		{Kind: verbs.Add, Key: c.index, Data: c.Buf},
		{Kind: verbs.Add, Key: c.Key, Data: appendAnchor(nil, c.generation)},
	})
	row, index, anchor := replies[0], replies[1], replies[2]
	if anchor.Status == verbs.NotStored { // another call was faster, or the key has an item that is no anchor
		return c.withdraw()
	}
	for _, r := range []verbs.Reply{anchor, row, index} {
		if r.Status != verbs.Stored {
			return c.fail(r)
		}
	}
	c.remember(c.Env.Uptime())
	return c.wasStored()
}

// withdraw deletes the row and the index of a generation that has no anchor, and finds out which
// generation has one.
func (c *tableCall) withdraw() state {
	replies := c.AskAll([]verbs.Op{
		{Kind: verbs.Delete, Key: c.Name},
		{Kind: verbs.Delete, Key: c.index},
		c.anchor(),
	})
	return c.learn(replies[2])
}

// storeRow stores the row in an existing table. The field is appended to the index even if it is
// known to be there: settling may be about to drop it.
func (c *tableCall) storeRow(kind verbs.OpKind) state {
	ops := c.appendField(append(c.first(), c.row(kind)))
	if kind == verbs.Add { // the reply depends on the row that was there
		ops = append(ops, c.anchor())
	}
	return c.stored(kind, c.AskAll(ops))
}

// stored takes the replies to the operations of storeRow.
func (c *tableCall) stored(kind verbs.OpKind, replies []verbs.Reply) state {
	replies, s := c.begun(replies)
	if s != present {
		return s
	}
	row, field := replies[0], c.fieldReply(replies[1:])
	if kind == verbs.Add {
		s = c.check(replies[len(replies)-1])
	}
	switch {
	case s == told:
		return s
	case row.Status == verbs.Failed:
		return c.fail(row)
	case row.Status == verbs.NotStored && s == present && c.number != "":
		return present // there is a row with a number now, to which the call can add
	case row.Status == verbs.NotStored && s == present:
		return c.answer("NOT_STORED")
	case row.Status == verbs.NotStored: // nothing was changed
		return s
	case s != present:
		return c.torn()
	}
	return c.enlist(field)
}

// enlist makes sure that the field of a stored row is in the index, given the reply to its first
// append. If the table is deleted meanwhile, that is as if it was deleted after the row was stored.
func (c *tableCall) enlist(field verbs.Reply) state {
	for range verbs.MaxTries {
		switch field.Status {
		case verbs.Stored:
			c.wasStored()
			c.Tidy(c.index, len(c.Buf), field.Size)
			return done
		case verbs.NotStored:
		default:
			return c.fail(field)
		}
		if s := c.makeRoom(); s != present {
			return s
		}
		field = c.fieldReply(c.AskAll(c.appendField(c.Ops[:0])))
	}
	return c.fail(c.Refused(c.index, len(c.Buf)))
}

// appendField appends to ops the operations that append the field to the index and tell its size.
func (c *tableCall) appendField(ops []verbs.Op) []verbs.Op {
	if c.Env.AppendCreates(c.Key) {
		return append(ops, verbs.Op{Kind: verbs.AppendSized, Key: c.index, Data: c.Buf})
	}
	return append(ops, verbs.Op{Kind: verbs.Append, Key: c.index, Data: c.Buf}, verbs.Op{Kind: verbs.Probe, Key: c.index})
}

// fieldReply returns the reply to the append, with the size of the index, from the replies to
// those operations.
func (c *tableCall) fieldReply(replies []verbs.Reply) verbs.Reply {
	r := replies[0]
	if r.Size == 0 && len(replies) > 1 {
		r.Size = replies[1].Size
	}
	return r
}

// makeRoom is called when nothing could be appended to the index: it is full, and then it is
// settled; or it was evicted, and then the table is lost.
func (c *tableCall) makeRoom() state {
	replies := c.AskAll([]verbs.Op{{Kind: verbs.Probe, Key: c.index}, c.anchor()})
	index, anchor := replies[0], replies[1]
	switch c.check(anchor) {
	case told:
		return told
	case absent, changed:
		return c.wasStored()
	}
	switch index.Status {
	case verbs.Hit:
	case verbs.Missing:
		return c.condemn(anchor)
	default:
		return c.fail(index)
	}
	if r := c.MakeRoom(c.index, index.Size); r.Status == verbs.Failed {
		return c.fail(r)
	}
	return present
}
