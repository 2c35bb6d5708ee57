package front

import (
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
)

// wanted is a key of a retrieval.
type wanted struct {
	length uint16 // in bytes
	owner  uint16 // index of the reply that has its value
}

const wantedSize = int(unsafe.Sizeof(wanted{}))

// gathered is the reply of one upstream or verb to its part of a retrieval.
type gathered struct {
	keys   int      // how many it was asked for
	parts  [][]byte // the reply, in buffers of the pool, each with whole values
	merged int      // number of parts that have been merged and freed
	rest   []byte   // the unmerged rest of the next part
	size   int      // of the parts that were added, in bytes
	lost   bool     // the rest of it was lost, and other copies are asked
}

// add adds data, or a copy of it unless taken says that it is a buffer of the pool, which was taken over.
func (d *gathered) add(p *memory.Pool, data []byte, taken bool) {
	if !taken {
		data = append(p.Get(len(data)), data...)
	}
	d.parts = append(d.parts, data)
	d.size += len(data)
}

// next returns the next value, with its line, if it is that of key. Otherwise key is a
// miss, since upstreams omit keys that they don't have. The value is valid until the
// next call.
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

// nextPart moves to the next part and frees the previous one.
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

// drop frees the parts.
func (d *gathered) drop(p *memory.Pool) {
	for _, part := range d.parts[d.merged:] {
		p.Put(part)
	}
	clear(d.parts)
	*d = gathered{keys: d.keys, parts: d.parts[:0]}
}

// cutNext cuts the next value off d, a copy whose parts are not freed, and returns it if it is that of key.
func (d *gathered) cutNext(key []byte) []byte {
	for len(d.rest) == 0 && d.merged < len(d.parts) {
		d.rest = d.parts[d.merged]
		d.merged++
	}
	n := protocol.CutValue(d.rest, key)
	value := d.rest[:n]
	d.rest = d.rest[n:]
	return value
}
