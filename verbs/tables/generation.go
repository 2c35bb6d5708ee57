package tables

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// A call needs the generation of its table, which is in the anchor. It uses the one that its event
// loop remembers, if any, and compares it with the anchor before it answers.

// find finds the generation: the remembered one, or that in the anchor.
func (c *tableCall) find() state {
	if hint := c.Env.Hints().Of(c.Key); hint.Text != "" {
		c.use(hint.Text, false)
		c.rowSize = hint.Size
		return present
	}
	return c.learn(c.Ask(c.anchor()))
}

// anchor returns the operation that reads the anchor.
func (c *tableCall) anchor() verbs.Op { return verbs.Op{Kind: verbs.Fetch, Key: c.Key} }

// use sets the call's generation.
func (c *tableCall) use(generation string, seen bool) {
	c.generation, c.seen = generation, seen
	c.index = appendIndexKey(c.index[:0], c.Key, generation)
}

// check compares the call's generation with the anchor as r has read it. It returns present
// if they agree.
func (c *tableCall) check(r verbs.Reply) state {
	if generation, ok := parseAnchor(r.Data); r.Status == verbs.Hit && ok && string(generation) == c.generation {
		c.seen = true
		return present
	}
	return c.learn(r)
}

// learn takes the generation from the anchor as r has read it, and returns changed, absent or told.
func (c *tableCall) learn(r verbs.Reply) state {
	generation, ok := parseAnchor(r.Data)
	switch {
	case r.Status == verbs.Missing:
		c.Env.Hints().Forget(c.Key)
		return absent
	case r.Status != verbs.Hit:
		return c.fail(r)
	case !ok:
		c.Env.Hints().Forget(c.Key)
		return c.fail(structure.NotOfKind(c.Shown(c.Key), &Kind))
	}
	c.use(string(generation), true)
	c.rowSize = 0
	c.remember(c.guess())
	return changed
}

// remember notes the generation and the size of rows for later calls. read is when the index was
// last read, by [verbs.Env.Uptime]; 0 makes one of the next calls read it.
func (c *tableCall) remember(read int64) {
	c.Env.Hints().Note(string(c.Key), verbs.Hint{Text: c.generation, At: read, Size: c.rowSize})
}

// resize notes another size of rows.
func (c *tableCall) resize() {
	if hint := c.Env.Hints().Of(c.Key); hint.Text == c.generation {
		c.remember(hint.At)
	}
}

// guess returns the time to assume for the last read of the index of a table without a hint. If
// more tables are in use than there are hints, a hint is lost before it says that its index should
// be read. So one time in foundOften, at random, guess returns 0, and the index is read at once.
func (c *tableCall) guess() int64 {
	if c.Random(foundOften) == 0 {
		return 0
	}
	return c.Env.Uptime()
}

// foundOften is how many times, on average, a table without a hint is found for each time that
// guess makes its index be read.
const foundOften = 4

// first returns the operations that precede a change of rows in a batch: a read of the anchor, or
// none if this call has already seen its generation there.
func (c *tableCall) first() []verbs.Op {
	if c.seen {
		return c.Ops[:0]
	}
	return append(c.Ops[:0], c.anchor())
}

// begun checks the anchor if first has read it, and returns the other replies.
func (c *tableCall) begun(replies []verbs.Reply) ([]verbs.Reply, state) {
	if c.seen {
		return replies, present
	}
	return replies[1:], c.check(replies[0])
}
