package locks

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// After memcached has hung, its clock is late for a while. memcached computes from that clock when
// an item expires, so a lock that is taken then expires too early, by the time that memcached had
// hung before the request was sent. An upstream that hangs answers nothing. So after a silence of
// the upstream, a call reads the item once more, and checks who holds the lock and for how long.

// silence is how long an upstream may have answered nothing, in milliseconds, before its clock is
// doubted. One that is busy answers more often than that.
const silence = 100

// afterSilence reports whether the upstream of the lock has been silent, and the lock is not to end
// at once.
func (c call) afterSilence() bool { return c.exptime >= 0 && c.Env.Silence(c.Key) >= silence }

// outlast is called with the outcome r of taking or prolonging the lock after a silence. If that is
// Stored and the item expires too early, outlast stores it again. It returns the final outcome:
// Missing if the lock has ended meanwhile, and Exists if another has taken it.
func (c call) outlast(r verbs.Reply) verbs.Reply {
	for range mostLooks {
		if r.Status != verbs.Stored || c.lasts(c.Ask(c.fetch())) {
			return r
		}
		r = c.change(c.holdOn)
	}
	return r
}

// lasts reports whether, according to the item that was read, the token holds the lock and the item
// lives as long as its exptime says, less a second that may have passed.
func (c call) lasts(item verbs.Reply) bool {
	holder, _, ok := Holder(item.Data)
	return item.Status == verbs.Hit && ok && bytes.Equal(holder, c.token) && (item.TTL < 0 || item.TTL >= c.exptime-1)
}

// mostLooks is how many times outlast reads the item. Usually memcached's clock has caught up the
// first time.
const mostLooks = 3
