package proxy

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// input is what a client has sent, as far as it was not carried out.
//
//	arriving ──the client has closed its side──▶ ended ───┐
//	    └──the client leaves───────────────────────────▶ ignored
//
// When a request has to wait, all later input waits too. An incomplete request at the end is dropped when
// the input has ended.
type input struct {
	state    inputState
	parser   protocol.Parser
	binary   *reply.Packets // nil if the client speaks the text protocol
	multiget multiget       // of the binary protocol

	bytes   []byte   // a buffer of the pool
	offset  int      // in bytes, of what was not carried out
	waiting *waiting // the request there, if one was read that can't be carried out yet
	quiet   bool     // the last request was a quiet meta command

	receipt uint64        // when something was last received, as the loop counts receipts; 0 for never
	idle    time.Duration // how long nothing has been received, or awaited
}

// inputState is a state of an input.
type inputState uint8

const (
	arriving inputState = iota
	ended               // nothing more will be received, but what was received is carried out
	ignored             // nothing is carried out any more
)

// maxInput is how many bytes of a client's input may wait before reading is paused. An
// incomplete request may be longer.
const maxInput = 64 << 10

// end says that nothing more will be received.
func (in *input) end() { in.state = max(in.state, ended) }

// ignore says that nothing is carried out any more.
func (in *input) ignore() { in.state = ignored }

// pending returns how many bytes were not carried out.
func (in *input) pending() int { return len(in.bytes) - in.offset }

// rest returns the bytes that were not carried out.
func (in *input) rest() []byte { return in.bytes[in.offset:] }

// need returns the length of the request being received, in bytes, or 0 while that is unknown.
func (in *input) need() int {
	if in.binary != nil {
		return in.binary.Parser.Need
	}
	return in.parser.Need
}

// keep appends data, with memory of a pool.
func (in *input) keep(data []byte, from *memory.Pool) {
	if in.offset > 0 {
		in.bytes = append(in.bytes[:0], in.rest()...)
		in.offset = 0
	}
	have := len(in.bytes) + len(data)
	// An announced length allocates memory only as the data arrives.
	room := max(len(data), min(in.need(), 8*have)-len(in.bytes))
	in.bytes = append(from.Grow(in.bytes, room), data...)
	if in.waiting != nil {
		in.waiting.move(in.bytes)
	}
}

// giveUp refuses the request whose start is there, see [protocol.Parser.GiveUp].
func (in *input) giveUp(req *protocol.Request) (n int, ok bool) {
	if in.binary != nil {
		return in.binary.GiveUp(in.rest(), req)
	}
	return in.parser.GiveUp(in.rest(), req)
}

// inBatch reports whether the last request was a quiet one, of a batch whose end has not come. The
// client awaits the answer to that end, such as a noop's, to know which of the batch have none.
func (in *input) inBatch() bool {
	return in.quiet || in.binary != nil && in.binary.Next.Quiet()
}

// Read implements [transport.Owner]. data is what the client has sent.
func (c *client) Read(data []byte) {
	in := &c.input
	c.loop.stats[status.Received] += uint64(len(data))
	c.loop.clients.receipt++
	in.receipt, in.idle, c.pace.effort = c.loop.clients.receipt, 0, 0
	switch {
	case in.state == ignored:
		return
	case len(in.bytes) == 0 && !c.blocked():
		n := c.work(data, lateTurn)
		if n < len(data) && in.state != ignored {
			in.keep(data[n:], &c.loop.buffers)
			if c.readOn() {
				c.Proceed()
			}
		}
		if c.ending() {
			c.loop.wake(c)
		}
	default:
		in.keep(data, &c.loop.buffers)
		c.readOn()
		c.Proceed()
	}
	if c.blocked() && (c.departure.finishesSoon() || in.pending() > maxInput) {
		c.conn.Pause()
	}
}

// readOn reads more of a large request directly into the buffer with its start, and
// reports whether the request is complete.
func (c *client) readOn() bool {
	in := &c.input
	have, need := len(in.bytes), in.need()
	if c.blocked() || need < upstream.Large || have >= need {
		return false
	}
	n := c.conn.Read(in.bytes[have:min(need, cap(in.bytes))])
	c.loop.stats[status.Received] += uint64(n)
	in.bytes = in.bytes[:have+n]
	return len(in.bytes) == need
}

// forgetInput frees the input and the waiting request.
func (c *client) forgetInput() {
	c.loop.buffers.Put(c.input.bytes)
	c.input.bytes, c.input.offset = nil, 0
	c.forgetWaiting()
}

// forgetWaiting frees the waiting request, if there is one.
func (c *client) forgetWaiting() {
	if c.input.waiting != nil {
		c.input.waiting = nil
		c.loop.account.Give(waitingSize)
	}
}
