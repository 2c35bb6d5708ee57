package verbs

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// logfetch answers with the events of an interval, in order of time.
func logfetch(c *Call) {
	if !c.logName() {
		return
	}
	first, last := c.interval()
	f := fetch{Call: c, first: first, last: last}
	if !f.chunks() || !f.rest() {
		return
	}
	slices.SortStableFunc(f.events, func(a, b event) int { return cmp.Compare(a.when, b.when) })
	for i := range f.events {
		if c.tooLong(len(f.events[i].data)) {
			return
		}
		c.answer = f.events[i].appendReply(c.answer, c.key)
	}
	c.end()
}

// interval returns the interval asked for, cut to what can be in the ring.
func (c *Call) interval() (first, last int64) {
	o, now := c.env.Options(), c.env.Now()
	first, last = o.oldest(now), now
	word, rest := protocol.NextWord(c.words)
	if n, ok := protocol.ParseInt(word); ok {
		first = max(first, resolve(n, now))
	}
	word, _ = protocol.NextWord(rest)
	if n, ok := protocol.ParseInt(word); ok {
		last = min(resolve(n, now), now+o.LogChunk)
	}
	return first, last
}

// fetch is a logfetch under way.
type fetch struct {
	*Call
	first, last int64
	events      []event
	size        int     // of the items that were read, in bytes
	more        []int64 // chunks that may have more further items than one
}

// chunks reads the items of all chunks of the interval, and the first further
// item of each, in one round trip.
func (f *fetch) chunks() bool {
	if f.last < f.first {
		return true
	}
	o := f.env.Options()
	from, to := o.chunkOf(f.first), o.chunkOf(f.last)
	var ops []Op
	for chunk := from; chunk <= min(to, from+o.LogChunks-1); chunk++ { // the next would be in the first place again
		ops = append(ops, Op{Kind: Fetch, Key: o.appendItemKey(nil, f.key, chunk)})
	}
	inRing := len(ops)
	for chunk := from; chunk <= to; chunk++ {
		ops = append(ops, f.further(chunk, 1))
	}
	for i, r := range f.askAll(ops) {
		if !f.read(ops[i].Key, r) {
			return false
		}
		if i >= inRing && r.Status == Hit {
			f.more = append(f.more, from+int64(i-inRing))
		}
	}
	return true
}

func (f *fetch) further(chunk, n int64) Op {
	return Op{Kind: Fetch, Key: appendFurtherKey(nil, f.key, chunk, n)}
}

// rest reads the other further items of chunks that have outgrown an item.
func (f *fetch) rest() bool {
	for _, chunk := range f.more {
		for n, found := int64(2), true; found && n <= maxFurther; n += furtherAtOnce {
			var ops []Op
			for i := n; i < n+furtherAtOnce; i++ {
				ops = append(ops, f.further(chunk, i))
			}
			found = false
			for i, r := range f.askAll(ops) {
				if !f.read(ops[i].Key, r) {
					return false
				}
				found = found || r.Status == Hit
			}
		}
	}
	return true
}

// read takes the events of the interval out of the item that r read. It
// returns false if the client has been told of an error.
func (f *fetch) read(key []byte, r Reply) bool {
	switch r.Status {
	case Missing:
		return true
	case Hit:
	default:
		f.fail(r)
		return false
	}
	if f.size += len(r.Data); f.tooLong(f.size) {
		return false
	}
	var ok bool
	// Replies are gone with the next question, so events point into a copy.
	if f.events, ok = parseEvents(f.events, bytes.Clone(r.Data), f.first, f.last); !ok {
		f.sayf("CLIENT_ERROR %s does not hold events of a log", key)
	}
	return ok
}
