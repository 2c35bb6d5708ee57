package tables

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// If the generation of the table is remembered, an hset is usually one round trip, and runs without
// a coroutine: the anchor still has that generation, the row is set, and its field is appended to
// the index, which need not be settled.

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

// wasSet answers if all operations have succeeded. Otherwise the call continues with the replies on a
// coroutine, as if it had asked there.
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

// afterSet returns the function that continues an hset whose first round trip had these replies.
func afterSet(generation string, replies []verbs.Reply) func(*verbs.Call) {
	return func(call *verbs.Call) {
		c := newCall(call)
		c.use(generation, false)
		c.store(verbs.Set, func() state { return c.stored(verbs.Set, replies) })
	}
}

// tidyIndex returns the function that tidies up the index of a generation, which has size bytes.
func tidyIndex(generation string, size int) func(*verbs.Call) {
	return func(call *verbs.Call) {
		c := newCall(call)
		c.use(generation, true)
		c.TidyUp(c.index, size)
	}
}
