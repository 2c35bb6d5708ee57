package eventlogs

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
)

// This is the ring of an event log. Time is divided into chunks, numbered from the Unix
// epoch; the events of chunk i are in item i mod LogChunks. All times are in
// milliseconds.

// maxOverflow is the most overflow items of a chunk.
const maxOverflow = 64

// maxLogName is the longest name of an event log, in bytes: the keys of its items
// append a number or two.
const maxLogName = 220

// ring is the ring of all event logs, as set in the options.
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

// oldest returns the oldest time of which events are kept at time now.
func (o *ring) oldest(now int64) int64 {
	return (o.chunkOf(now) - o.LogChunks + 1) * o.LogChunk
}

// keeps reports whether an event of time t can be stored at time now. It must not be
// too old for the ring, nor more than one chunk ahead.
func (o *ring) keeps(t, now int64) bool { return t >= o.oldest(now) && t <= now+o.LogChunk }

// ttl returns for how many seconds from now the item of t has to live at least, for its
// last event to be kept as long as is promised: until the item is used again in the next round,
// rounded up, and a second more, since memcached's clock may tick at once. So an item lives on
// into the next round, by less than overlap, and is renewed there.
func (o *ring) ttl(t, now int64) int64 {
	return ((o.chunkOf(t)+o.LogChunks)*o.LogChunk-now+999)/1000 + 1
}

// overlap is by how many seconds at most an item outlives its round, as ttl is rounded.
const overlap = 2

// over reports whether the chunk of the last round is over, whose item has ttl seconds to live at time
// now, when chunk uses it again: by the clock of this proxy; and, give or take a chunk, by those of the
// proxies that have said how long the item is to live.
func (o *ring) over(chunk, now, ttl int64) bool {
	return now >= chunk*o.LogChunk && ttl <= min(overlap, o.LogChunk/1000)
}

// settling is for how long, in milliseconds, after a chunk has begun, all its events are stored
// with care: the clocks of proxies differ, and operations take time to arrive, so events of the last
// round may still come.
const settling = 1000

// settled returns from when on it is enough that each event loop looks at the item of chunk once.
// That is so by memcached's clock, which is behind after memcached has hung.
func (o *ring) settled(chunk int64) int64 { return chunk*o.LogChunk + settling }

// lastRound reports whether an item with ttl seconds to live is of the last round, if items of this round
// have ours. The two differ by a whole round, give or take overlap and the difference of clocks: so
// what lives for at least half a round less is taken for one of the last.
func (o *ring) lastRound(ttl, ours int64) bool {
	halfRound := o.LogChunks * o.LogChunk / 2 / 1000
	return ttl >= 0 && ttl <= ours-halfRound
}

// appendItemKey appends to dst the key of the item in the ring for a chunk.
func (o *ring) appendItemKey(dst, log []byte, chunk int64) []byte {
	dst = append(append(dst, log...), ':')
	n := chunk % o.LogChunks
	if n < 0 {
		n += o.LogChunks
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendOverflowKey appends to dst the key of the n-th overflow item of a chunk. It
// contains the number of the chunk, not of its item in the ring, so no two chunks share
// one. Nor do two logs: the keys of items in rings all end in a colon and digits.
func appendOverflowKey(dst, log []byte, chunk, n int64) []byte {
	dst = append(append(dst, log...), ':')
	dst = strconv.AppendInt(dst, chunk, 10)
	return strconv.AppendInt(append(dst, '+'), n, 10)
}

// resolve converts a client's time to one since the epoch: 0 is now, and a negative
// time is relative to now.
func resolve(t, now int64) int64 {
	if t <= 0 {
		return now + t
	}
	return t
}
