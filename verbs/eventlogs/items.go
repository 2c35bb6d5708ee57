package eventlogs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/memverbs/memverbs/verbs"
)

// The events of a chunk are in items 1, 2, … of the chunk. An event is appended to the first item until that is
// full.

const (
	// maxItems is the most items of a chunk.
	maxItems = 64
	// itemsAtOnce is how many items of a chunk, but for the first ones, are read or touched in one round trip.
	itemsAtOnce = 8
	// maxLogName is the longest name of an event log, in bytes: the keys of its items
	// append two numbers.
	maxLogName = 220
	// longItem is the length, in bytes, above which nothing is appended to an item of a log.
	// The upstream may allow far longer items, but a chunk can be read only by whole items,
	// and an item longer than [verbs.MaxAnswer] not at all.
	//
	// The reply to an append says how long the item has become. Other proxies and event loops don't
	// see that reply, so each of them may append one more event before it learns that the item is
	// long.
	longItem = 1 << 20
)

// appendItemKey appends to dst the key of the n-th item of a chunk.
func appendItemKey(dst, log []byte, chunk, n int64) []byte {
	dst = append(append(dst, log...), ':')
	dst = strconv.AppendInt(dst, chunk, 10)
	return strconv.AppendInt(append(dst, '+'), n, 10)
}

// IsItem reports whether name, which follows the name of a log and a colon, has the form of the name of an item of a
// chunk: <chunk>+<n>.
func IsItem(name []byte) bool {
	chunk, n, plus := bytes.Cut(name, []byte{'+'})
	return plus && verbs.IsNumber(chunk, 0, math.MaxInt64) && verbs.IsNumber(n, 1, maxItems)
}

// key returns the key of the chunk's n-th item, which is valid until the next one is asked for.
func (p *put) key(n int64) []byte {
	p.Name = appendItemKey(p.Name[:0], p.Key, p.chunk, n)
	return p.Name
}

// outgrown reports whether the chunk's n-th item is known to be long.
func (p *put) outgrown(n int64) bool { return p.Env.Outgrown(p.key(n)) }

// appended notes whether the chunk's n-th item has become long, given the reply to an append. It returns that reply.
func (p *put) appended(n int64, r verbs.Reply) verbs.Reply {
	if r.Status == verbs.Stored && r.Size > longItem {
		p.Env.NoteOutgrown(p.key(n))
	}
	return r
}

// toFurther stores the event in another item of a chunk whose first one is full: the last one that
// exists, or a new one. It returns Stored or Failed.
func (p *put) toFurther() verbs.Reply {
	for first := int64(2); first <= maxItems; first += itemsAtOnce {
		end := min(first+itemsAtOnce, maxItems+1)
		last, r := p.lastOf(first, end)
		if r.Status != verbs.Stored {
			return r
		}
		for n := last; n < end; n++ {
			if r = p.lastingly(n); r.Status != verbs.NotStored {
				return r
			}
		}
	}
	p.Env.NoteFull(p.Key, p.Shown(p.Key))
	const full = "SERVER_ERROR %s is full: this stretch of %d s takes more than %d items; use a shorter --log-chunk"
	return verbs.Reply{Err: fmt.Sprintf(full, p.Shown(p.Key), chunksOf(p.Env).LogChunk/1000, maxItems)}
}

// lastOf returns the number of the chunk's item to append to, from first up to end: the last one that exists, or
// the next number if that one is known to be long; first if none exists. It stops at a gap, which an eviction can
// leave: readers stop there too, so the gap has to be filled first. It touches all items before, so that they live
// long enough: one that expired early would leave a gap, which hides the items after it. The reply is Stored or Failed.
func (p *put) lastOf(first, end int64) (last int64, r verbs.Reply) {
	var ops []verbs.Op
	for n := first; n < end; n++ {
		ops = append(ops, p.touch(n))
	}
	replies := p.AskAll(ops)
	for _, r := range replies {
		if r.Status != verbs.Stored && r.Status != verbs.Missing {
			return 0, verbs.Reply{Err: r.Err}
		}
	}
	n := slices.IndexFunc(replies, func(r verbs.Reply) bool { return r.Status == verbs.Missing })
	if n < 0 {
		n = len(replies)
	}
	if last = max(first, first+int64(n)-1); n > 0 && p.outgrown(last) {
		last++
	}
	return last, verbs.Reply{Status: verbs.Stored}
}
