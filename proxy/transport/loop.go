package transport

import (
	"context"
	"sync/atomic"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// Loop is one event loop. All methods except Post and Enroll must be called on the
// loop, so nothing is locked.
//
// An event is first handled in memory, which only fills outputs. Then the loop calls
// [LoopOwner.EndCallback], where the owner finishes its work and flushes the outputs.
type Loop struct {
	epolls  *epolls      // of the engine
	stopped *atomic.Bool // nothing may run on the engine's loops any more
	events  gnet.EventLoop
	failed  error // why the loop can't be used
	poller  *poller
	owner   LoopOwner
	buffers *Buffers

	depth      int           // of nested events: closing a connection may cause one at once
	far        int           // descriptor that makes another one readable, which the loop reads, to wake it
	awaitsTurn bool          // far was written to, and the loop has not read that yet
	due        []*Conn       // with output to write now
	later      []*Conn       // with output to write at the end of the turn; some may have none any more
	free       []*Conn       // for reuse as later
	full       map[int]*Conn // whose sockets accept no more output now, by descriptor
	large      []byte        // the buffer of ReadOn; nil until it is needed
	pipe       pipe
	plain      []byte // plaintext of TLS that was received; nil until it is needed
	joined     []byte // plaintext of TLS to be sealed
}

// LoopOwner is notified of the progress of its loop.
type LoopOwner interface {
	// EndCallback is called at the end of every event. It must call [Loop.Flush].
	EndCallback()
	// EndTurn is called after the loop has read all readable sockets, if
	// [Loop.AwaitEndOfTurn] has asked for it. It must call [Loop.WriteOn].
	EndTurn()
}

// Serve sets the owner of the loop and its buffers.
func (l *Loop) Serve(owner LoopOwner, buffers *Buffers) { l.owner, l.buffers = owner, buffers }

// Post calls fn on the loop, later. It may be called from any goroutine. It returns false
// if the loop has ended; then fn is not called.
func (l *Loop) Post(fn func()) bool {
	if l.stopped.Load() {
		return false
	}
	err := l.events.Execute(context.Background(), gnet.RunnableFunc(func(context.Context) error {
		l.enter()
		fn()
		l.leave()
		return nil
	}))
	return err == nil
}

// enter begins every event.
func (l *Loop) enter() { l.depth++ }

// leave ends every event.
func (l *Loop) leave() {
	if l.depth == 1 {
		l.owner.EndCallback()
	}
	l.depth--
}

// AwaitEndOfTurn asks for a call of [LoopOwner.EndTurn] when the loop has read all
// sockets that are readable now.
//
// It makes a descriptor of the loop readable, which epoll reports after those that are
// readable now. Posting a function would do the same, but allocates.
func (l *Loop) AwaitEndOfTurn() {
	if l.awaitsTurn {
		return
	}
	l.awaitsTurn = true
	if _, err := unix.Write(l.far, one[:]); err != nil {
		l.Post(l.turnEnded)
	}
}

// one is what wakes a loop: any bytes would do for a socket, but an event counter takes a number.
var one = [8]byte{1}

// endTurn is called when the loop has read that descriptor.
func (l *Loop) endTurn() {
	l.enter()
	l.turnEnded()
	l.leave()
}

func (l *Loop) turnEnded() {
	l.awaitsTurn = false
	l.owner.EndTurn()
}

// HasToFlush reports whether Flush has work to do.
func (l *Loop) HasToFlush() bool { return len(l.due) > 0 }

// close releases the loop's resources after gnet has ended the loop.
func (l *Loop) close() {
	l.poller.close()
	l.pipe.close()
	_ = unix.Close(l.far)
}
