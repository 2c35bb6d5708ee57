package locks

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// After memcached has hung, its clock is late for a while. memcached computes when an item expires
// from that clock, so a lock that is taken then expires too early, by as long as memcached had hung
// before the request was sent. An upstream that hangs answers nothing. So after a silence of the
// upstream, a call reads the item once more, and checks who holds the lock and for how long.

// silence is how long an upstream may have answered nothing, in milliseconds, before its clock is
// doubted. One that is busy answers more often than that.
const silence = 100

// afterSilence reports whether the upstream of the lock has been silent, and the lock is to last.
func (c call) afterSilence() bool { return c.exptime >= 0 && c.Env.Silence(c.Key) >= silence }

// outlast is called with the outcome of taking the lock or holding it on after a silence. If that
// was Stored and the item lives too briefly, outlast stores it again. It returns the outcome then:
// Missing if the lock has ended meanwhile, and Exists if another has taken it since.
func (c call) outlast(r verbs.Reply) verbs.Reply {
	for range mostLooks {
		if r.Status != verbs.Stored || c.lasts(c.Ask(c.fetch())) {
			return r
		}
		r = c.change(c.holdOn)
	}
	return r
}

// lasts reports whether the item that was read says that the token holds the lock, and lives for as
// long as it was told: it may have become a second less since.
func (c call) lasts(item verbs.Reply) bool {
	holder, ok := Holder(item.Data)
	return item.Status == verbs.Hit && ok && bytes.Equal(holder, c.token) && (item.TTL < 0 || item.TTL >= c.exptime-1)
}

// mostLooks is how many times outlast looks at the item. Usually memcached's clock has caught up when
// it looks for the first time.
const mostLooks = 3
