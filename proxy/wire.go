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
	owner   writer
	dirty   bool // in the loop's list of wires to be flushed
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
	if w.out.size > 0 && !w.dirty && !w.full && !w.ended {
		w.dirty = true
		w.loop.dirty = append(w.loop.dirty, w)
	}
}

// flush writes as much of the output as the socket takes.
func (w *wire) flush() {
	w.dirty = false
	for w.out.size > 0 && !w.ended && !w.full {
		n, err := w.write()
		switch {
		case err == nil:
			w.out.advance(n)
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

// write makes one attempt to write the output.
func (w *wire) write() (int, error) {
	if len(w.out.parts) == 1 {
		return w.loop.flow.write(w, w.out.parts[0][w.out.sent:])
	}
	var parts [maxParts][]byte
	n := copy(parts[:], w.out.parts)
	parts[0] = parts[0][w.out.sent:]
	return w.loop.flow.writev(w, parts[:n])
}

// writable is called when the socket takes more again.
func (w *wire) writable() {
	w.full = false
	w.send()
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
