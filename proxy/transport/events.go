package transport

import "github.com/panjf2000/gnet/v2"

// events is where gnet's events enter. The context of a connection says what it is: a
// Conn, or the one by which a Loop is woken.
type events struct{ gnet.BuiltinEventEngine }

// OnOpen is called on its loop when a connection has been handed to it.
func (*events) OnOpen(conn gnet.Conn) ([]byte, gnet.Action) {
	switch of := conn.Context().(type) {
	case *Conn:
		of.loop.enter()
		of.conn, of.fd = conn, conn.Fd()
		of.owner.Opened(of)
		of.loop.leave()
	case *Loop:
		of.found(conn)
	}
	return nil, gnet.None
}

// OnTraffic is called when a connection has been read from.
func (*events) OnTraffic(conn gnet.Conn) gnet.Action {
	data, _ := conn.Next(-1) // all of it, so that gnet has nothing to keep
	switch of := conn.Context().(type) {
	case *Conn:
		of.loop.enter()
		of.owner.Read(data)
		of.loop.leave()
	case *Loop:
		of.endTurn()
	}
	return gnet.None
}

// OnClose is called before a connection is closed, whoever closes it.
func (*events) OnClose(conn gnet.Conn, err error) gnet.Action {
	if c, ok := conn.Context().(*Conn); ok && c.conn != nil {
		c.loop.enter()
		c.conn = nil
		c.owner.Closed(err)
		c.loop.leave()
	}
	return gnet.None
}
