package upstream

// Position is a place in the bytes that a connection is sent, in bytes modulo 2³².
type Position uint32

// Before reports whether p is before q.
func (p Position) Before(q Position) bool { return int32(p-q) < 0 }

// Written returns up to where the output has been written.
func (c *Connection) Written() Position { return Position(c.written) }

// Next returns where the request begins that is pushed next.
func (c *Connection) Next() Position { return c.Written() + Position(c.conn.Out.Size()) }
