package transport

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// handover lets a loop wait by itself without missing what gnet is handed for it by other goroutines. gnet writes to its own event
// counter for the first of several functions only. The loop may have taken that event, and wait before gnet has called them:
//
//	another goroutine                 the loop
//	hands over T, counted
//	                                  calls T, which it has noticed by an earlier event
//	gnet writes to its counter
//	                                  epoll reports that, and the end of a turn
//	                                  at the end of the turn, nothing is handed over: it is about to wait
//	hands over U, counted; gnet
//	does not write again
//
// Whoever has handed over something thus looks afterwards whether the loop waits, and wakes it. The loop says first that
// it waits, and looks then whether something was handed over, so that one of the two notices the other.
type handover struct {
	handed  atomic.Int32 // functions and sockets that gnet may not have taken yet
	waits   atomic.Bool  // the loop waits, or is about to
	stopped *atomic.Bool // nothing may run on the engine's loops any more

	far    int        // descriptor: what is written to it makes gnet call endTurn
	mutex  sync.Mutex // of closed, held while others than the loop write to far
	closed bool
}

// one is what wakes a loop: any bytes would do for a socket, but an event counter takes a number.
var one = [8]byte{1}

// wake makes gnet call endTurn, after the sockets that are readable now. Only the loop may call it.
func (h *handover) wake() { _, _ = unix.Write(h.far, one[:]) } // it has room: what was written before was read, or added up in a counter

// begins is called before gnet is handed something.
func (h *handover) begins() { h.handed.Add(1) }

// taken is called when gnet has taken it, or refused it.
func (h *handover) taken() { h.handed.Add(-1) }

// rouse wakes the loop if it waits. It is called after begins, or when gnet is to be stopped.
func (h *handover) rouse() {
	if !h.waits.Load() {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !h.closed {
		h.wake()
	}
}

// idle reports whether gnet has nothing to do but to ask epoll.
func (h *handover) idle() bool { return h.handed.Load() == 0 && !h.stopped.Load() }

// mayWait says that the loop is about to wait, and reports whether it may. Afterwards, in either case, it calls goesOn.
func (h *handover) mayWait() bool {
	h.waits.Store(true)
	return h.idle()
}

// goesOn says that the loop does not wait any more.
func (h *handover) goesOn() { h.waits.Store(false) }

// close closes the descriptor, after the loop has ended.
func (h *handover) close() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.closed = true
	_ = unix.Close(h.far)
}
