package structure

import (
	"math"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// The clocks of proxies differ, and may jump. A memcached's clock does not jump, and for a structure
// all proxies use the same memcached. Its time is found by an item that expires at a known point in
// time: that point minus the time to live that memcached returns. Three things depend on it:
//
//   - A head that is swapped has to expire when it would have expired otherwise. To swap it with
//     the time to live that is left does not suffice: the clock may tick in between, and more than
//     30 days can't be given that way. So a swap gives the point in time, by memcached's own clock.
//   - What a fold has forgotten because its time was over is gone for everybody when the fold is
//     written. So it is written only if that time is over by memcached's clock, too.
//   - The result of an order is forgotten some time after it was given. So that time is by
//     memcached's clock, too (see contention.go).

const (
	// clockName is the item's name, which follows the structure's key and a colon. The item's value
	// is the point in time at which it expires, in seconds since 1970.
	clockName = "@clock"
	// clockLasts is how long the item lives, in seconds, if the clock of the proxy that adds it is
	// right. If that clock is late by more than this, the item would expire at once, and endOfTime
	// is used instead.
	clockLasts = 24 * 60 * 60
	// endOfTime is the last point in time that memcached knows.
	endOfTime = math.MaxInt32
	// clockTries is how often the clock is read until it does not tick meanwhile.
	clockTries = 4
	// clocksAgree is by how many milliseconds the clocks of proxies and memcached may differ for a fold
	// to be written as it is.
	clocksAgree = 5000
)

// clock is the part of an [Engine] that asks memcached what time it is.
type clock struct {
	*call
	lasts lasts // see exptimeOf
}

// lasts says when a head expires.
type lasts struct {
	key     string
	ttl     int64 // its time to live when that was found out, in seconds
	exptime int64
}

// IsClock reports whether name is the name of the item by which memcached's time is found, which
// follows the structure's key and a colon.
func IsClock(name []byte) bool { return string(name) == clockName }

// upstreamTime returns the time by the clock of the upstream of the structure under key, in seconds
// since 1970, and the structure's head, probed in the same second. It returns false if it could not
// find that out, or if there is no structure.
func (k *clock) upstreamTime(key []byte) (now int64, head verbs.Reply, ok bool) {
	look := k.lookAtClock(key)
	k.Ops = k.Ops[:0]
	for try := range clockTries {
		k.Ops = append(k.Ops, look, verbs.Op{Kind: verbs.Probe, Key: key}, look)
		replies := k.AskAll(k.Ops)
		replies = replies[len(replies)-3:]
		before, there := timeToldBy(&replies[0])
		after, still := timeToldBy(&replies[2])
		switch {
		case replies[0].Status == verbs.Failed || replies[1].Status == verbs.Failed:
			return 0, verbs.Reply{}, false
		case replies[1].Status == verbs.Hit && there && still && before == after:
			return before, replies[1], true
		case replies[1].Status != verbs.Hit:
			return 0, verbs.Reply{}, false
		}
		if k.Ops = k.Ops[:0]; !there {
			k.Ops = append(k.Ops, k.item(look, try > 0))
		}
	}
	return 0, verbs.Reply{}, false
}

// roughTime is upstreamTime to a second, without the head, and also if there is no structure. It returns Hit;
// Missing if it could not find the time out; or Failed.
func (k *clock) roughTime(key []byte) (now int64, r verbs.Reply) {
	look := k.lookAtClock(key)
	for try := range clockTries {
		r = k.Ask(look)
		if now, ok := timeToldBy(&r); ok || r.Status == verbs.Failed {
			return now, r
		}
		if r = k.Ask(k.item(look, try > 0)); r.Status == verbs.Failed {
			return 0, r
		}
	}
	return 0, verbs.Reply{Status: verbs.Missing}
}

// lookAtClock returns the operation that reads the item by which the upstream of the structure under key
// tells the time.
func (k *clock) lookAtClock(key []byte) verbs.Op {
	of := k.owner(key)
	return verbs.Op{Kind: verbs.Fetch, Key: append(verbs.AppendPartPrefix(nil, of), clockName...), Of: of}
}

// item returns the operation that adds the item that look has not found. If far is set, the item lives
// as long as possible.
func (k *clock) item(look verbs.Op, far bool) verbs.Op {
	until := k.env.Now()/1000 + clockLasts
	if far || until <= verbs.LongestRelative || until > endOfTime {
		until = endOfTime
	}
	look.Kind, look.Data, look.Exptime = verbs.Add, strconv.AppendInt(nil, until, 10), until
	return look
}

// timeToldBy returns the time according to r, the reply to reading the item.
func timeToldBy(r *verbs.Reply) (now int64, ok bool) {
	until, ok := protocol.ParseInt(r.Data)
	return until - r.TTL, ok && r.Status == verbs.Hit && r.TTL >= 0
}

// exptimeOf returns the exptime with which a swap of the head under key, which r has read, does not
// change when it expires. It returns false if it could not find that out.
func (k *clock) exptimeOf(key []byte, r *verbs.Reply) (exptime int64, ok bool) {
	if r.TTL < 0 {
		return 0, true
	}
	if last := &k.lasts; last.key != string(key) || r.TTL != last.ttl && r.TTL != last.ttl-1 { // or it was touched
		if _, ok = k.look(key); !ok {
			return 0, false
		}
	}
	return k.lasts.exptime, true
}

// look is upstreamTime that notes when the head expires.
func (k *clock) look(key []byte) (now int64, ok bool) {
	now, head, ok := k.upstreamTime(key)
	if !ok {
		return 0, false
	}
	exptime := now + head.TTL
	if head.TTL < 0 {
		exptime = 0
	} else if exptime <= verbs.LongestRelative { // it is 1970 there
		exptime = head.TTL
	}
	k.lasts = lasts{string(key), head.TTL, exptime}
	return now, true
}

// forgets returns the latest time at which fold has forgotten something, see [format.Timed], 0 for never.
func forgets(fold format.Fold) int64 {
	if timed, ok := fold.(format.Timed); ok {
		return timed.Since()
	}
	return 0
}

// isOver reports whether since, the latest time at which a fold of the structure under key has
// forgotten something, has passed by memcached's clock too, so that the fold may be written.
func (k *clock) isOver(key []byte, since int64) bool {
	if since == 0 {
		return true
	}
	if since > k.env.Now() {
		return false
	}
	now, ok := k.look(key)
	return ok && since <= 1000*now+clocksAgree
}
