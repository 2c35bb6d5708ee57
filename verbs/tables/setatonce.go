package tables

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// An hset in a table whose generation is remembered is usually one round trip, and its call runs
// without a coroutine: the anchor still has that generation, the row is set, and its field is
// appended to the index, which need not be settled.

// setAtOnce asks for these operations.
func setAtOnce(c *verbs.Call) verbs.Step {
	generation := remembered(c)
	if generation == "" || !c.Env.AppendCreates(c.Key) {
		return runSet(c)
	}
	c.Buf = appendToken(c.Buf[:0], c.Words)
	name := appendRowKey(c.Name[:0], c.Key, generation, c.Words)
	n := len(name)
	c.Name = appendIndexKey(name, c.Key, generation)
	return c.Asks(wasSet,
		verbs.Op{Kind: verbs.Fetch, Key: c.Key, Brief: true},
		verbs.Op{Kind: verbs.Set, Key: c.Name[:n:n], Of: c.Key, Data: c.Data, Flags: c.Flags, Exptime: c.Exptime},
		verbs.Op{Kind: verbs.AppendSized, Key: c.Name[n:], Of: c.Key, Data: c.Buf})
}

// wasSet answers if all has gone well. Otherwise the call goes on with the replies on a coroutine, as if
// that had got them.
func wasSet(c *verbs.Call, replies []verbs.Reply) (next verbs.Step) {
	anchor, row, field := &replies[0], &replies[1], &replies[2]
	index := c.Ops[2].Key
	generation := index[len(index)-generationSize:]
	if is, _ := parseAnchor(anchor.Data); anchor.Status != verbs.Hit || !bytes.Equal(is, generation) || row.Status != verbs.Stored || field.Status != verbs.Stored {
		anchor.Keep()
		next.Go = afterSet(string(generation), slices.Clone(replies))
		return next
	}
	c.Say("STORED")
	if structure.Untidy(c, index, len(c.Buf), field.Size) {
		next.Go = tidyIndex(string(generation), field.Size)
	}
	return next
}

// afterSet returns what goes on after the first round trip of an hset has had the replies.
func afterSet(generation string, replies []verbs.Reply) func(*verbs.Call) {
	return func(call *verbs.Call) {
		c := newCall(call)
		c.use(generation, false)
		c.store(verbs.Set, func() state { return c.stored(verbs.Set, replies) })
	}
}

// tidyIndex returns what tidies up the index of a generation, which has so many bytes.
func tidyIndex(generation string, size int) func(*verbs.Call) {
	return func(call *verbs.Call) {
		c := newCall(call)
		c.use(generation, true)
		c.TidyUp(c.index, size)
	}
}
