package transport

import "github.com/panjf2000/gnet/v2"

// handle is the socket of a Conn, as gnet and the kernel know it.
type handle struct {
	conn gnet.Conn // nil unless gnet has the connection
	fd   int
}

// maxParts is how many buffers one system call writes at most.
const maxParts = 64
