//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a contestant may take to do what it should do at once.
const patience = 5 * time.Second

// worker makes the load of some connections, in one thread: it waits with
// epoll and reads and writes without buffers or goroutines in between.
type worker struct {
	epoll  int
	conns  []conn
	busy   int // connections that wait for a reply
	buf    []byte
	random *rand.PCG
	window window
	stop   *atomic.Bool

	requests uint64 // answered within the window,
	failed   uint64 // and refused
	took     histogram
}

// window is the time that is measured, on the clock of now.
type window struct{ from, until int64 }

var started = time.Now()

// now is a clock in nanoseconds.
func now() int64 { return int64(time.Since(started)) }

// newWorker opens n connections to the contestant at addr.
func newWorker(addr unix.Sockaddr, n int, d *data) (*worker, error) {
	w := &worker{
		conns:  make([]conn, 0, n),
		buf:    make([]byte, 256<<10),
		random: rand.NewPCG(rand.Uint64(), rand.Uint64()),
	}
	var err error
	if w.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	for i := range n {
		fd, err := connect(addr)
		if err != nil {
			w.close()
			return nil, err
		}
		w.conns = append(w.conns, conn{fd: fd, data: d})
		// Edge-triggered, so that one call serves for good.
		event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLET, Fd: int32(i)}
		if err := unix.EpollCtl(w.epoll, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
			w.close()
			return nil, os.NewSyscallError("epoll_ctl", err)
		}
	}
	return w, nil
}

// connect returns a connected socket that does not block.
func connect(addr unix.Sockaddr) (fd int, err error) {
	fd, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	if err = unix.Connect(fd, addr); err == nil {
		err = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	}
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		unix.Close(fd)
		return -1, os.NewSyscallError("connect", err)
	}
	return fd, nil
}

func (w *worker) close() {
	for i := range w.conns {
		unix.Close(w.conns[i].fd)
	}
	unix.Close(w.epoll)
}

// run makes the load until the window is over and everything is answered.
func (w *worker) run() error {
	w.busy = len(w.conns)
	for i := range w.conns {
		if err := w.next(&w.conns[i], now()); err != nil {
			return err
		}
	}
	events := make([]unix.EpollEvent, 256)
	for w.busy > 0 && !w.stop.Load() {
		n, err := unix.EpollWait(w.epoll, events, int(patience.Milliseconds()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return os.NewSyscallError("epoll_wait", err)
		}
		if n == 0 {
			return fmt.Errorf("%d connections had no answer in %v", w.busy, patience)
		}
		for _, e := range events[:n] {
			if err := w.serve(&w.conns[e.Fd]); err != nil {
				return err
			}
		}
	}
	return nil
}

// next sends the next batch.
func (w *worker) next(c *conn, now int64) error {
	c.ask(w.random)
	c.sent = now
	return w.send(c)
}

// send writes as much as the socket takes.
func (w *worker) send(c *conn) error {
	for len(c.out) > 0 {
		n, err := unix.Write(c.fd, c.out)
		switch {
		case err == nil:
			c.out = c.out[n:]
		case errors.Is(err, unix.EAGAIN):
			return nil
		case !errors.Is(err, unix.EINTR):
			return os.NewSyscallError("write", err)
		}
	}
	return nil
}

// serve does what can be done on a connection.
func (w *worker) serve(c *conn) error {
	if err := w.send(c); err != nil {
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
			return errors.New("the connection was closed")
		}
		if err := c.take(w.buf[:n]); err != nil {
			return err
		}
		if c.answered() {
			if err := w.done(c, now()); err != nil {
				return err
			}
		}
		if n < len(w.buf) {
			return nil // there was no more; the edge will tell
		}
	}
}

// done counts a batch that is answered and sends the next.
func (w *worker) done(c *conn, now int64) error {
	if now >= w.window.until {
		w.busy--
		return nil
	}
	if now >= w.window.from {
		w.requests += uint64(c.data.load.pipeline)
		w.failed += c.failed
		w.took.add(now - c.sent)
	}
	return w.next(c, now)
}
