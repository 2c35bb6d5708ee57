//go:build linux

package load

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// serve does what can be done on a connection.
func (w *worker) serve(index int) error {
	c := &w.conns[index]
	if err := c.send(); err != nil {
		return err
	}
	for {
		n, err := unix.Read(c.fd, w.buf)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return nil
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return os.NewSyscallError("read", err)
		case n == 0:
			return errClosed
		}
		if err := w.received(index, w.buf[:n]); err != nil {
			return err
		}
		if n < len(w.buf) {
			return nil // there was no more; the edge will tell
		}
	}
}

// received takes bytes that were read from a connection.
func (w *worker) received(index int, p []byte) error {
	s := w.conns[index].secure
	if s == nil {
		return w.take(index, p)
	}
	s.feed(p)
	for {
		n, err := s.open(w.plain)
		if n == 0 || err != nil {
			return err
		}
		if err := w.take(index, w.plain[:n]); err != nil {
			return err
		}
	}
}

// take takes a piece of a reply.
func (w *worker) take(index int, p []byte) error {
	c := &w.conns[index]
	if err := c.Batch.take(p); err != nil || !c.answered() {
		return err
	}
	return w.done(index)
}

// done goes on with a batch that is answered as far as it was sent. If that is all, it
// counts the batch, and in a closed loop sends the next.
func (w *worker) done(index int) error {
	c, now := &w.conns[index], Now()
	if c.goOn() {
		return c.send()
	}
	w.busy--
	counted := now
	if w.schedule != nil {
		counted = c.from
		w.idle.push(index)
	}
	if w.window.has(counted) {
		if err := w.count.answered(&c.Batch, now-c.from); err != nil {
			return err
		}
	}
	if w.schedule != nil || now >= w.window.Until {
		return nil
	}
	return w.next(c, now)
}
