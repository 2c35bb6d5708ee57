package eventlogs

import "github.com/memverbs/memverbs/verbs"

// overflowAtOnce is how many overflow items are looked at in one round trip.
const overflowAtOnce = 8

// longItem is the length, in bytes, from which an item of a log is left as it is.
// An upstream may take far longer ones, but then nobody could read a part of the
// chunk without reading all of it, and an item longer than [verbs.MaxAnswer] not at all.
//
// That an item has become so long shows in the reply to an append. Nothing in
// memcached tells the others, so each remembers it by itself, and appends one event
// too many until then.
const longItem = 1 << 20

// outgrown reports whether the n-th overflow item of the chunk, or the one in the
// ring if n is 0, is known to be long.
func (p *put) outgrown(n int64) bool { return p.Env.Outgrown(p.itemID(n)) }

// itemID returns what stands for an item of the chunk. Unlike the key of the item
// in the ring, it is not used again in the next round.
func (p *put) itemID(n int64) []byte {
	p.Name = appendOverflowKey(p.Name[:0], p.Key, p.chunk, n)
	return p.Name
}

// toOverflow puts the event into a overflow item of a chunk whose item in the ring
// is full: the last one that there is, or a new one.
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
		p.Key, ringOf(p.Env).LogChunk/1000, maxOverflow+1)
}

// lastOf returns the last of the overflow items from start on, or the one behind it
// if that is known to be long; start if there is none. It stops at a gap, which an eviction can leave: reading stops there
// too, so that a gap has to be filled first.
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
