package proxy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// Requests that wait for memory, and take all of it themselves while they wait, are not
// left waiting: some are refused in time or their clients disconnected, and the others are
// carried out.
func TestLargeArgumentsDoNotWaitForEver(t *testing.T) {
	const clients, size = 28, 250_000
	ready := make(chan error)
	close(ready)
	s := newServer(1, lateUpstream(t, "only", ready))
	s.shared.Config.Pools[0].Timeout, s.shared.Budget.Limit = 300*time.Millisecond, 8<<20
	start(t, s)
	answers := make(chan string, clients)
	for n := range clients {
		conn := dialServer(t, s)
		go func() {
			_, _ = io.WriteString(conn, fmt.Sprintf("sadd k%d %s\r\nmn\r\n", n, strings.Repeat("member123 ", size/10)))
			_ = conn.SetReadDeadline(time.Now().Add(patience))
			in := bufio.NewReader(conn)
			answer, err := in.ReadString('\n')
			next := ""
			if err == nil {
				next, err = in.ReadString('\n')
			}
			switch {
			case errors.Is(err, os.ErrDeadlineExceeded):
				answer = fmt.Sprintf("%q and then nothing", answer)
			case err != nil: // disconnected, as memory was short
				answer = "SERVER_ERROR "
			case next != "MN\r\n":
				answer = fmt.Sprintf("%q and then %q", answer, next)
			}
			answers <- answer
		}()
	}
	stored := 0
	for range clients {
		switch answer := <-answers; {
		case answer == "STORED\r\n":
			stored++
		case !strings.HasPrefix(answer, "SERVER_ERROR "):
			t.Errorf("a client was answered %s", answer)
		}
	}
	if stored == 0 {
		t.Error("nothing was stored")
	}
	exchange(t, dialServer(t, s), "sadd small "+strings.Repeat("member ", 1000)+"\r\n", "STORED\r\n")
}
