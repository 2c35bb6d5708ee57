package operation

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// BenchmarkCopyKilled measures how long requests of clients take that set and get keys with two copies, once with both servers, and once
// with one of them killed after a quarter of the requests. Each of 20 clients sends a request every 5 milliseconds, one set to nine
// gets; a latency counts from when the request was due.
func BenchmarkCopyKilled(b *testing.B) {
	for _, killed := range []string{"none", "first", "second"} {
		b.Run(killed, func(b *testing.B) {
			first, second := harness.StartMemcached(b, harness.Newest), harness.StartMemcached(b, harness.Newest)
			file, addr := filepath.Join(b.TempDir(), "memverbs.yml"), harness.FreeAddr(b)
			text := fmt.Sprintf("loops: 1\npools:\n  near: {servers: [%q]}\n  far: {servers: [%q]}\nlisteners:\n  - listen: [%q]\n    routes: {\"\": {copies: [near, far]}}\n", first.Addr, second.Addr, addr)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			harness.StartMemverbsWith(b, file, addr)
			victim := map[string]*harness.Memcached{"first": first, "second": second}[killed]
			var took latencies
			took.measure(b, addr, func() {
				if victim != nil {
					victim.Kill(b)
				}
			})
			took.report(b)
		})
	}
}

// latencies are how long requests took.
type latencies struct {
	mu  sync.Mutex
	all []time.Duration
}

const (
	pacedClients = 20
	pace         = 5 * time.Millisecond
)

// measure has clients send b.N requests. fault is called when a quarter of them are answered.
func (l *latencies) measure(b *testing.B, addr string, fault func()) {
	var clients sync.WaitGroup
	var done atomic.Int64
	b.ResetTimer()
	for i := range pacedClients {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		in := bufio.NewReader(conn)
		clients.Go(func() {
			defer conn.Close()
			var own []time.Duration
			start := time.Now().Add(pace * time.Duration(i) / pacedClients)
			for n := range b.N / pacedClients {
				due := start.Add(time.Duration(n) * pace)
				time.Sleep(time.Until(due))
				key := fmt.Sprintf("k%d.%d", i, n/10%100)
				if n%10 == 0 {
					fmt.Fprintf(conn, "set %s 0 0 100\r\n%0100d\r\n", key, n)
				} else {
					fmt.Fprintf(conn, "get %s\r\n", key)
				}
				for line, err := in.ReadString('\n'); line != "STORED\r\n" && line != "END\r\n"; line, err = in.ReadString('\n') {
					if err != nil || line[0] == 'S' {
						b.Errorf("request %d was answered by %q (%v)", n, line, err)
						return
					}
				}
				own = append(own, time.Since(due))
				if done.Add(1) == int64(b.N/4) {
					fault()
				}
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			l.all = append(l.all, own...)
		})
	}
	clients.Wait()
}

func (l *latencies) report(b *testing.B) {
	if len(l.all) == 0 {
		return
	}
	slices.Sort(l.all)
	at := func(share float64) float64 { return float64(l.all[int(share*float64(len(l.all)-1))].Microseconds()) }
	b.ReportMetric(at(0.5), "p50-µs")
	b.ReportMetric(at(0.99), "p99-µs")
	b.ReportMetric(at(1), "max-µs")
}
