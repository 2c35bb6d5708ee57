package proxy

// ownBuffer is the size, in bytes, from which a message is queued as it is
// instead of being copied behind others.
const ownBuffer = 16 << 10

// outputBuffer is the least size of a buffer that messages are copied to.
const outputBuffer = 4 << 10

// output is what is to be written to a socket, in order.
type output struct {
	pool  *pool
	parts [][]byte // each a buffer of the pool
	sent  int      // bytes of parts[0] that have been written
	size  int      // bytes to be written
}

// memory returns how many bytes are kept.
func (o *output) memory() (n int) {
	for _, part := range o.parts {
		n += cap(part)
	}
	return n
}

// room returns a buffer with room for n bytes at the end of the queue, to be
// given back by extend.
func (o *output) room(n int) []byte {
	if last := len(o.parts) - 1; last >= 0 {
		if b := o.parts[last]; cap(b)-len(b) >= n {
			return b
		}
	}
	o.parts = append(o.parts, o.pool.get(max(n, outputBuffer)))
	return o.parts[len(o.parts)-1]
}

// extend takes back the buffer that room returned, with something appended to
// it within its capacity.
func (o *output) extend(b []byte) {
	last := len(o.parts) - 1
	o.size += len(b) - len(o.parts[last])
	o.parts[last] = b
}

// write queues a copy of p.
func (o *output) write(p []byte) {
	if len(p) == 0 {
		return
	}
	o.extend(append(o.room(len(p)), p...))
}

// own queues p itself, a buffer of the pool that belongs to the output from
// now on.
func (o *output) own(p []byte) {
	if len(p) == 0 {
		o.pool.put(p)
		return
	}
	o.parts = append(o.parts, p)
	o.size += len(p)
}

// advance drops the first n bytes, which have been written.
func (o *output) advance(n int) {
	o.size -= n
	n += o.sent
	done := 0
	for done < len(o.parts) && n >= len(o.parts[done]) {
		n -= len(o.parts[done])
		o.pool.put(o.parts[done])
		o.parts[done] = nil
		done++
	}
	o.sent = n
	if done == len(o.parts) {
		o.parts = o.parts[:0]
		return
	}
	o.parts = append(o.parts[:0], o.parts[done:]...)
}

// drop forgets everything.
func (o *output) drop() {
	o.advance(o.size)
	o.parts = nil
}
