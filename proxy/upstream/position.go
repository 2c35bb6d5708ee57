package upstream

// Position is an offset in the bytes written to a connection, modulo 2³².
type Position uint32

// Before reports whether p is before q.
func (p Position) Before(q Position) bool { return int32(p-q) < 0 }

// Written returns the position up to which the output has been written.
func (c *Connection) Written() Position { return Position(c.written) }

// Next returns the position at the end of the output.
func (c *Connection) Next() Position { return c.Written() + Position(c.conn.Out.Size()) }
