package locks

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Verbs are the verbs on locks, in the order in which help lists them.
var Verbs = []*verbs.Verb{&lock, &unlock, &relock}

// lock takes a lock that nobody holds. If the same token holds it already, lock prolongs it: the
// client may have missed the answer to its first request.
var lock = verbs.Verb{
	Verb:   protocol.Verb{Name: "lock", Usage: "<name> <token> <seconds> [<holders>] [noreply]", Read: readLock},
	Does:   "takes a lock for so many seconds, if no other token holds it, or fewer than so many holders do",
	Carry:  &verbs.Carry{By: protocol.Add, Value: verbs.WordsValue, Shape: "<name>[/holders/<n>]", Before: "holders", Times: 1, Exptime: true, ValueFirst: true},
	Traces: Traces,
	Run: func(c *verbs.Call) verbs.Step {
		call := callOf(c)
		if call.holders > 0 {
			return verbs.Step{Go: func(*verbs.Call) { call.lockPlace() }}
		}
		if call.afterSilence() {
			return verbs.Step{Go: func(*verbs.Call) { call.lock(call.Ask(call.add()), true) }}
		}
		return c.Asks(added, call.add())
	},
}

// added takes the reply to the add of a lock.
func added(c *verbs.Call, replies []verbs.Reply) (next verbs.Step) {
	if r := replies[0]; r.Status != verbs.Stored {
		next.Go = func(c *verbs.Call) { callOf(c).lock(r, false) }
		return next
	}
	c.Say("STORED")
	return next
}

// unlock releases a lock.
var unlock = changes(verbs.Verb{
	Verb:   protocol.Verb{Name: "unlock", Usage: "<name> <token> [noreply]", Read: readUnlock},
	Does:   "releases a lock that the token holds",
	Carry:  &verbs.Carry{By: protocol.Delete, Shape: "<name>/<token>", Words: 1},
	Traces: Traces,
}, call.release, "DELETED", false)

// relock prolongs a lock.
var relock = changes(verbs.Verb{
	Verb:   protocol.Verb{Name: "relock", Usage: "<name> <token> <seconds> [noreply]", Read: readRelock},
	Does:   "holds a lock that the token holds on, for so many seconds from now; a negative number ends it",
	Carry:  &verbs.Carry{By: protocol.Touch, Shape: "<name>/<token>", Words: 1, Exptime: true},
	Traces: Traces,
}, call.holdOn, "STORED", true)

// changes returns v completed as a verb that carries out the operation by on the item of a lock that
// its token holds, and answers done. holds says that the token holds the lock afterwards. Its calls
// need no coroutine unless the item changes meanwhile, the upstream has been silent, or the token may hold another place.
func changes(v verbs.Verb, by func(call, verbs.Reply) verbs.Op, done string, holds bool) verbs.Verb {
	tell := func(c call, r verbs.Reply) { c.tell(r, done, "NOT_FOUND", "EXISTS") }
	silent := func(c *verbs.Call) bool { return holds && callOf(c).afterSilence() }
	anew := verbs.Coroutine(func(c *verbs.Call) { tell(callOf(c), callOf(c).changePlaces(by, silent(c))) })
	elsewhere := func(first verbs.Status) verbs.Step {
		return verbs.Step{Go: func(c *verbs.Call) {
			tell(callOf(c), callOf(c).changeOthers(by, silent(c), verbs.Reply{Status: first}))
		}}
	}
	changed := func(c *verbs.Call, replies []verbs.Reply) (done verbs.Step) {
		if replies[0].Status == verbs.Exists {
			return anew(c)
		}
		tell(callOf(c), replies[0])
		return done
	}
	fetched := func(c *verbs.Call, replies []verbs.Reply) (done verbs.Step) {
		call := callOf(c)
		held, of := call.holds(replies[0])
		switch {
		case held.Status == verbs.Failed:
			tell(call, held)
			return done
		case held.Status == verbs.Hit && of.foreign == 0 && of.holders == 0:
			return c.Asks(changed, by(call, held))
		case held.Status == verbs.Hit:
			return anew(c)
		}
		return elsewhere(held.Status)
	}
	v.Run = func(c *verbs.Call) verbs.Step {
		if silent(c) {
			return anew(c)
		}
		return c.Asks(fetched, callOf(c).fetch())
	}
	return v
}

// lock takes or prolongs the lock, given the reply to a first add. silent says that the reply came
// after a silence of the upstream.
func (c call) lock(r verbs.Reply, silent bool) {
	for range verbs.MaxTries {
		if r.Status == verbs.NotStored {
			r = c.change(c.holdOn)
		}
		if silent {
			r = c.outlast(r)
		}
		if r.Status != verbs.Missing { // otherwise the lock has just become free
			c.tell(r, "STORED", "", "NOT_STORED")
			return
		}
		r = c.Ask(c.add())
	}
	if r.Status == verbs.NotStored { // another token has held it each time
		c.Say("NOT_STORED")
		return
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
}
