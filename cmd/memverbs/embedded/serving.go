package embedded

import "github.com/memverbs/memverbs/protocol"

// serve answers requests until either side closes the connection. It sends the answers
// when no complete request is left in the input.
func (c *conn) serve() {
	for {
		n, err := c.net.Read(c.in[c.unused:])
		c.unused += n
		open := c.carryOutAll()
		if c.out.Flush() != nil || err != nil || !open {
			return
		}
	}
}

// carryOutAll carries out the complete requests in the input and makes room for more.
// It returns false if the connection should be closed.
func (c *conn) carryOutAll() (open bool) {
	used := 0
	for {
		n, status := c.parser.Next(c.in[used:c.unused], &c.request)
		used += n
		switch {
		case status == protocol.Partial:
			c.makeRoom(used)
			return true
		case status == protocol.Broken:
			c.say(c.request.Refusal)
			return false
		case c.request.Command == protocol.Quit:
			return false
		}
		c.carryOut()
	}
}

// makeRoom drops the first used bytes of the input and makes room to read more. The
// parser bounds how much may remain.
func (c *conn) makeRoom(used int) {
	rest := c.in[used:c.unused]
	size := max(inputSize, c.parser.Need)
	for size <= len(rest) {
		size *= 2
	}
	if size != len(c.in) {
		c.in = make([]byte, size)
	}
	c.unused = copy(c.in, rest)
}
