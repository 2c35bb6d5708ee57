package proxy

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// Verbs that wait for memory while they keep a part of their answers are answered in time,
// if only with an error, and afterwards the memory is free again.
func TestReadsOfManySetsAreAnswered(t *testing.T) {
	const clients, sets, members = 12, 48, 14_000
	s := newServer(1, setOf(t, members))
	s.shared.Config.Pools[0].Timeout, s.shared.Budget.Limit = 300*time.Millisecond, 16<<20
	start(t, s)
	var keys strings.Builder
	for n := range sets {
		fmt.Fprintf(&keys, " k%d", n)
	}
	answered := make(chan error, clients)
	for range clients {
		conn := dialServer(t, s)
		go func() {
			_ = conn.SetReadDeadline(time.Now().Add(patience))
			_, err := io.WriteString(conn, "smembers"+keys.String()+"\r\n")
			in := bufio.NewReader(conn)
			for line := ""; err == nil && line != "END\r\n" && !strings.HasPrefix(line, "SERVER_ERROR"); {
				line, err = in.ReadString('\n')
			}
			answered <- err
		}()
	}
	for range clients {
		if err := <-answered; err != nil {
			t.Error(err)
		}
	}
	exchange(t, dialServer(t, s), "scard k\r\n", fmt.Sprintf("%d\r\n", members))
}
