package locks

import "github.com/memverbs/memverbs/verbs"

// A memcached that has hung is a while late with its clock when it goes on. To that clock it adds the
// seconds that an item lives, so a lock that is taken in this while ends too early, by as long as
// memcached had hung before the request was sent. It had answered nothing meanwhile. So after a
// silence, a call looks at the time to live once more.

// silence is how long an upstream may have answered nothing, in milliseconds, before its clock is
// doubted. Busy upstreams never are silent for that long.
const silence = 100

// afterSilence reports whether the upstream of the lock has been silent.
func (c call) afterSilence() bool { return c.Env.Silence(c.Key) >= silence }

// outlast is called with the outcome of taking the lock or holding it on after a silence. If that
// was Stored and the item lives too briefly, outlast stores it again. It returns the outcome then:
// Missing if the lock has ended meanwhile.
func (c call) outlast(r verbs.Reply) verbs.Reply {
	for range mostLooks {
		if r.Status != verbs.Stored {
			return r
		}
		switch item := c.Ask(verbs.Op{Kind: verbs.Probe, Key: c.Key}); {
		case item.Status != verbs.Hit:
			r = item
		case item.TTL < 0 || item.TTL >= c.exptime-1: // it may have become less by one since
			return r
		default:
			r = c.change(c.holdOn)
		}
	}
	return r
}

// mostLooks is how many times outlast looks at the item. Usually memcached's clock has caught up when
// it looks for the first time.
const mostLooks = 3
