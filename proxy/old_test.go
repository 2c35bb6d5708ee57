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
}

// No verb changes anything there, even if it would begin with a command that an old memcached knows,
// as a lock that was taken could not be released.
func TestVerbsAreRefusedOverOldUpstreams(t *testing.T) {
	s := startServer(t, 1, oldUpstream(t))
	for _, request := range []string{"smembers k", "sadd k a", "rpush k a", "lock k a 30", "taskput k a 0 0 1\r\nx", "hset k f 0 0 1\r\nx"} {
		conn := dialServer(t, s)
		if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 300)
		n, err := conn.Read(got)
		if err != nil || !strings.HasPrefix(string(got[:n]), "SERVER_ERROR upstream ") || !strings.Contains(string(got[:n]), "verbs need 1.6.0") {
			t.Errorf("%q was answered by %q (%v)", request, got[:n], err)
		}
	}
}

// Counters are made by a command that memcached has since 1.6.10.
func TestLimitsAreRefusedOverUpstreamsThatCannotCount(t *testing.T) {
	s := startServer(t, 1, fakeUpstream(t, "1.6.9", []byte("END\r\n")))
	conn := dialServer(t, s)
	if _, err := io.WriteString(conn, "limit k 5 60\r\n"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 300)
	n, err := conn.Read(got)
	if err != nil || !strings.HasPrefix(string(got[:n]), "SERVER_ERROR upstream ") || !strings.Contains(string(got[:n]), "limits need 1.6.10") {
		t.Errorf("answered by %q (%v)", got[:n], err)
	}
}
