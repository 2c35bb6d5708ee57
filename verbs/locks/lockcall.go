package locks

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// call is a call of a verb on a lock.
type call struct {
	*verbs.Call
	token   []byte
	exptime int64  // of the item; negative to end the lock at once
	holders int    // how many may hold the lock; 0 if the request does not say that
	place   []byte // the key of the item that the call works on
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
	_, last := protocol.NextWord(rest)
	return call{c, token, seconds, int(readSeconds(last)), c.Key}
}

// add returns the operation that takes a lock that nobody holds.
func (c call) add() verbs.Op {
	c.Buf = item{token: c.token, holders: c.holders}.append(c.Buf[:0])
	return c.op(verbs.Op{Kind: verbs.Add, Data: c.Buf, Exptime: c.exptime})
}

// op returns op on the item that the call works on.
func (c call) op(op verbs.Op) verbs.Op {
	if op.Key = c.place; len(c.place) != len(c.Key) {
		op.Of = c.Key
	}
	return op
}

// tell answers with the line for an outcome: the change was made, nobody holds the lock, or
// another does.
func (c call) tell(r verbs.Reply, done, nobody, another string) {
	if r.Status == verbs.Exists {
		c.Say(another)
		return
	}
	c.SayOutcome(r, done, nobody)
}

// change carries out an operation on the item of the lock if the token holds it and the
// item has not changed since: Stored; Missing if nobody holds it; Exists if another does; or
// Failed.
func (c call) change(by func(held verbs.Reply) verbs.Op) verbs.Reply {
	for range verbs.MaxTries {
		held, of := c.holds(c.Ask(c.fetch()))
		if held.Status != verbs.Hit {
			return held
		}
		r := c.Ask(by(held))
		if r.Status == verbs.Stored && of.foreign > 0 {
			c.Env.(structure.Env).NoteForeign(c.Key, c.Shown(c.place), "lock", of.foreign)
		}
		if r.Status != verbs.Exists {
			return r
		}
	}
	return verbs.Contended(c.Shown(c.Key))
}

// fetch returns the operation that reads the item of the lock.
func (c call) fetch() verbs.Op {
	return c.op(verbs.Op{Kind: verbs.Fetch, Bytes: longestItem})
}

// holds interprets r, the reply to fetch: Hit if the token holds the lock, Missing if nobody does,
// Exists if another token does, or Failed; and what the item says.
func (c call) holds(r verbs.Reply) (_ verbs.Reply, of item) {
	switch r.Status {
	case verbs.Missing:
		return r, of
	case verbs.Hit, verbs.Dropped:
	default:
		return verbs.Reply{Err: r.Err}, of
	}
	of, ok := parseItem(r.Data)
	switch {
	case !ok:
		r = verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a lock", c.Shown(c.place))}
	case !bytes.Equal(of.token, c.token):
		r = verbs.Reply{Status: verbs.Exists}
	case r.CAS == 0:
		r = verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s can't be released or held on safely: its upstream keeps no CAS (memcached -C); the lock ends with its time", c.Shown(c.Key))}
	}
	return r, of
}

// release returns the operation that deletes the item.
func (c call) release(held verbs.Reply) verbs.Op {
	return c.op(verbs.Op{Kind: verbs.DeleteIf, CAS: held.CAS, Epoch: held.Epoch})
}

// holdOn returns the operation that stores the item again, or releases the lock if exptime is
// negative. The value is hardly longer than the one that it replaces, and short, so it fits.
func (c call) holdOn(held verbs.Reply) verbs.Op {
	if c.exptime < 0 {
		return c.release(held)
	}
	of, _ := parseItem(held.Data)
	c.Buf = item{token: c.token, holders: max(of.holders, c.holders)}.append(c.Buf[:0])
	return c.op(verbs.Op{Kind: verbs.Swap, Data: c.Buf, Flags: held.Flags, Exptime: c.exptime, CAS: held.CAS, Epoch: held.Epoch})
}
