package eventlogs

import "github.com/memverbs/memverbs/verbs"

// The items of a chunk have to live until its last event has been kept for as long as is promised. The clock of
// a proxy may be wrong, and jump, so it does not tell when that is: a proxy whose clock is ahead may create an
// item long before the others use it. So all proxies have all items live for the same time from then on, by
// memcached's clock, in which any event has had its life that is stored less than a chunk later. They do so when
// they create an item, and by a touch, in the same round trip, before they append to one that they have not touched for
// a chunk. So nothing that any proxy does, however wrong its clock is and however late it is carried out, makes
// the life of an item shorter.

// spare is for how long, in seconds, an item lives on when its last event has had its life: memcached counts
// in seconds, of which the first may be over at once, and the clocks of proxies differ a little.
const spare = 3

// exptime returns the exptime of an item that is touched or created at time now. An event may be one chunk ahead when it
// is stored, and be stored a chunk after the touch, and has to live for one chunk less than are kept.
//
// What is longer than 30 days has to be a point in time. Clocks that differ tell different ones. But as a
// proxy takes events for no later chunk than the next, any of these points is after all events of the chunk have had
// their lives.
func (o *chunks) exptime(now int64) int64 {
	return verbs.Exptime((o.LogChunks+1)*o.LogChunk/1000+spare, now)
}

// silence is how long an upstream may have answered nothing, in milliseconds, before its clock is doubted: a
// memcached that has hung goes on with a clock that is late, and an item that is touched then ends early, or has ended
// already when the clock has caught up.
const silence = 1000

// seen reports whether this event loop has the chunk's first item live long enough: it has touched the item less than
// a chunk ago. It does not ask what time of the day it is, which may have changed since.
func (p *put) seen() bool {
	at := p.Env.Hints().Of(p.key(1)).At
	return at != 0 && p.began-at < chunksOf(p.Env).LogChunk
}

// see notes that it has done so.
func (p *put) see() { p.Env.Hints().Note(string(p.key(1)), verbs.Hint{At: p.began}) }

// lastingly appends the event to the chunk's n-th item, or creates that, and has the item live long enough.
func (p *put) lastingly(n int64) verbs.Outcome {
	for range verbs.MaxTries {
		doubted := p.silent()
		o, size := p.TouchAndAppend(p.key(n), p.Buf, p.exptime)
		if p.appended(n, o, size) != verbs.Done || !doubted && !p.silent() {
			return o
		}
		switch r := p.Ask(p.touch(n)); r.Status { // the clock has caught up, as a rule
		case verbs.Stored:
			return verbs.Done
		case verbs.Missing: // it has ended, with the event
		default:
			p.Fail(r)
			return verbs.Told
		}
	}
	p.Fail(verbs.Contended(p.Shown(p.key(n))))
	return verbs.Told
}

// silent reports whether the upstream has answered nothing for so long that its clock is doubted.
func (p *put) silent() bool { return p.Env.Silence(p.Key) >= silence }

// touch returns the operation that has the chunk's n-th item live long enough.
func (p *put) touch(n int64) verbs.Op {
	op := p.Part(verbs.Touch, appendItemKey(nil, p.Key, p.chunk, n))
	op.Exptime = p.exptime
	return op
}
