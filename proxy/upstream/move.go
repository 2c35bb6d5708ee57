package upstream

import "github.com/memverbs/memverbs/proxy/transport"

// The rest of a large value is moved to its client inside the kernel if the client can take it unchanged. With
// values of 500 kB, that takes a tenth less processor time than reading and writing them. Only what has
// been read already is copied.

// moves reports whether data ends within a value whose rest can be moved: then there is no
// point in reading more of it.
func (c *Connection) moves(data []byte) bool {
	if c.reader.lacking(data) < Large {
		return false
	}
	_, to := c.straight()
	return to != nil
}

// straight returns the sink of the reply that is being received, and the connection to which the rest of a
// value in it can be moved; nil if there is none.
func (c *Connection) straight() (Streamer, *transport.Conn) {
	if c.pending.len() == 0 || c.conn.Secured() {
		return nil, nil
	}
	p := c.pending.front()
	sink, ok := p.Sink.(Streamer)
	if !ok {
		return nil, nil
	}
	return sink, sink.Straight(p)
}

// move moves on what has arrived of a value of which only a part was read.
func (c *Connection) move() {
	r := &c.reader
	if !r.stream.value || r.stream.rest < Large {
		return
	}
	if sink, to := c.straight(); to != nil {
		n := c.conn.Move(to, r.stream.rest)
		r.stream.rest -= n
		c.received += n
		sink.Moved(c.pending.front(), n)
	}
}
