package eventlogs

import "github.com/memverbs/memverbs/verbs"

// Description is what there is to know of an event log.
type Description struct {
	Kept int // events that can be fetched, including early ones
	Far  int // events that can't be fetched yet: a wrong clock has stored them too far in the future

	verbs.Extent // of the items; there are none if there is no such log
}

// Describe describes the event log that the call is about. It returns false if that can't
// be done; then the client was told why.
func Describe(c *verbs.Call) (d Description, ok bool) {
	if len(c.Key) > maxLogName { // no log has such a name
		return d, true
	}
	o := chunksOf(c.Env)
	for range verbs.MaxTries {
		now := c.Env.Now()
		d = Description{}
		f := fetch{Call: c, first: o.oldest(now), last: now + o.LogChunk, describes: &d}
		if f.chunks() && f.rest() {
			return d, true
		}
		if c.Answered() {
			return d, false
		}
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
	return d, false
}

// add adds the items in replies, which f has just read, and makes f drop them, so that a log may be longer
// than what is read at once.
func (d *Description) add(f *fetch, replies []verbs.Reply) {
	for i := range replies {
		d.Extent.Add(&replies[i])
	}
	d.Kept += len(f.found)
	d.Far += f.events - len(f.found)
	clear(f.items)
	f.items, f.found = f.items[:0], f.found[:0]
	f.size, f.events = 0, 0
}
