package eventlogs

import "github.com/memverbs/memverbs/verbs"

// The items of a chunk have to live until its last event has been kept for the promised time. A proxy's clock can't say
// when that is, because it may be wrong, and jump: a proxy whose clock is ahead may create an item long before the
// others use it. So all proxies give every item the same time to live, by memcached's clock, which is enough for any
// event that is appended within the next chunk of time. They set it when they create an item, and by a touch, in the
// same round trip, before they append to an item that they have not touched for a chunk. So no operation makes the life
// of an item shorter, however wrong a proxy's clock is and however late the operation is carried out.

// spare is how long, in seconds, an item lives after its last event has been kept for the promised time:
// memcached counts whole seconds, the first of which may be over at once, and the clocks of proxies differ a
// little.
const spare = 3

// exptime returns the exptime of an item that is touched or created at time now. It is the sum of three times: an event
// may be stored a chunk after the touch, may be one chunk ahead when it is stored, and has to live for one chunk less
// than are kept.
//
// More than 30 days can be given only as a point in time, and clocks that differ yield different points. But a proxy
// accepts events for no later chunk than the next, so at each of these points all events of the chunk have been kept
// for long enough.
func (o *chunks) exptime(now int64) int64 {
	return verbs.Exptime((o.LogChunks+1)*o.LogChunk/1000+spare, now)
}

// silence is how long an upstream may have answered nothing, in milliseconds, before its clock is doubted. A memcached
// that has hung goes on with a clock that is late. An item that is touched then expires too early, perhaps at the
// moment when the clock catches up.
const silence = 1000

// seen reports whether the chunk's first item lives long enough because this event loop has touched it less than a
// chunk ago. It uses the loop's uptime, because the time of day may have been changed since.
func (p *put) seen() bool {
	at := p.Env.Hints().Of(p.key(1)).At
	return at != 0 && p.began-at < chunksOf(p.Env).LogChunk
}

// see notes that this event loop has touched the chunk's first item.
func (p *put) see() { p.Env.Hints().Note(string(p.key(1)), verbs.Hint{At: p.began}) }

// lastingly appends the event to the chunk's n-th item, or creates it, and makes the item live long enough. It returns
// Stored, NotStored if the item is full, or Failed.
func (p *put) lastingly(n int64) verbs.Reply {
	for range verbs.MaxTries {
		doubted := p.silent()
		r := p.appended(n, p.TouchAndAppend(p.key(n), p.Buf, p.exptime))
		if r.Status != verbs.Stored || !doubted && !p.silent() {
			return r
		}
		if r = p.Ask(p.touch(n)); r.Status != verbs.Missing { // usually the clock has caught up by now
			return r
		} // otherwise the item has expired, with the event
	}
	return verbs.Contended(p.Shown(p.key(n)))
}

// silent reports whether the upstream has answered nothing for so long that its clock is doubted.
func (p *put) silent() bool { return p.Env.Silence(p.Key) >= silence }

// touch returns the operation that makes the chunk's n-th item live long enough.
func (p *put) touch(n int64) verbs.Op {
	op := p.Part(verbs.Touch, appendItemKey(nil, p.Key, p.chunk, n))
	op.Exptime = p.exptime
	return op
}
