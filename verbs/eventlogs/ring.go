package eventlogs

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
)

// The ring of an event log. Time is cut into chunks, numbered from the epoch;
// the events of chunk i are in item i mod chunks. All times are in
// milliseconds.

// maxOverflow is how many overflow items a chunk may take when its item is full.
const maxOverflow = 64

// maxLogName is the longest name of an event log, in bytes: the keys of its
// items are longer by a number or two.
const maxLogName = 220

// ring is the ring of event logs, as the options have it.
type ring verbs.Options

// ringOf returns the ring of the event logs in env.
func ringOf(env verbs.Env) *ring { return (*ring)(env.Options()) }

// chunkOf returns the number of the chunk that t belongs to.
func (o *ring) chunkOf(t int64) int64 {
	n := t / o.LogChunk
	if t%o.LogChunk < 0 {
		n--
	}
	return n
}

// oldest returns the oldest time that is kept at time now.
func (o *ring) oldest(now int64) int64 {
	return (o.chunkOf(now) - o.LogChunks + 1) * o.LogChunk
}

// keeps reports whether an event at time t can be put at time now: it must
// neither be too old for the ring, nor more than one chunk ahead, nor have so
// little left that memcached, which counts in seconds, could not hold it.
func (o *ring) keeps(t, now int64) bool {
	return t >= o.oldest(now) && t <= now+o.LogChunk && o.ttl(t, now) > 0
}

// ttl returns how many seconds from now the item that holds t is to live: up
// to when its place in the ring is used again, and never a moment longer, lest
// the first events of the next round be appended to an item about to expire.
func (o *ring) ttl(t, now int64) int64 {
	return ((o.chunkOf(t)+o.LogChunks)*o.LogChunk - now) / 1000
}

// settling is how long, in milliseconds, the place of a chunk in the ring may
// be taken by the last round's item after the chunk has begun: the clocks of
// proxies differ, and an operation takes its time to arrive.
const settling = 1000

// shares reports whether the place of chunk in the ring may be taken, at time
// now, by an item of the last round, which is about to expire: while the chunk
// has not begun, and for a moment after that.
func (o *ring) shares(chunk, now int64) bool {
	return now < chunk*o.LogChunk+settling
}

// lastRound reports whether an item with that many seconds to live is one of
// the last round, given how many an item of this round has. The two differ by
// a whole round, give or take a second or two.
func (o *ring) lastRound(ttl, ours int64) bool {
	return ttl >= 0 && ttl <= ours-o.LogChunks*o.LogChunk/2000
}

// appendItemKey appends to dst the key of the item that holds the events of a
// chunk.
func (o *ring) appendItemKey(dst, log []byte, chunk int64) []byte {
	dst = append(append(dst, log...), ':')
	n := chunk % o.LogChunks
	if n < 0 {
		n += o.LogChunks
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendOverflowKey appends to dst the key of the n-th overflow item of a chunk.
// It bears the number of the chunk, not of its place in the ring, so that no
// two chunks ever share one. Nor do two logs: the items of the rings all end in
// a colon and digits.
func appendOverflowKey(dst, log []byte, chunk, n int64) []byte {
	dst = append(append(dst, log...), ':')
	dst = strconv.AppendInt(dst, chunk, 10)
	return strconv.AppendInt(append(dst, '+'), n, 10)
}

// resolve turns a time as clients give it into one since the epoch: 0 is now,
// a negative time is that long before now.
func resolve(t, now int64) int64 {
	if t <= 0 {
		return now + t
	}
	return t
}
