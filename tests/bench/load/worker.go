//go:build linux

package load

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a server may take to do what it should do at once. On a busy machine, the first answers about a
// large structure take seconds.
const patience = 30 * time.Second

var errClosed = errors.New("the connection was closed")

// worker makes the load of some connections, in one thread.
type worker struct {
	poll     Poll
	conns    []conn
	idle     queue     // in an open loop, the connections that wait for nothing
	schedule *schedule // of an open loop
	busy     int       // connections that wait for a reply
	pipeline int
	source   Source
	random   *rand.PCG
	buf      []byte
	plain    []byte // what was received, without TLS
	window   Window
	stop     *atomic.Bool
	heard    int64 // when something last came
	count    Count
}

// newWorker opens n connections.
func newWorker(t Target, n, pipeline int, source Source) (*worker, error) {
	w := &worker{
		conns:    make([]conn, 0, n),
		pipeline: pipeline,
		source:   source,
		random:   rand.NewPCG(rand.Uint64(), rand.Uint64()),
		buf:      make([]byte, 256<<10),
		count:    NewCount(),
	}
	if t.TLS != nil {
		w.plain = make([]byte, 16<<10) // a record
	}
	if err := w.poll.Open(); err != nil {
		return nil, err
	}
	for i := range n {
		c, err := newConn(t)
		if err != nil {
			w.close()
			return nil, err
		}
		w.conns = append(w.conns, c)
		if err := w.poll.Add(c.fd, i); err != nil {
			w.close()
			return nil, err
		}
	}
	return w, nil
}

func (w *worker) close() {
	for i := range w.conns {
		unix.Close(w.conns[i].fd)
	}
	w.poll.Close()
}

// run makes the load until the window is over and everything is answered.
func (w *worker) run() error {
	runtime.LockOSThread() // and never unlocks: the thread ends with the goroutine
	if err := errors.Join(wakeOnTime(), w.begin()); err != nil {
		return err
	}
	for !w.finished() && !w.stop.Load() {
		timeout, err := w.sendDue()
		if err != nil {
			return err
		}
		events, err := w.poll.Wait(timeout)
		if err != nil {
			return err
		}
		if err := w.serveAll(events); err != nil {
			return err
		}
	}
	return nil
}

// begin sends the first batches of a closed loop. In an open loop all
// connections are idle at first.
func (w *worker) begin() error {
	w.heard = Now()
	for i := range w.conns {
		if w.schedule != nil {
			w.idle.push(i)
		} else if err := w.next(&w.conns[i], Now()); err != nil {
			return err
		}
	}
	return nil
}

// finished reports whether all is sent and answered.
func (w *worker) finished() bool {
	return w.busy == 0 && (w.schedule == nil || w.schedule.due() >= w.window.Until)
}

// next sends the next batch, whose latency is counted from the time given.
func (w *worker) next(c *conn, from int64) error {
	w.busy++
	c.from = from
	c.reset()
	for range w.pipeline {
		w.source.Next(&c.Batch, w.random)
	}
	return c.send()
}

// serveAll does what there is to do.
func (w *worker) serveAll(events []unix.EpollEvent) error {
	now := Now()
	if len(events) > 0 {
		w.heard = now
	} else if w.busy > 0 && now-w.heard >= int64(patience) {
		return fmt.Errorf("%d connections had no answer in %v", w.busy, patience)
	}
	for _, e := range events {
		if err := w.serve(int(e.Fd)); err != nil {
			return err
		}
	}
	return nil
}
