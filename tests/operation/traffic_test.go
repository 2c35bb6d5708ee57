package operation

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/tests/harness"
)

// traffic is some clients that set and get keys of their own without pause,
// one request at a time, and look closely at every answer: a value has to
// carry its key, and an error has to name the upstream that owns the key. It
// counts by upstream.
type traffic struct {
	t         testing.TB
	addr      string
	upstreams []string
	layout    sharding.Layout
	served    []atomic.Int64
	refused   []atomic.Int64
	stop      chan struct{}
	done      sync.WaitGroup
}

const (
	trafficClients = 8
	trafficKeys    = 50 // of each client
)

// startTraffic starts the clients. They stop with the test, and the test fails
// if any of them has seen what it should not.
func startTraffic(t testing.TB, addr string, upstreams ...string) *traffic {
	t.Helper()
	r := &traffic{
		t: t, addr: addr, upstreams: upstreams, layout: harness.LayoutOf(t, upstreams),
		served: make([]atomic.Int64, len(upstreams)), refused: make([]atomic.Int64, len(upstreams)),
		stop: make(chan struct{}),
	}
	for n := range trafficClients {
		r.done.Go(func() { r.client(n) })
	}
	t.Cleanup(func() {
		close(r.stop)
		r.done.Wait()
	})
	return r
}

// awaitServed waits until n more requests have been served by an upstream.
func (r *traffic) awaitServed(upstream int, n int64) {
	r.t.Helper()
	enough := r.served[upstream].Load() + n
	harness.Await(r.t, fmt.Sprintf("%d more requests served by %s", n, r.upstreams[upstream]),
		func() bool { return r.served[upstream].Load() >= enough })
}

// awaitRefused waits until n more requests for an upstream have been refused.
func (r *traffic) awaitRefused(upstream int, n int64) {
	r.t.Helper()
	enough := r.refused[upstream].Load() + n
	harness.Await(r.t, fmt.Sprintf("%d more requests for %s refused", n, r.upstreams[upstream]),
		func() bool { return r.refused[upstream].Load() >= enough })
}

func (r *traffic) client(n int) {
	conn, err := net.DialTimeout("tcp", r.addr, harness.Patience)
	if err != nil {
		r.t.Error(err)
		return
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	for {
		select {
		case <-r.stop:
			return
		default:
		}
		key := fmt.Sprintf("client%d:key%d", n, rng.IntN(trafficKeys))
		request := "get " + key + "\r\n"
		if rng.IntN(3) == 0 {
			value := strings.Repeat(key+" ", 1+rng.IntN(200))
			request = fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, len(value), value)
		}
		conn.SetDeadline(time.Now().Add(harness.Patience))
		if _, err := conn.Write([]byte(request)); err != nil {
			r.t.Errorf("client %d: %v", n, err)
			return
		}
		if err := r.answer(in, key); err != nil {
			r.t.Errorf("client %d: %q: %v", n, request[:min(len(request), 60)], err)
			return
		}
	}
}

// answer reads the answer to a request for key and counts it.
func (r *traffic) answer(in *bufio.Reader, key string) error {
	line, err := in.ReadString('\n')
	if err != nil {
		return err
	}
	owner := r.layout.Locate([]byte(key))
	switch {
	case line == "STORED\r\n", line == "END\r\n":
	case strings.HasPrefix(line, "VALUE "+key+" 0 "):
		if err := checkValue(in, line, key); err != nil {
			return err
		}
	case strings.HasPrefix(line, "SERVER_ERROR upstream "+r.upstreams[owner]+" "):
		r.refused[owner].Add(1)
		return nil
	default:
		return fmt.Errorf("answered by %q; its upstream is %s", line, r.upstreams[owner])
	}
	r.served[owner].Add(1)
	return nil
}

// checkValue reads the rest of a value and sees whether it is the key, over
// and over.
func checkValue(in *bufio.Reader, line, key string) error {
	words := strings.Fields(line)
	size, err := strconv.Atoi(words[3])
	if err != nil {
		return err
	}
	value := make([]byte, size+len("\r\nEND\r\n"))
	if _, err := io.ReadFull(in, value); err != nil {
		return err
	}
	if expected := strings.Repeat(key+" ", size/(len(key)+1)) + "\r\nEND\r\n"; string(value) != expected {
		return fmt.Errorf("the value of another key, or a broken one: %.80q", value)
	}
	return nil
}
