package tables

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure"
)

// tableCall is a call of a verb on a table. Its engine works on the index.
type tableCall struct {
	*structure.Engine
	generation string // in the anchor, as last seen or remembered
	seen       bool   // this call has seen it there
	index      []byte // the index's key
	rowSize    int    // about how long rows are, in bytes; 0 if unknown
	whole      string // the verb, if it could answer in pages and the client has asked for the whole table
	number     string // initial number that hincr or hdecr stores if there is no row; empty for none
}

// onTable converts a function of a tableCall to one of a Call, for [verbs.Verb].
func onTable(run func(c *tableCall)) func(*verbs.Call) verbs.Step {
	return verbs.Coroutine(func(call *verbs.Call) { run(newCall(call)) })
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

// run calls try, which uses the table's generation, until the client has got an answer; if there is
// no table, it calls without instead. try returns the state of the table afterwards. Unless that is
// present or done, what try did must have had no effect.
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

// answer completes the answer with one line.
func (c *tableCall) answer(line string) state {
	c.Say(line)
	return done
}

// wasStored completes the answer of a call that has stored its row.
func (c *tableCall) wasStored() state {
	if c.number != "" {
		return c.answer(c.number)
	}
	return c.answer("STORED")
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
