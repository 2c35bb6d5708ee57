package moving

import "time"

// Call is a command on a key that moves, from its beginning until nothing is left to be done for it, which may be after its
// client was answered. Begin and Next return what is to be done, one step after another.
type Call struct {
	kind     Kind
	phase    Phase
	progress progress
	rounds   uint8 // how often it was begun anew because others were in the way
	waits    uint8 // how often a placeholder of others was met

	under   Operation   // the operation under way
	then    taker       // takes its reply
	fetched destination // goes on when the item was fetched

	item  Item          // what was found last
	seen  time.Duration // when that was
	now   time.Duration
	token uint64 // of our placeholder on the new server, 0 if there is none
	acted uint64 // the CAS of the item on which the command was carried out last on the new server
}

type (
	// taker takes the reply to the operation under way.
	taker func(*Call, *Reply) Step
	// destination goes on when it is known what has become of the item on the old server.
	destination func(*Call, fetched) Step
)

// fetched says what has become of the item on the old server.
type fetched uint8

const (
	// moved: it is on the new server.
	moved fetched = iota
	// gone: the old server has none. The new one has our placeholder.
	gone
	// taken: something else is on the new server, or was.
	taken
)

// progress is how far the command itself has come:
//
//	idle ──▶ changed ──▶ answered
//	  └────────────────────▲
type progress uint8

const (
	idle     progress = iota // nothing was changed for the client
	changed                  // something was, or nobody knows
	answered                 // the client is answered
)

const (
	// mostRounds is how often a call is begun anew. Each time, the item was changed in the moment since it was looked at.
	mostRounds = 16
	// patience is how often a call looks at a placeholder before it takes its owner for dead. The owner needs three round trips.
	patience = 8
)

// Next takes the reply to the operation under way. now counts from any moment.
func (c *Call) Next(r *Reply, now time.Duration) Step {
	c.now = now
	if c.changes() && (r.Outcome == Lost || r.found()) {
		c.progress = changed
	}
	switch {
	case r.Outcome == Lost, r.Outcome == Refused && !c.ofClient():
		return c.fail()
	case c.under.Do == Look && r.found():
		c.item, c.seen = r.Item, now
	}
	return c.then(c, r)
}

// Item returns the item that answers a get.
func (c *Call) Item() Item { return c.item }

// ofClient reports whether the operation under way is what the client has asked for.
func (c *Call) ofClient() bool { return c.under.Do == Act || c.under.Do == Create }

// changes reports whether the operation under way changes what the client has asked to be changed.
func (c *Call) changes() bool { return c.ofClient() || c.kind == Remove && c.under.Do == Delete }

// ask asks a server.
func (c *Call) ask(at Server, do Action, then taker) Step { return c.askIf(at, do, 0, then) }

// askIf asks a server to do something if the item has a CAS.
func (c *Call) askIf(at Server, do Action, cas uint64, then taker) Step {
	c.under, c.then = Operation{At: at, Do: do, If: cas}, then
	return Step{Operation: c.under}
}

// again begins anew.
func (c *Call) again() Step {
	if c.rounds++; c.rounds >= mostRounds {
		return c.answer(Busy)
	}
	return c.begin()
}

// wait goes on when the new server has a placeholder of others. If that has been there for long, its owner is taken for dead,
// and it is deleted.
func (c *Call) wait(r *Reply) Step {
	if c.waits++; c.waits < patience {
		return c.pause()
	}
	c.waits = 0
	return c.askIf(New, Delete, r.Item.CAS, func(c *Call, _ *Reply) Step { return c.again() })
}

// fail ends a call that can't go on.
func (c *Call) fail() Step {
	if c.progress == changed {
		return c.answer(Unknown)
	}
	return c.answer(Unreached)
}

// pause begins anew when the old server, if it is asked in the phase, has answered: whoever has the placeholder may wait for that server,
// and has no chance if the new one answers many times faster.
func (c *Call) pause() Step {
	if c.phase >= Leaving {
		return c.begin()
	}
	return c.ask(Old, Look, func(c *Call, _ *Reply) Step { return c.begin() })
}

// passes passes the reply to the command on.
func (c *Call) passes(*Reply) Step { return c.answer(Passes) }

// answer answers the client, unless it is answered. If the call has a placeholder, that is deleted.
func (c *Call) answer(a Answer) Step {
	if c.progress == answered {
		a = NoAnswer
	}
	c.progress = answered
	step := Step{Answer: a}
	if token := c.token; token != 0 {
		c.token = 0
		step.Operation = c.askIf(New, Delete, token, (*Call).passes).Operation
	}
	return step
}
