package operation

import (
	"errors"
	"net"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What a client has asked for without wanting a reply is carried out, also if memverbs is told to
// end meanwhile and the client has gone.
func TestStopAwaitsWhatHasNoReply(t *testing.T) {
	t.Parallel()
	slow := harness.StartMemcached(t, harness.Versions[0])
	m := harness.StartMemverbs(t, "--upstream", slow.Addr, "--timeout", "10s", "--drain", "15s")
	c := harness.Dial(t, m.Addr)
	c.Ask("get nothing\r\n", "END\r\n") // so memverbs has reached the server; until then it would go on listening
	slow.Freeze(t)
	c.Send("hset table row 0 0 5 noreply\r\nvalue\r\n")
	harness.Await(t, "the request to be sent on", func() bool { return m.Pending(t) >= 1 })
	c.Close()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		m.Stop(t)
	}()
	harness.Await(t, "memverbs to stop listening", func() bool {
		conn, err := net.Dial("tcp", m.Addr)
		if err == nil {
			conn.Close()
		}
		return errors.Is(err, syscall.ECONNREFUSED)
	})
	slow.Thaw(t)
	<-stopped
	other := harness.StartMemverbs(t, "--upstream", slow.Addr)
	harness.Dial(t, other.Addr).Ask("hget table row\r\n", "VALUE row 0 5\r\nvalue\r\nEND\r\n")
}
