package tables

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Rows are read or changed many at a time: the operations on them and on the anchor are one batch.
// Its size is limited, since other requests to the upstream wait behind it.

const (
	// rowsAtOnce is how many rows are read or changed in one round trip at most.
	rowsAtOnce = 1024
	// firstRows is how many rows are fetched at first, if it is not known how long they are.
	firstRows = 32
)

// atOnce returns how many rows an operation of the given kind is carried out on in one round
// trip.
func (c *tableCall) atOnce(kind verbs.OpKind) int {
	switch {
	case kind != verbs.Fetch:
		return rowsAtOnce
	case c.rowSize == 0:
		return firstRows
	}
	return min(max(structure.BatchBytes/c.rowSize, 1), rowsAtOnce)
}

// weigh updates the expected size of rows from some that were fetched, bytes in all. The expected
// size rises at once, but falls at most by half with each batch, since larger rows may follow.
func (c *tableCall) weigh(bytes, rows int) {
	before := c.rowSize
	if c.rowSize = max(bytes/rows+1, before/2); rows >= firstRows && (c.rowSize > 2*before || c.rowSize <= before/2) {
		c.resize()
	}
}

// shrink lowers the number of rows that are fetched at once, after a row of about size bytes was
// dropped because there was no memory for it. If rows of that size were expected already, smaller
// batches would not help, and rows are fetched one at a time.
func (c *tableCall) shrink(size int) {
	if size <= 2*c.rowSize {
		c.Singly = true
		return
	}
	c.rowSize = size
	c.resize()
}

// rows carries out an operation of the given kind, without data of its own, on the row of
// each field in the list, and calls take with each reply: Hit, Stored or Missing. It stops
// if take returns false, which then has answered. It returns the state of the table afterwards.
// Unless that is present, the replies that take was called with are invalid.
func (c *tableCall) rows(kind verbs.OpKind, fields []byte, take func(field []byte, r *verbs.Reply) bool) state {
	for {
		if c.Singly && kind == verbs.Fetch {
			return c.eachAlone(fields, take)
		}
		c.awaitBatch(kind, fields)
		var ops []verbs.Op
		var rest []byte
		first := c.Ops[:0]
		if kind == verbs.Delete {
			first = c.first()
		}
		ops, c.Buf, rest = c.batch(first, kind, c.atOnce(kind), fields, c.Buf[:0])
		replies := c.AskAll(c.shorten(append(ops, c.anchor())))
		if kind == verbs.Delete {
			var s state
			if replies, s = c.begun(replies); s != present {
				return s
			}
		}
		if n := slices.IndexFunc(replies, verbs.Reply.IsDropped); n >= 0 {
			c.shrink(replies[n].Size)
			continue
		}
		last := len(replies) - 1
		switch s := c.check(replies[last]); {
		case s == present:
		case s != told && kind == verbs.Delete && slices.ContainsFunc(replies[:last], hadEffect):
			return c.torn()
		default:
			return s
		}
		if s := c.takeAll(fields, replies[:last], len(rest) > 0, take); s != present {
			return s
		}
		if fields = rest; len(fields) == 0 {
			return present
		}
	}
}

// fewRows is how many rows are read without [verbs.Call.AwaitBatch].
const fewRows = 4

// awaitBatch is [verbs.Call.AwaitBatch] for the next rows of fields, if these are many.
func (c *tableCall) awaitBatch(kind verbs.OpKind, fields []byte) {
	n := c.atOnce(kind)
	n = min(n, protocol.CountWords(fields[:min(len(fields), n*(maxField+1))])) // there may be fewer
	switch {
	case n <= fewRows || kind > verbs.Probe:
	case kind == verbs.Probe:
		c.AwaitBatch(n, 0)
	case c.rowSize == 0:
		c.AwaitBatch(n, -1)
	default:
		c.AwaitBatch(n, c.rowSize)
	}
}

// shorten makes fetches brief if nobody asks for the time to live of the rows, and these are not
// many of unknown length.
func (c *tableCall) shorten(ops []verbs.Op) []verbs.Op {
	if !c.Details && (c.rowSize > 0 || len(ops) == 2) {
		for i := range ops {
			ops[i].Brief = ops[i].Kind == verbs.Fetch
		}
	}
	return ops
}

// hadEffect reports whether a change has taken effect, or may have.
func hadEffect(r verbs.Reply) bool { return r.Status == verbs.Stored || r.Status == verbs.Failed }

// batch appends to ops the operations on the rows of the first n fields of a list, and returns ops
// and the other fields. It appends the keys of the rows to keys. If that array is reallocated,
// earlier operations keep their keys in the old one.
func (c *tableCall) batch(ops []verbs.Op, kind verbs.OpKind, n int, fields, keys []byte) (_ []verbs.Op, _, rest []byte) {
	ops = slices.Grow(ops, min(len(fields)/2+1, n)+1) // one more for the anchor
	for range n {
		var field []byte
		if field, fields = protocol.NextWord(fields); len(field) == 0 {
			break
		}
		from := len(keys)
		keys = appendRowKey(keys, c.Key, c.generation, field)
		ops = append(ops, verbs.Op{Kind: kind, Key: keys[from:len(keys):len(keys)]})
	}
	return ops, keys, fields
}

// takeAll passes replies to take, one for each of the first fields. more says that further
// batches follow.
func (c *tableCall) takeAll(fields []byte, replies []verbs.Reply, more bool, take func([]byte, *verbs.Reply) bool) state {
	size := 0
	for i := range replies {
		r := &replies[i]
		switch r.Status {
		case verbs.Hit, verbs.Stored, verbs.Missing:
		default:
			return c.fail(*r)
		}
		size += len(r.Data)
	}
	if size > 0 {
		c.weigh(size, len(replies))
		var s state
		if replies, s = c.roomFor(replies, size, more); s != present {
			return s
		}
	}
	for i := range replies {
		var field []byte
		if field, fields = protocol.NextWord(fields); !take(field, &replies[i]) {
			return told
		}
	}
	return present
}

// lineSize is the most bytes of a row in an answer besides its data.
const lineSize = len("VALUE  4294967295 1073741824\r\n\r\n") + maxField

// mostMemory is the most memory that an answer takes while it grows, in bytes.
const mostMemory = 3 * verbs.MaxAnswer

// roomFor makes room in the answer for the rows in replies, whose data have size bytes in total. If
// there is no memory, everything was dropped, and the call waits for memory; if more rows follow,
// whose size is unknown, it waits for as much as any answer takes.
func (c *tableCall) roomFor(replies []verbs.Reply, size int, more bool) ([]verbs.Reply, state) {
	if c.tooLong(size) {
		return nil, told
	}
	replies, ok := c.GrowAnswer(replies, size+len(replies)*lineSize)
	if !ok {
		if c.Answer, c.Spare = nil, mostMemory; more {
			c.NeedMemory(mostMemory)
		}
		return nil, crowded
	}
	return replies, present
}

// eachAlone is rows for rows so large that there is no memory for several at once: each is read
// separately, and the anchor after all of them.
func (c *tableCall) eachAlone(fields []byte, take func([]byte, *verbs.Reply) bool) state {
	for len(fields) > 0 {
		var field []byte
		if field, fields = protocol.NextWord(fields); len(field) == 0 {
			break
		}
		key := appendRowKey(nil, c.Key, c.generation, field)
		r := c.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
		if s := c.takeAll(field, []verbs.Reply{r}, len(fields) > 0, take); s != present {
			return s
		}
	}
	return c.check(c.Ask(c.anchor()))
}
