package proxy

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A client that has stopped sending and reads slowly gets all its replies, even if that
// takes longer than its first deadline.
func TestHalfClosedSlowReader(t *testing.T) {
	value := "VALUE key:12345 0 100000\r\n" + strings.Repeat("v", 100000) + "\r\nEND\r\n"
	s := newServer(1, cannedUpstream(t, []byte(value)))
	s.shared.Config.Pools[0].Timeout, s.shared.Config.Drain = 250*time.Millisecond, 250*time.Millisecond
	start(t, s)
	conn := dialServer(t, s)
	const n = 400
	if _, err := io.WriteString(conn, strings.Repeat("get key:12345\r\n", n)); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	pace := time.NewTicker(5 * time.Millisecond)
	defer pace.Stop()
	got, part := 0, make([]byte, 256<<10)
	for {
		<-pace.C
		read, err := conn.Read(part)
		if got += read; err != nil {
			break
		}
	}
	if got != n*len(value) {
		t.Fatalf("%d of %d bytes came", got, n*len(value))
	}
}
