package transport

import (
	"context"

	"github.com/panjf2000/gnet/v2"
)

// Loop is one event loop. All methods except Post and Enroll must be called on the
// loop, so nothing is locked.
//
// An event is first handled in memory, which only fills outputs. Then the loop calls
// [LoopOwner.EndCallback], where the owner finishes its work and flushes the outputs.
type Loop struct {
	handover
	yielding
	epolls  *epolls // of the engine
	events  gnet.EventLoop
	failed  error // why the loop can't be used
	poller  *poller
	owner   LoopOwner
	buffers *Buffers

	depth    int           // of nested events: closing a connection may cause one at once
	turn     turn          // how far the loop is in its turn
	asked    bool          // AwaitEndOfTurn was called in this turn
	sockets  sockets       // that gnet has
	cause    error         // why the socket is closed that is being closed; nil if gnet knows
	due      []*Conn       // with output to write now
	gathered []*Conn       // that gather output, at most mostGathered; some may have none any more
	later    []*Conn       // with output to write at the end of the turn; some may have none any more
	free     []*Conn       // for reuse as later
	full     map[int]*Conn // whose sockets accept no more output now, by descriptor
	received []byte        // what was read from a socket; nil until it is needed
	large    []byte        // the buffer of ReadOn; nil until it is needed
	pipe     pipe
	plain    []byte // plaintext of TLS that was received; nil until it is needed
	joined   []byte // plaintext of TLS to be sealed
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
	l.begins()
	err := l.events.Execute(context.Background(), gnet.RunnableFunc(func(context.Context) error {
		l.taken()
		l.enter()
		fn()
		l.leave()
		return nil
	}))
	if err != nil {
		l.taken()
	}
	l.rouse()
	return err == nil
}

// enter begins every event.
func (l *Loop) enter() { l.depth++ }

// leave ends every event that gnet reports.
func (l *Loop) leave() {
	if l.handled(); l.depth == 0 {
		l.awaitEnd()
	}
}

// handled completes what an event is about.
func (l *Loop) handled() {
	if l.depth == 1 {
		l.owner.EndCallback()
		l.turn = l.turn.begun()
	}
	l.depth--
}

// AwaitEndOfTurn asks for a call of [LoopOwner.EndTurn] when the loop has read all
// sockets that are readable now.
func (l *Loop) AwaitEndOfTurn() { l.turn, l.asked = l.turn.begun(), true }

// awaitEnd makes the loop notice the end of its turn.
//
// It makes a descriptor of the loop readable, which epoll reports after those that are
// readable now. Posting a function would do the same, but allocates.
func (l *Loop) awaitEnd() {
	if next := l.turn.ends(); next != l.turn {
		l.turn = next
		l.wake()
	}
}

// HasToFlush reports whether Flush has work to do.
func (l *Loop) HasToFlush() bool { return len(l.due) > 0 }

// close releases the loop's resources after gnet has ended the loop.
func (l *Loop) close() {
	l.poller.close()
	l.pipe.close()
	l.handover.close()
}
