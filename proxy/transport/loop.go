package transport

import (
	"context"
	"net"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/secure"
)

// Loop is one event loop. All methods except Post and Enroll must be called on the
// loop, so nothing is locked.
//
// An event is first handled in memory, which only fills outputs. Then the loop calls
// [LoopOwner.Settle], where the owner finishes its work and flushes the outputs.
type Loop struct {
	engine *Engine
	events gnet.EventLoop
	failed error // why the loop can't be used
	poller *poller
	owner  LoopOwner
	pool   *memory.Pool

	depth      int     // of nested events: closing a connection may cause one at once
	far        int     // descriptor that makes another one readable, which the loop reads, to wake it
	awaitsTurn bool    // far was written to, and the loop has not read that yet
	due        []*Conn // with output to write now
	later      []*Conn // with output to write at the end of the turn; some may have none any more
	free       []*Conn // for reuse as later
	large      []byte  // the buffer of ReadOn; nil until it is needed
	pipe       pipe
	plain      []byte // plaintext of TLS that was received; nil until it is needed
	joined     []byte // plaintext of TLS to be sealed
}

// LoopOwner is notified of the progress of its loop.
type LoopOwner interface {
	// Settle is called at the end of every event. It must call [Loop.Flush].
	Settle()
	// EndTurn is called after the loop has read all readable sockets, if
	// [Loop.AwaitEndOfTurn] has asked for it. It must call [Loop.WriteOn].
	EndTurn()
}

// found is called on the loop with its first connection.
func (l *Loop) found(conn gnet.Conn) {
	l.events = conn.EventLoop()
	if l.poller, l.failed = newPoller(l, conn.Fd()); l.failed == nil {
		l.failed = l.poller.lighten(conn.Fd(), l.far)
	}
}

// Serve sets the owner of the loop and the pool for its buffers.
func (l *Loop) Serve(owner LoopOwner, pool *memory.Pool) { l.owner, l.pool = owner, pool }

// Post calls fn on the loop, later. It may be called from any goroutine. It returns false
// if the loop has ended; then fn is not called.
func (l *Loop) Post(fn func()) bool {
	if l.engine.stopped.Load() {
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

// Enroll passes a connection to the loop, where c represents it. It returns when the loop has
// it, and may be called from any goroutine except the loop's. It closes conn; the loop uses a
// duplicate descriptor. If conn is a [secure.Session], c speaks TLS.
func (l *Loop) Enroll(conn net.Conn, c *Conn) error {
	if s, ok := conn.(*secure.Session); ok {
		c.secureWith(s)
		conn = s.Conn
	}
	enrolled, err := l.events.Enroll(gnet.NewContext(context.Background(), c), conn)
	if err != nil {
		_ = conn.Close()
		return err
	}
	return (<-enrolled).Err
}

// enter begins every event.
func (l *Loop) enter() { l.depth++ }

// leave ends every event.
func (l *Loop) leave() {
	if l.depth == 1 {
		l.owner.Settle()
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

// Flush writes the outputs for which Send was called, as far as the sockets accept
// them.
func (l *Loop) Flush() {
	for i := 0; i < len(l.due); i++ { // owners may send more
		l.due[i].flush()
	}
	clear(l.due)
	l.due = l.due[:0]
}

// WriteOn writes the outputs that are to be written at the end of the turn, and continues with those
// that were too long for one turn. The list may contain a Conn that has nothing left to write, or
// one twice.
func (l *Loop) WriteOn() {
	listed := l.later
	l.later = l.free[:0]
	for _, c := range listed {
		if next := c.schedule.turnEnded(); next != c.schedule {
			c.schedule = next
			c.Send()
		}
	}
	clear(listed)
	l.free = listed[:0]
}

// close releases the loop's resources after gnet has ended the loop.
func (l *Loop) close() {
	l.poller.close()
	l.pipe.close()
	_ = unix.Close(l.far)
}
