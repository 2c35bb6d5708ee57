package proxy

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"
)

// A client that has stopped sending and reads nothing of its replies is closed after a
// while.
func TestLeavingClientThatNeverReads(t *testing.T) {
	t.Parallel()
	value := bytes.Repeat([]byte("v"), 100_000)
	s := newServer(1, cannedUpstream(t, append(append([]byte("VALUE k 0 100000\r\n"), value...), "\r\nEND\r\n"...)))
	s.shared.Config.Pools[0].Timeout, s.shared.Pauses.Unmoved = 100*time.Millisecond, 100*time.Millisecond
	start(t, s)
	conn := dialServer(t, s)
	await(t, "the client to be accepted", func() bool { return s.shared.Clients.Load() == 1 })
	if _, err := conn.Write(bytes.Repeat([]byte("get k\r\n"), 300)); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	await(t, "the client to be closed", func() bool { return s.shared.Clients.Load() == 0 })
	if n, _ := io.Copy(io.Discard, conn); n >= 300*int64(len(value)) {
		t.Errorf("it was closed after it got everything, %d bytes", n)
	}
}
