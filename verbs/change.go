package verbs

import (
	"bytes"
	"fmt"
)

// change replaces the beginning of a head by something that means the same.
// What has been appended meanwhile stays, so the change is good for as long as
// the head begins as it did.
type change struct {
	old, new []byte
	written  []segment // that new points to and old does not
	replaced []segment // the other way round
	closed   bool      // new ends in tokens, behind which no pointer may stand
}

// fits reports whether the change can be made to a head that holds value.
func (ch *change) fits(value []byte) bool {
	rest, ok := bytes.CutPrefix(value, ch.old)
	switch {
	case !ok:
		return false
	case len(rest) == 0:
		return true
	case len(ch.old) > 0 && !space(ch.old[len(ch.old)-1]):
		return false // what follows belongs to the last token
	}
	rest = trimSpace(rest)
	return !ch.closed || len(rest) == 0 || rest[0] != '@'
}

// commitTries is how often a change is tried in between the appends of others.
const commitTries = 4 * maxTries

// commit makes a change: Stored, Exists if the head no longer begins as the
// change expects, Missing if there is none any more, or Failed.
func (c *engine) commit(key []byte, ch *change) Reply {
	outcome := contended(key)
	for range commitTries {
		r := c.ask(Op{Kind: Fetch, Key: key})
		if r.Status != Hit {
			outcome = r
			break
		}
		if !ch.fits(r.Data) {
			outcome = Reply{Status: Exists}
			break
		}
		if !r.swappable() {
			outcome = unswappable(key)
			break
		}
		if r = c.swapIn(key, ch, r); r.Status != Exists {
			return r
		}
	}
	c.remove(key, ch.written)
	return outcome
}

// unswappable is the outcome of a change of what can't be swapped.
func unswappable(key []byte) Reply {
	return Reply{Err: fmt.Sprintf("SERVER_ERROR %s can't be rewritten: its upstream keeps no CAS, or it is about to expire", key)}
}

// swapIn makes a change to the head that r read, unless it has changed since.
// What nothing points to any more is deleted, but where it is not known whether
// the swap has happened everything stays.
func (c *engine) swapIn(key []byte, ch *change, r Reply) Reply {
	value := append(bytes.Clone(ch.new), r.Data[len(ch.old):]...)
	if len(value) > len(r.Data) && !c.fits(key, key, value) {
		c.remove(key, ch.written)
		return c.full(key, len(value))
	}
	r = c.ask(c.swap(key, value, r))
	c.count(r)
	switch r.Status {
	case Stored:
		c.remove(key, ch.replaced)
	case Missing:
		c.remove(key, ch.written)
	}
	return r
}

// full is the outcome of a change for which there is no room.
func (c *engine) full(key []byte, bytes int) Reply {
	return Reply{Err: fmt.Sprintf("SERVER_ERROR %s is full: there is no room for %d bytes; remove some members, or spread them over several keys", key, bytes)}
}

// swap returns the operation that replaces what r read by another value, and
// keeps its flags and its time to live.
func (c *Call) swap(key, value []byte, r Reply) Op {
	ttl := exptime(max(r.TTL, 0), c.env.Now())
	return Op{Kind: Swap, Key: key, Data: value, Flags: r.Flags, Exptime: ttl, CAS: r.CAS, Epoch: r.Epoch}
}

// count enters a rewriting in the account.
func (c *Call) count(r Reply) {
	c.Tried++
	if r.Status == Stored {
		c.Won++
	}
}

// swapAll carries out swaps, each of which is let go if it fails.
func (c *Call) swapAll(swaps []Op) {
	if len(swaps) == 0 {
		return
	}
	for _, r := range c.askAll(swaps) {
		c.count(r)
	}
}

// remove deletes segments that nothing points to. If that fails they are left
// to memcached, which evicts what nobody reads.
func (c *engine) remove(key []byte, segments []segment) {
	c.ops = appendOps(c.ops[:0], Delete, key, segments)
	if len(c.ops) > 0 {
		c.askAll(c.ops)
	}
}
