package proxy

import (
	"errors"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// wire is the socket side of a connection, to a client or to an upstream.
//
// gnet reads whether or not anyone consumes the bytes, and buffers what can't
// be written without bound. A wire does neither: it writes to the descriptor
// itself and keeps what does not fit in its output, where it is counted, and
// it can pause reading, so that a peer is slowed down by TCP.
type wire struct {
	loop    *loop
	conn    gnet.Conn // nil once gnet has closed it
	fd      int
	out     output
	written *uint64 // counts the bytes, if not nil
	turn    int     // how much of out is written in one turn of the event loop, in bytes
	owner   writer
	dirty   bool // in the loop's list of wires to be flushed
	later   bool // it goes on being flushed when others have had their turn
	full    bool // the socket takes no more; the loop is told when it does
	watched bool // the flow has polled it for writability
	paused  bool // reading is paused
	ended   bool // nothing is to be written or read any more
}

// writer is told about a wire that it owns.
type writer interface {
	// drained is called after something has been written.
	drained()
	// broken is called once, when writing fails.
	broken(err error)
}

// send asks for the output to be written when the current callback ends.
func (w *wire) send() {
	if w.out.size > 0 && !w.dirty && !w.later && !w.full && !w.ended {
		w.dirty = true
		w.loop.dirty = append(w.loop.dirty, w)
	}
}

// How much of its output is written to a socket in one turn of the event loop, in
// bytes. To one that is read from as fast, writing could go on for long, and many
// clients may read at the same time. Upstreams are few, and each piece of a large value
// has its upstream woken: written 128 kB at a time, sets of 500 kB cost memverbs 1.5
// times and memcached 1.3 times as much processor time.
const (
	clientTurn   = 128 << 10
	upstreamTurn = 1 << 20
)

// flush writes as much of the output as the socket takes, or as its turn allows.
func (w *wire) flush() {
	w.dirty = false
	written := 0
	for w.out.size > 0 && !w.ended && !w.full {
		if written >= w.turn {
			w.loop.turns.write(w)
			break
		}
		n, err := w.write(nil)
		switch {
		case err == nil:
			w.out.advance(n)
			written += n
			if w.written != nil {
				*w.written += uint64(n)
			}
		case errors.Is(err, unix.EAGAIN):
			w.full = true
			w.loop.flow.awaitWritable(w)
		case errors.Is(err, unix.EINTR):
		default:
			w.fail(err)
			return
		}
	}
	if !w.ended {
		w.owner.drained()
	}
}

// fail gives up writing.
func (w *wire) fail(err error) {
	w.ended = true
	w.out.drop()
	w.owner.broken(err)
}

// maxParts is how many buffers one system call writes.
const maxParts = 64

// write makes one attempt to write the output, and more behind it.
func (w *wire) write(more []byte) (int, error) {
	switch {
	case len(w.out.parts) == 0:
		return w.loop.flow.write(w, more)
	case len(w.out.parts) == 1 && len(more) == 0:
		rest := w.out.parts[0].rest()
		return w.loop.flow.write(w, rest[:min(len(rest), w.turn)])
	}
	var parts [maxParts][]byte
	n, size := 0, 0
	for ; n < min(maxParts, len(w.out.parts)) && size < w.turn; n++ {
		rest := w.out.parts[n].rest()
		parts[n] = rest[:min(len(rest), w.turn-size)]
		size += len(parts[n])
	}
	if len(more) > 0 && size == w.out.size && n < maxParts {
		parts[n] = more
		n++
	}
	return w.loop.flow.writev(w, parts[:n])
}

// pass writes p behind the output at once, without copying it, and queues a copy
// of what the socket does not take.
func (w *wire) pass(p []byte) {
	if !w.full && !w.ended {
		n, _ := w.write(p) // what goes wrong goes wrong again when the rest is written
		n = max(n, 0)
		*w.written += uint64(n)
		queued := min(n, w.out.size)
		w.out.advance(queued)
		p = p[n-queued:]
	}
	w.out.write(p)
	w.send()
}

// writable is called when the socket takes more again.
func (w *wire) writable() {
	w.full = false
	w.send()
}

// readSize is how much gnet reads at once, in bytes. More is read at once only from
// upstreams, and of a client's large request: other input of a client may have to
// wait, and so much of it would be kept for each client.
const readSize = 64 << 10

// readOn is given what gnet has read from an upstream. If gnet's buffer was too
// small for what there is, readOn reads more behind it, and returns all of it in the
// loop's large buffer. If reading fails, gnet will find that out too.
func (w *wire) readOn(data []byte) []byte {
	if len(data) < readSize {
		return data
	}
	if w.loop.large == nil {
		w.loop.large = make([]byte, largeRead)
	}
	have := copy(w.loop.large, data)
	n, _ := w.loop.flow.read(w, w.loop.large[have:])
	return w.loop.large[:have+max(n, 0)]
}

func (w *wire) pause() {
	if !w.paused && w.conn != nil {
		w.paused = w.loop.flow.pause(w)
	}
}

func (w *wire) resume() {
	if w.paused && w.conn != nil {
		w.loop.flow.resume(w)
	}
	w.paused = false
}
