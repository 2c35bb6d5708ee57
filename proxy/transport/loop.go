package transport

import (
	"context"
	"net"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy/memory"
)

// Loop is one event loop. Everything of it but Post and Enroll is for functions that it
// calls, so nothing is locked.
//
// Whatever an event brings is worked through in memory first; when that is done its owner
// settles what there is to settle, and has what is to be written flushed.
type Loop struct {
	engine *Engine
	events gnet.EventLoop
	failed error // why it is not of use
	poller *poller
	owner  LoopOwner
	pool   *memory.Pool

	depth        int     // of events: closing a connection may bring one at once
	far          int     // a descriptor: the loop reads what is written to it
	awaitsTurn   bool    // something was written to it and not read yet
	dirty, later []*Conn // with something to write; with more than is written in one turn
	large        []byte  // where ReadOn puts what comes at once; nil before it is needed
}

// LoopOwner is told how far the loop is that it owns.
type LoopOwner interface {
	// Settle is called when all that an event has brought has been done. It has to
	// have the loop flushed.
	Settle()
	// EndTurn is called when the loop has looked at all sockets that were readable, if
	// [Loop.AwaitEndOfTurn] asked for it. It has to call [Loop.WriteOn].
	EndTurn()
}

// found is called on the loop with its first connection.
func (l *Loop) found(conn gnet.Conn) {
	l.events = conn.EventLoop()
	l.poller, l.failed = newPoller(l, conn.Fd())
}

// Serve has events told to owner, and buffers taken from pool.
func (l *Loop) Serve(owner LoopOwner, pool *memory.Pool) { l.owner, l.pool = owner, pool }

// Post has fn called on the loop. It may be called from any goroutine. It reports whether
// the loop still runs.
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

// Enroll hands a connection to the loop, on which c stands for it from now on. It waits
// until the loop has it, and may be called from any goroutine but the loop's. It closes conn,
// of which the loop has another descriptor.
func (l *Loop) Enroll(conn net.Conn, c *Conn) error {
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

// AwaitEndOfTurn has EndTurn of the owner called when the loop has looked at all sockets
// that are readable now.
//
// The event loop is told by a byte that becomes readable behind all that is now.
// To have it run something would do as well, but allocates.
func (l *Loop) AwaitEndOfTurn() {
	if l.awaitsTurn {
		return
	}
	l.awaitsTurn = true
	if _, err := unix.Write(l.far, wakeByte[:]); err != nil {
		l.Post(l.turnEnded)
	}
}

var wakeByte [1]byte

// endTurn is called when the byte was read.
func (l *Loop) endTurn() {
	l.enter()
	l.turnEnded()
	l.leave()
}

func (l *Loop) turnEnded() {
	l.awaitsTurn = false
	l.owner.EndTurn()
}

// HasToFlush reports whether there is anything for Flush to do.
func (l *Loop) HasToFlush() bool { return len(l.dirty) > 0 }

// Flush writes what has been sent, as far as the sockets take it.
func (l *Loop) Flush() {
	for i := 0; i < len(l.dirty); i++ { // owners may send more
		l.dirty[i].flush()
	}
	clear(l.dirty)
	l.dirty = l.dirty[:0]
}

// writeLater has c go on writing when others have had their turn.
func (l *Loop) writeLater(c *Conn) {
	c.later = true
	l.later = append(l.later, c)
	l.AwaitEndOfTurn()
}

// WriteOn sends what was more than is written in one turn.
func (l *Loop) WriteOn() {
	later := l.later
	l.later = nil
	for _, c := range later {
		c.later = false
		c.Send()
	}
}

// close ends what the loop has started, after gnet has ended the loop.
func (l *Loop) close() {
	l.poller.close()
	_ = unix.Close(l.far)
}
