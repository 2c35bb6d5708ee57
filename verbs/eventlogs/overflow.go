package eventlogs

import "github.com/memverbs/memverbs/verbs"

// overflowAtOnce is how many overflow items are read or probed in one round trip.
const overflowAtOnce = 8

// longItem is the length, in bytes, above which nothing is appended to an item of a log.
// The upstream may allow far longer items, but a chunk can be read only by whole items,
// and an item longer than [verbs.MaxAnswer] not at all.
//
// The reply to an append tells that an item has become so long. Other proxies and event
// loops don't see that reply, so each may append one more event before it learns the
// same.
const longItem = 1 << 20

// outgrown reports whether the n-th overflow item of the chunk, or the one in the
// ring if n is 0, is known to be long.
func (p *put) outgrown(n int64) bool { return p.Env.Outgrown(p.itemID(n)) }

// noteLong notes that the item has become long.
func (p *put) noteLong(n int64) { p.Env.NoteOutgrown(p.itemID(n)) }

// itemID identifies an item of the chunk for [verbs.Env.NoteOutgrown]. Unlike the key
// of the item in the ring, it is not reused in the next round.
func (p *put) itemID(n int64) []byte {
	p.Name = appendOverflowKey(p.Name[:0], p.Key, p.chunk, n)
	return p.Name
}

// toOverflow stores the event in an overflow item of a chunk whose item in the ring is
// full: the last one that exists, or a new one.
func (p *put) toOverflow() {
	for start := int64(1); start <= maxOverflow; start += overflowAtOnce {
		last, ok := p.lastOf(start)
		if !ok {
			return
		}
		for n := last; n < start+overflowAtOnce; n++ {
			key := appendOverflowKey(nil, p.Key, p.chunk, n)
			switch p.appendEvent(key, n) {
			case verbs.Done:
				p.Say("STORED")
				return
			case verbs.Told:
				return
			}
		}
	}
	p.Sayf("SERVER_ERROR %s is full: this stretch of %d s takes more than %d items; use a shorter --log-chunk",
		p.Shown(p.Key), ringOf(p.Env).LogChunk/1000, maxOverflow+1)
}

// lastOf returns the number of the last existing overflow item from start on, or the next
// number if that item is known to be long; start if none exists. It stops at a gap, which an
// eviction can leave: readers stop there too, so the gap has to be filled first.
func (p *put) lastOf(start int64) (last int64, ok bool) {
	ops := make([]verbs.Op, overflowAtOnce)
	for i := range ops {
		ops[i] = p.Part(verbs.Probe, appendOverflowKey(nil, p.Key, p.chunk, start+int64(i)))
	}
	last = start
	for i, r := range p.AskAll(ops) {
		switch r.Status {
		case verbs.Hit:
			if last = start + int64(i); p.outgrown(last) {
				last++
			}
		case verbs.Missing:
			return last, true
		default:
			p.Fail(r)
			return 0, false
		}
	}
	return last, true
}
