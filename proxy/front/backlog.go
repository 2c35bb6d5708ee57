package front

import "github.com/memverbs/memverbs/proxy/memory"

// backlog is what a client has sent and what has to wait: for the rest of a request, or until the request can be carried out. At a
// time, most of thousands of clients have none.
type backlog struct {
	bytes   []byte   // a buffer of the pool
	offset  int      // in bytes, of what was not carried out
	waiting *waiting // the request there, if one was read that can't be carried out yet
}

// keep appends data, with memory of a pool. need is the length of the request that is being received, as far as it is known.
func (b *backlog) keep(data []byte, need int, from *memory.Pool) {
	if b.offset > 0 {
		b.bytes = append(b.bytes[:0], b.bytes[b.offset:]...)
		b.offset = 0
	}
	have := len(b.bytes) + len(data)
	// An announced length allocates memory only as the data arrives.
	room := max(len(data), min(need, 8*have)-len(b.bytes))
	b.bytes = append(from.Grow(b.bytes, room), data...)
	if b.waiting != nil {
		b.waiting.move(b.bytes)
	}
}
