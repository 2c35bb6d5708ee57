package transport

import (
	"cmp"

	"github.com/panjf2000/gnet/v2"
)

// events receives gnet's events. The context of a gnet connection is its Conn, or a
// Loop if the connection serves to wake that loop.
type events struct{ gnet.BuiltinEventEngine }

// OnOpen is called on the loop when it has enrolled a connection.
func (*events) OnOpen(conn gnet.Conn) ([]byte, gnet.Action) {
	switch of := conn.Context().(type) {
	case *Conn:
		of.loop.enter()
		of.opened(conn)
		of.owner.Opened(of)
		closes := of.secure != nil && of.receives() && of.secure.receive(of, nil) // plaintext may have come with the handshake
		of.loop.leave()
		if closes {
			return nil, gnet.Close
		}
	case *Loop:
		of.found(conn)
	}
	return nil, gnet.None
}

// OnTraffic is called when data was read from a connection.
func (*events) OnTraffic(conn gnet.Conn) gnet.Action {
	data, _ := conn.Next(-1) // everything, so that gnet keeps nothing
	switch of := conn.Context().(type) {
	case *Conn:
		of.loop.enter()
		closes := of.receive(data)
		of.loop.leave()
		if closes {
			return gnet.Close
		}
	case *Loop:
		of.endTurn()
	}
	return gnet.None
}

// OnClose is called before a connection is closed, whoever closes it.
func (*events) OnClose(conn gnet.Conn, err error) gnet.Action {
	if c, ok := conn.Context().(*Conn); ok && c.Attached() {
		c.loop.enter()
		c.released()
		err = cmp.Or(c.loop.cause, err)
		if s := c.secure; s != nil {
			err = cmp.Or(s.reason, err)
		}
		c.owner.Closed(err)
		c.loop.leave()
	}
	return gnet.None
}
