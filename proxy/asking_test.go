package proxy

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

// Clients that ask for statistics without a pause get all their answers, and others theirs.
func TestStatsInAPipeline(t *testing.T) {
	t.Parallel()
	s := startServer(t, 2, cannedUpstream(t, []byte("END\r\n")))
	const clients, each = 20, 30
	done := make(chan error, clients)
	for range clients {
		conn := dialServer(t, s)
		go func() {
			_, err := io.WriteString(conn, strings.Repeat("stats verbs\r\n", each))
			in := bufio.NewReader(conn)
			for n := 0; n < each && err == nil; {
				var line string
				if line, err = in.ReadString('\n'); line == "END\r\n" {
					n++
				}
			}
			done <- err
		}()
	}
	other := dialServer(t, s)
	for range 200 {
		exchange(t, other, "get k\r\n", "END\r\n")
	}
	for range clients {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
