package plain

import (
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// A client that asks for a lot, says that it will send no more, and reads slowly
// gets all that it has asked for, as from memcached. One that does the same and
// never reads is not in its way.
func TestHalfClosedSlowReader(t *testing.T) {
	t.Parallel()
	const replies, size = 300, 100_000
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--timeout", "1s", "--drain", "0s")
	value := strings.Repeat("v", size)
	harness.Dial(t, m.Addr).Ask(fmt.Sprintf("set k 0 0 %d\r\n%s\r\n", size, value), "STORED\r\n")

	halfClosed(t, m.Addr, replies)
	slow := halfClosed(t, m.Addr, replies)
	reply := fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", size, value)
	got := make([]byte, len(reply))
	for i := range replies {
		if i < 30 {
			time.Sleep(200 * time.Millisecond) // the reader itself is slow, for six times --timeout: there is nothing to await
		}
		slow.SetReadDeadline(time.Now().Add(harness.Patience))
		if n, err := io.ReadFull(slow, got); err != nil {
			t.Fatalf("of %d replies came %d, then %d bytes and %v", replies, i, n, err)
		}
		if string(got) != reply {
			t.Fatalf("reply %d is not the value that was asked for", i)
		}
	}
	if n, err := slow.Read(got); n > 0 || err != io.EOF {
		t.Errorf("after all replies came %d bytes and %v, expected the end", n, err)
	}
}

// halfClosed connects with a small receive buffer, asks for a key many times and
// ends its side of the connection.
func halfClosed(t *testing.T, addr string, gets int) net.Conn {
	t.Helper()
	small := net.Dialer{Control: func(_, _ string, c syscall.RawConn) (err error) {
		controlErr := c.Control(func(fd uintptr) {
			err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 64<<10)
		})
		if controlErr != nil {
			return controlErr
		}
		return err
	}}
	conn, err := small.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, strings.Repeat("get k\r\n", gets)); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	return conn
}
