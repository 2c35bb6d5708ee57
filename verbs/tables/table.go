package tables

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Verbs are the verbs on tables, in the order in which help lists them.
var Verbs = []*verbs.Verb{
	&hset, &hadd, &hget, &hexists, &hdel, &hincr, &hdecr, &hkeys, &hgetall, &hlen,
}

// tableCall is a call of a verb on a table. Its engine works on the index.
type tableCall struct {
	*structure.Engine
	generation string // in the anchor, as last seen or remembered
	seen       bool   // this call has seen it there
	index      []byte // the index's key
	rowSize    int    // about how long rows are, in bytes; 0 if unknown
}

// onTable converts a function of a tableCall to one of a Call, for [verbs.Verb].
func onTable(run func(c *tableCall)) func(*verbs.Call) {
	return func(call *verbs.Call) { run(newCall(call)) }
}

func newCall(call *verbs.Call) *tableCall {
	c := &tableCall{Engine: structure.EngineOf(call, &sets.Kind)}
	c.Of, c.Prune = call.Key, c.prune
	return c
}

// state is what a call knows of its table.
type state uint8

const (
	told    state = iota // the client has been answered with an error
	absent               // there is no table
	present              // the anchor has the call's generation
	changed              // the anchor has another generation, which the call uses from now on
	crowded              // there was no memory; the next operation waits for it
	done                 // the client has its answer
)

// run calls try, which uses the table's generation, until the client has got an answer, and
// without instead of it where there is no table. try returns the state of the table
// afterwards, and what it did must have no effect unless that is present or done.
func (c *tableCall) run(try, without func() state) { c.goOn(c.find(), try, without) }

// goOn is run once the state of the table is known.
func (c *tableCall) goOn(s state, try, without func() state) {
	for n := 0; s != told; n++ {
		switch {
		case s == done:
			c.keepIndex()
			return
		case n == verbs.MaxTries:
			s = c.fail(verbs.Contended(c.Shown(c.Key)))
		case s == absent:
			s = without()
		default:
			s = try()
		}
	}
}

// find finds the generation: as it is remembered, or as the anchor says.
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

// use makes generation the call's.
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

// learn takes the generation from the anchor as r has read it: changed, absent or told.
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
// read last, in milliseconds.
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
// more tables are in use than there are hints, a hint is lost before its index is due to be read.
// So once in foundOften times, at random, guess returns 0, and the index is read at once.
func (c *tableCall) guess() int64 {
	if c.Random(foundOften) == 0 {
		return 0
	}
	return c.Env.Now()
}

// foundOften is how many times a table is found again, on average, for each time that guess has its
// index read.
const foundOften = 4

// condemn deletes the anchor, as r has read it after the index was found missing: the table
// is lost. It returns the state of the table afterwards.
func (c *tableCall) condemn(r verbs.Reply) state {
	if r.CAS == 0 {
		c.Sayf("SERVER_ERROR a part of %s was evicted, and its upstream keeps no CAS; delete it", c.Shown(c.Key))
		return told
	}
	switch r = c.remove(r); r.Status {
	case verbs.Stored, verbs.Missing:
		return absent
	case verbs.Exists:
		return c.learn(c.Ask(c.anchor()))
	}
	return c.fail(r)
}

// remove deletes the anchor of a table that is lost, unless it has changed since r has read
// it.
func (c *tableCall) remove(r verbs.Reply) verbs.Reply {
	c.Env.Hints().Forget(c.Key)
	r = c.Ask(verbs.Op{Kind: verbs.DeleteIf, Key: c.Key, CAS: r.CAS, Epoch: r.Epoch})
	if r.Status == verbs.Stored {
		c.Env.(structure.Env).NoteLost(c.Key, c.Key, Kind.Name)
	}
	return r
}

// missed is called when the index was found missing: it returns the state of the table,
// which is lost if it still has the call's generation.
func (c *tableCall) missed() state {
	r := c.Ask(c.anchor())
	if s := c.check(r); s != present {
		return s
	}
	return c.condemn(r)
}

// first returns the operations that precede a change of rows in its batch: a read of the anchor, or
// none if this call has already seen its generation there.
func (c *tableCall) first() []verbs.Op {
	if c.seen {
		return c.Ops[:0]
	}
	return append(c.Ops[:0], c.anchor())
}

// begun checks the anchor if first has asked for it, and returns the other replies.
func (c *tableCall) begun(replies []verbs.Reply) ([]verbs.Reply, state) {
	if c.seen {
		return replies, present
	}
	return replies[1:], c.check(replies[0])
}

// torn answers a call that has changed a row, found the table before and not afterwards:
// others may or may not have seen what it did.
func (c *tableCall) torn() state {
	c.Sayf("%s: %s was deleted or lost meanwhile", errTorn, c.Shown(c.Key))
	return told
}

// errTorn begins the answer of torn.
const errTorn = "SERVER_ERROR it is unknown whether this had an effect"

// answer completes the answer with one line.
func (c *tableCall) answer(line string) state {
	c.Say(line)
	return done
}

// answerNumber completes the answer with a number.
func (c *tableCall) answerNumber(n uint64) state { return c.answer(strconv.FormatUint(n, 10)) }

// notFound is what most calls do without a table.
func (c *tableCall) notFound() state { return c.answer("NOT_FOUND") }

// fail tells the client why an operation failed.
func (c *tableCall) fail(r verbs.Reply) state {
	c.Fail(r)
	return told
}
