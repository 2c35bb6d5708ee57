package locks

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Verbs are the verbs on locks, in the order in which help lists them.
var Verbs = []*verbs.Verb{&lock, &unlock, &relock}

// lock takes a lock that nobody holds. If the same token holds it already, lock prolongs it: the
// client may have missed the answer to its first request.
var lock = verbs.Verb{
	Verb:  protocol.Verb{Name: "lock", Usage: "<name> <token> <seconds> [noreply]", Read: readLock},
	Does:  "takes a lock for so many seconds, if no other token holds it",
	Carry: &verbs.Carry{By: protocol.Add, Value: verbs.WordsValue, Shape: "<name>", Exptime: true},
	Run: func(c *verbs.Call) verbs.Step {
		call := callOf(c)
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
	Verb:  protocol.Verb{Name: "unlock", Usage: "<name> <token> [noreply]", Read: readUnlock},
	Does:  "releases a lock that the token holds",
	Carry: &verbs.Carry{By: protocol.Delete, Shape: "<name>/<token>", Words: 1},
}, call.release, "DELETED", false)

// relock prolongs a lock.
var relock = changes(verbs.Verb{
	Verb:  protocol.Verb{Name: "relock", Usage: "<name> <token> <seconds> [noreply]", Read: readRelock},
	Does:  "holds a lock that the token holds on, for so many seconds from now; a negative number ends it",
	Carry: &verbs.Carry{By: protocol.Touch, Shape: "<name>/<token>", Words: 1, Exptime: true},
}, call.holdOn, "STORED", true)

// changes returns v completed as a verb that carries out the operation by on the item of a lock that
// its token holds, and answers done. holds says that the token holds the lock afterwards. Its calls
// need no coroutine unless the item changes meanwhile, or the upstream has been silent.
func changes(v verbs.Verb, by func(call, verbs.Reply) verbs.Op, done string, holds bool) verbs.Verb {
	tell := func(c call, r verbs.Reply) { c.tell(r, done, "NOT_FOUND", "EXISTS") }
	silent := func(c *verbs.Call) bool { return holds && callOf(c).afterSilence() }
	anew := verbs.Coroutine(func(c *verbs.Call) {
		call, silent := callOf(c), silent(c)
		r := call.change(func(held verbs.Reply) verbs.Op { return by(call, held) })
		if silent {
			r = call.outlast(r)
		}
		tell(call, r)
	})
	changed := func(c *verbs.Call, replies []verbs.Reply) (done verbs.Step) {
		if replies[0].Status == verbs.Exists {
			return anew(c)
		}
		tell(callOf(c), replies[0])
		return done
	}
	fetched := func(c *verbs.Call, replies []verbs.Reply) (done verbs.Step) {
		call := callOf(c)
		switch held, foreign := call.holds(replies[0]); {
		case foreign > 0:
			return anew(c)
		case held.Status == verbs.Hit:
			return c.Asks(changed, by(call, held))
		default:
			tell(call, held)
		}
		return done
	}
	v.Run = func(c *verbs.Call) verbs.Step {
		if silent(c) {
			return anew(c)
		}
		return c.Asks(fetched, callOf(c).fetch())
	}
	return v
}

// call is a call of a verb on a lock.
type call struct {
	*verbs.Call
	token   []byte
	exptime int64 // of the item; negative to end the lock at once
}

// clockSlack makes up for memcached's clock, in seconds: the clock counts whole seconds, and
// sometimes skips one.
const clockSlack = 2

func callOf(c *verbs.Call) call {
	token, rest := protocol.NextWord(c.Words)
	seconds := readSeconds(rest)
	if seconds >= 0 {
		seconds += clockSlack
	}
	return call{c, token, seconds}
}

// add returns the operation that takes a lock that nobody holds.
func (c call) add() verbs.Op {
	c.Buf = appendItem(c.Buf[:0], c.token)
	return verbs.Op{Kind: verbs.Add, Key: c.Key, Data: c.Buf, Exptime: c.exptime}
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
	c.Fail(verbs.Contended(c.Shown(c.Key)))
}

// tell answers with the line for an outcome: the change was made, nobody holds the lock, or
// another does.
func (c call) tell(r verbs.Reply, done, nobody, another string) {
	switch r.Status {
	case verbs.Stored:
		c.Say(done)
	case verbs.Missing:
		c.Say(nobody)
	case verbs.Exists:
		c.Say(another)
	default:
		c.Fail(r)
	}
}

// change carries out an operation on the item of the lock if the token holds it and the
// item has not changed since: Stored; Missing if nobody holds it; Exists if another does; or
// Failed.
func (c call) change(by func(held verbs.Reply) verbs.Op) verbs.Reply {
	for range verbs.MaxTries {
		held, foreign := c.holds(c.Ask(c.fetch()))
		if held.Status != verbs.Hit {
			return held
		}
		r := c.Ask(by(held))
		if r.Status == verbs.Stored && foreign > 0 {
			c.Env.(structure.Env).NoteForeign(c.Key, c.Key, "lock", foreign)
		}
		if r.Status != verbs.Exists {
			return r
		}
	}
	return verbs.Contended(c.Shown(c.Key))
}

// fetch returns the operation that reads the item of the lock.
func (c call) fetch() verbs.Op {
	return verbs.Op{Kind: verbs.Fetch, Key: c.Key, Bytes: longestItem}
}

// holds interprets r, the reply to fetch: Hit if the token holds the lock, Missing if nobody does,
// Exists if another token does, or Failed. foreign is how many tokens of other kinds the item has.
func (c call) holds(r verbs.Reply) (_ verbs.Reply, foreign int) {
	switch r.Status {
	case verbs.Missing:
		return r, 0
	case verbs.Hit, verbs.Dropped:
	default:
		return verbs.Reply{Err: r.Err}, 0
	}
	holder, foreign, ok := parseItem(r.Data)
	switch {
	case !ok:
		r = verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a lock", c.Shown(c.Key))}
	case !bytes.Equal(holder, c.token):
		r = verbs.Reply{Status: verbs.Exists}
	case r.CAS == 0:
		r = verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s can't be released or held on safely: its upstream keeps no CAS (memcached -C); the lock ends with its time", c.Shown(c.Key))}
	}
	return r, foreign
}

// release returns the operation that deletes the item.
func (c call) release(held verbs.Reply) verbs.Op {
	return verbs.Op{Kind: verbs.DeleteIf, Key: c.Key, CAS: held.CAS, Epoch: held.Epoch}
}

// holdOn returns the operation that stores the item again, or releases the lock if exptime is
// negative. The value is no longer than the one that it replaces, so it fits.
func (c call) holdOn(held verbs.Reply) verbs.Op {
	if c.exptime < 0 {
		return c.release(held)
	}
	c.Buf = appendItem(c.Buf[:0], c.token)
	return verbs.Op{Kind: verbs.Swap, Key: c.Key, Data: c.Buf, Flags: held.Flags, Exptime: c.exptime, CAS: held.CAS, Epoch: held.Epoch}
}
