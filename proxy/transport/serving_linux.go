package transport

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A loop reads its sockets by itself, turn after turn, as long as nothing else happens. A turn then takes three system calls fewer than
// one for which the loop goes back to gnet, and each socket costs less. Where many clients ask little, that saves a fifteenth of the
// processor time.

// serveSockets handles the events of sockets, after waiting for some if it may. It reports whether it may go on with that. Otherwise
// gnet has to do something.
func (l *Loop) serveSockets(wait bool) (goesOn bool) {
	events, err := l.poller.ready(wait)
	l.goesOn()
	goesOn = wait && err == nil
	for i := range events {
		event := &events[i]
		switch c := l.sockets.at(int(event.Fd)); {
		case c != nil:
			l.read(c, event.Events)
		case l.poller.reportsWritable(event):
			l.sendOn()
		case l.poller.isGnets(event):
			l.poller.giveBack()
			goesOn = false
		case l.poller.wakes(event):
			goesOn = false
			l.turn = l.turn.begun() // so that gnet calls endTurn: epoll does not report that event again
		} // else the socket was closed in this turn
	}
	if !goesOn {
		l.awaitEnd()
	}
	return goesOn
}

// read reads a socket for which epoll has reported these events, as gnet would do it.
func (l *Loop) read(c *Conn, events uint32) {
	l.enter()
	defer l.handled()
	if events&(unix.EPOLLIN|unix.EPOLLPRI) == 0 {
		l.hangUp(c, io.EOF) // reading is paused
		return
	}
	if l.received == nil {
		l.received = make([]byte, ReadSize)
	}
	switch n, err := l.poller.read(c.fd, l.received); {
	case n > 0:
		if c.receive(l.received[:n]) {
			l.hangUp(c, nil)
		}
	case err == nil:
		l.hangUp(c, io.EOF)
	case !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR):
		l.hangUp(c, os.NewSyscallError("read", err))
	}
}

// hangUp has gnet close a socket.
func (l *Loop) hangUp(c *Conn, cause error) {
	l.cause = cause
	_ = l.events.Close(c.conn)
	l.cause = nil
}

// sendOn continues to write to the sockets that accept more again.
func (l *Loop) sendOn() {
	l.enter()
	for _, event := range l.poller.writable() {
		if c := l.full[int(event.Fd)]; c != nil {
			delete(l.full, c.fd)
			c.writable()
		}
	}
	l.handled()
}
