package transport

import (
	"context"
	"net"

	"github.com/panjf2000/gnet/v2"

	"github.com/memverbs/memverbs/proxy/secure"
)

// found is called on the loop with its first connection.
func (l *Loop) found(conn gnet.Conn) {
	l.events = conn.EventLoop()
	if l.poller, l.failed = newPoller(l.epolls, conn.Fd()); l.failed == nil {
		l.failed = l.poller.lighten(conn.Fd(), l.far)
	}
}

// Enroll passes a connection to the loop, where c represents it. It returns when the loop has
// it, and may be called from any goroutine except the loop's. It closes conn; the loop uses a
// duplicate descriptor. If conn is a [secure.Session], c speaks TLS.
func (l *Loop) Enroll(conn net.Conn, c *Conn) error {
	if s, ok := conn.(*secure.Session); ok {
		c.secureWith(s)
		conn = s.Conn
	}
	l.begins()
	defer l.taken()
	l.rouse() // gnet hands it over from a goroutine of its own; until it is taken, the loop leaves the waiting to gnet
	enrolled, err := l.events.Enroll(gnet.NewContext(context.Background(), c), conn)
	if err != nil {
		_ = conn.Close()
		return err
	}
	return (<-enrolled).Err
}
