package proxy

import (
	"io"
	"strings"
	"testing"
)

// A memcached without meta commands would parse the data block of one as commands, and
// its replies would reach other clients.
func TestMetaCommandsAreNotSentToOldUpstreams(t *testing.T) {
	s := startServer(t, 1, oldUpstream(t))
	conn := dialServer(t, s)
	exchange(t, conn, "get a\r\nms a 5\r\nget b\r\nmg a v\r\nget a\r\n", "END\r\nERROR\r\nERROR\r\nEND\r\n")
	const expected = "SERVER_ERROR upstream "
	if _, err := io.WriteString(conn, "smembers k\r\n"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 300)
	n, err := conn.Read(got)
	if err != nil || !strings.HasPrefix(string(got[:n]), expected) || !strings.Contains(string(got[:n]), "verbs need 1.6.0") {
		t.Fatalf("smembers was answered by %q (%v)", got[:n], err)
	}
}
