package front

import (
	"strconv"
	"testing"
	"unsafe"

	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Something is outstanding for a client that awaits a reply, or the rest of one, or whose request waits,
// and for no other.
func TestOutstanding(t *testing.T) {
	t.Parallel()
	for i := range 16 {
		awaits, unwritten, received, waits := i&1 > 0, i&2 > 0, i&4 > 0, i&8 > 0
		c := &Client{}
		c.replies.Common = &reply.Common{}
		c.conn.Out = transport.Output{Buffers: &transport.Buffers{}}
		if awaits {
			c.replies.Reserve(0, nil)
		}
		if unwritten {
			c.conn.Out.Write([]byte("STORED\r\n"))
		}
		if received {
			c.input.backlog = &backlog{bytes: []byte("get k\r\n")}
		}
		if waits {
			c.block()
		}
		if expected := awaits || unwritten || received && waits; c.outstanding() != expected {
			t.Errorf("awaits a reply: %t, has one unwritten: %t, has sent a request: %t, which waits: %t: outstanding: %t", awaits, unwritten, received, waits, !expected)
		}
	}
}

// A client has no more bytes than the size that Go allocates for it, of the sizes in steps that Go has. With one more it
// would take the next step, which thousands of connections would show.
func TestClientFitsItsAllocation(t *testing.T) {
	t.Parallel()
	if strconv.IntSize < 64 {
		t.Skip("pointers take less here")
	}
	const allocated = 384
	if size := unsafe.Sizeof(Client{}); size > allocated {
		t.Errorf("a client has %d bytes, more than %d", size, allocated)
	}
}
