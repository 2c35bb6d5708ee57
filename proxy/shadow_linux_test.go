package proxy

import (
	"net"
	"testing"

	"github.com/memverbs/memverbs/proxy/upstream"
)

// A large value is found, even if only the end of its reply is still to come when all of it has been passed on.
func TestShadowOfALargeValue(t *testing.T) {
	t.Parallel()
	const size = 2 * upstream.Large
	reply := valueOf("k", size, false)
	up := playedUpstream(t, "unix", func(conn net.Conn, _ []string) {
		writePieces(t, conn, reply, upstream.Large, len(reply)-len("END\r\n"))
	})
	s := startShadowed(t, newShadowed(up, up))
	exchange(t, dialServer(t, s), "get k\r\n", reply)
	await(t, "the get to be compared", func() bool {
		return shadowCounts(s, 1) == [...]uint64{1, 0, 0, 1, 0, 0, 0}
	})
}
