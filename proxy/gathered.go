package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
)

// gathered is what one upstream, or verb, has answered to its part of a retrieval.
type gathered struct {
	keys   int      // how many it was asked for
	parts  [][]byte // the reply, in buffers of the pool that hold whole values each
	merged int      // how many of the parts have been merged, and are gone
	rest   []byte   // of the next part: what has not been merged
	size   int      // of the parts that were added, in bytes
}

// add adds data, which is in the buffer whole if that is not nil. It reports whether
// the buffer was taken.
func (d *gathered) add(p *memory.Pool, data, whole []byte) (taken bool) {
	if taken = whole != nil; !taken {
		whole = append(p.Get(len(data)), data...)
	}
	d.parts = append(d.parts, whole)
	d.size += len(data)
	return taken
}

// next returns the value of key, with its line, if it is the next. An upstream leaves
// out what it does not have, so a key whose value is not next is a miss. The value
// stays valid until next is called again.
func (d *gathered) next(p *memory.Pool, key []byte) []byte {
	if len(d.rest) == 0 {
		d.nextPart(p)
	}
	n := protocol.CutValue(d.rest, key)
	if n == 0 {
		return nil
	}
	value := d.rest[:n]
	d.rest = d.rest[n:]
	return value
}

// nextPart goes on to the next part, and lets go of the one before.
func (d *gathered) nextPart(p *memory.Pool) {
	if d.rest != nil {
		p.Put(d.parts[d.merged])
		d.parts[d.merged], d.rest = nil, nil
		d.merged++
	}
	if d.merged < len(d.parts) {
		d.rest = d.parts[d.merged]
	}
}

// drop lets go of the parts.
func (d *gathered) drop(p *memory.Pool) {
	for _, part := range d.parts[d.merged:] {
		p.Put(part)
	}
	clear(d.parts)
	*d = gathered{keys: d.keys, parts: d.parts[:0]}
}
