package limits

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Clients that got small values only, and then ask for hundreds of large ones at once:
// nobody can know that beforehand. Each gets all of them, or is told that there is no
// memory; nobody else is refused anything, and the memory is bounded.
func TestSurprisinglyLargeMultiGets(t *testing.T) {
	for _, upstreams := range []int{1, 2} {
		t.Run(fmt.Sprintf("%d upstreams", upstreams), func(t *testing.T) {
			t.Parallel()
			testSurprise(t, upstreams)
		})
	}
}

func testSurprise(t *testing.T, upstreams int) {
	const clients, keys, size = 6, 200, 1_000_000
	var addrs []string
	for range upstreams {
		addrs = append(addrs, harness.StartMemcached(t, harness.Newest, "-m", "1024").Addr)
	}
	m := harness.StartPlainMemverbs(t, "--upstream", strings.Join(addrs, ","), "--timeout", "20s")
	bystander := harness.Dial(t, m.Addr)
	bystander.Ask("set small 0 0 2\r\nok\r\n", "STORED\r\n")
	request, value := "get", strings.Repeat("v", size)
	length := len("END\r\n")
	for i := range keys {
		bystander.Ask(fmt.Sprintf("set large%d 0 0 %d\r\n%s\r\n", i, size, value), "STORED\r\n")
		request += fmt.Sprintf(" large%d", i)
		length += len(fmt.Sprintf("VALUE large%d 0 %d\r\n\r\n", i, size)) + size
	}
	request += "\r\n"
	const got = "VALUE small 0 2\r\nok\r\nEND\r\n"
	var all sync.WaitGroup
	var served, refused, cutOff atomic.Int64
	for range clients {
		c := harness.Dial(t, m.Addr)
		for range 100 {
			c.Ask("get small\r\n", got)
		}
		all.Go(func() {
			_, _ = io.WriteString(c.Conn(), request+"mn\r\n")
			switch n, last, err := readReply(c); {
			case errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET):
				cutOff.Add(1)
			case err != nil:
				t.Error(err)
			case strings.HasPrefix(last, "SERVER_ERROR out of memory"):
				refused.Add(1)
			case n == length:
				served.Add(1)
			default:
				t.Errorf("%d bytes were answered, which ended with %q, expected %d", n, last, length)
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for waiting := true; waiting; {
		select {
		case <-done:
			waiting = false
		default:
			bystander.Ask("get small none\r\n", got)
		}
	}
	t.Logf("%d clients were served, %d refused, %d cut off", served.Load(), refused.Load(), cutOff.Load())
	if served.Load() == 0 {
		t.Error("no client was served")
	}
	m.CheckBuffers(t, bufferMemory)
}

// readReply reads a reply to a retrieval of large0, large1, and so on, and that to mn. It
// returns how long the first is, and its last line.
func readReply(c *harness.Client) (length int, last string, err error) {
	in, next := bufio.NewReader(c.Conn()), 0
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case err != nil:
			return length, last, err
		case string(line) == "MN\r\n":
			return length, last, nil
		}
		last = string(line)
		length += len(line)
		var key string
		var flags, size int
		if n, _ := fmt.Sscanf(last, "VALUE %s %d %d", &key, &flags, &size); n == 3 {
			if want := fmt.Sprintf("large%d", next); key != want {
				return length, last, fmt.Errorf("%s came, not %s", key, want)
			}
			next++
			skipped, err := in.Discard(size + 2)
			if length += skipped; err != nil {
				return length, last, err
			}
		}
	}
}
