package operation

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// rounds is clients that set keys with copies and get them again, each its own key, and connect again when they are disconnected.
type rounds struct {
	addr    string
	clients sync.WaitGroup
	over    atomic.Bool
	done    atomic.Int64
	missed  atomic.Int64
}

// run has a client set a key to one number after another, and get it after each: it never reads an older number than the last one that was
// acknowledged.
func (r *rounds) run(t *testing.T, key string) {
	r.clients.Go(func() {
		var conn net.Conn
		var in *bufio.Reader
		ask := func(request string) (line string, ok bool) {
			if conn == nil {
				var err error
				if conn, err = net.DialTimeout("tcp", r.addr, harness.Patience); err != nil {
					t.Errorf("connecting: %v", err)
					r.over.Store(true)
					return "", false
				}
				in = bufio.NewReader(conn)
			}
			_ = conn.SetDeadline(time.Now().Add(harness.Patience))
			_, _ = conn.Write([]byte(request))
			line, err := in.ReadString('\n')
			if err != nil {
				conn.Close()
				conn = nil
				return "", false
			}
			return strings.TrimSuffix(line, "\r\n"), true
		}
		acknowledged := 0
		for n := 1; !r.over.Load(); n++ {
			value := strconv.Itoa(n)
			line, ok := ask(fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, len(value), value))
			switch {
			case !ok: // it may have been set
			case line == "STORED":
				acknowledged = n
			default:
				t.Errorf("set was answered by %q", line)
				return
			}
			switch line, ok = ask("get " + key + "\r\n"); {
			case !ok:
				continue
			case line == "END":
				if acknowledged > 0 {
					r.missed.Add(1)
				}
			case !strings.HasPrefix(line, "VALUE "):
				t.Errorf("get was answered by %q", line)
				return
			default:
				got, _ := in.ReadString('\n')
				end, err := in.ReadString('\n')
				number, _ := strconv.Atoi(strings.TrimSpace(got))
				if err == nil && end == "END\r\n" && (number < acknowledged || number > n) {
					t.Errorf("%s has the value %q after %d was set and %d tried", key, got, acknowledged, n)
				}
			}
			r.done.Add(1)
		}
	})
}

// more waits until there were so many more rounds.
func (r *rounds) more(t *testing.T, n int64) {
	t.Helper()
	before := r.done.Load()
	harness.Await(t, "more rounds", func() bool { return r.done.Load() > before+n || r.over.Load() })
}

// end ends the rounds. A key may have been missed only if log says that a server was down: on a machine that stalls, both may be for a
// while, one after the other.
func (r *rounds) end(t *testing.T, log func() string) {
	t.Helper()
	r.over.Store(true)
	r.clients.Wait()
	if n := r.missed.Load(); n > 0 && !strings.Contains(log(), `msg="upstream is down"`) {
		t.Errorf("%d of %d gets have missed what was set", n, r.done.Load())
	}
}

// While clients set and get keys with copies, reloads change settings of the pools, and add and remove a copy: nobody reads an older value, or
// none.
func TestCopiesThroughReloads(t *testing.T) {
	t.Parallel()
	var servers []string
	for range 3 {
		servers = append(servers, harness.StartMemcached(t, harness.Newest).Addr)
	}
	file, addr := filepath.Join(t.TempDir(), "memverbs.yml"), harness.FreeAddr(t)
	write := func(timeout int, copies string) {
		text := fmt.Sprintf("loops: 2\npools:\n  near: {servers: [%q], timeout: %ds}\n  far: {servers: [%q], timeout: %ds}\n  third: {servers: [%q]}\nlisteners:\n  - listen: [%q]\n    routes:\n      \"\": {copies: [%s]}\n      \"else/\": third\n",
			servers[0], timeout, servers[1], timeout, servers[2], addr, copies)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(5, "near, far")
	m := harness.StartMemverbsWith(t, file, addr)
	r := &rounds{addr: addr}
	defer r.end(t, m.Log)
	for i := range 8 {
		r.run(t, fmt.Sprint("k", i))
	}
	for i := range 12 {
		r.more(t, 500)
		write(5+i%2, []string{"near, far", "near, far, third", "far, near"}[i%3])
		if err := syscall.Kill(m.Pid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		harness.Await(t, "the reload", func() bool { return strings.Count(m.Log(), "msg=reloaded") > i })
	}
	r.more(t, 500)
}

// While clients set and get keys with copies, the process is replaced time and again: nobody reads an older value, or none.
func TestCopiesThroughTakeovers(t *testing.T) {
	t.Parallel()
	near, far := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	file, addr := filepath.Join(t.TempDir(), "memverbs.yml"), harness.FreeAddr(t)
	text := fmt.Sprintf("loops: 2\npools:\n  near: {servers: [%q]}\n  far: {servers: [%q]}\nlisteners:\n  - listen: [%q]\n    routes:\n      \"\": {copies: [near, far]}\n", near.Addr, far.Addr, addr)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := harness.StartSuccession(t, "--config", file)
	r := &rounds{addr: addr}
	defer r.end(t, s.Log)
	for i := range 8 {
		r.run(t, fmt.Sprint("k", i))
	}
	for i := range 6 {
		r.more(t, 300)
		s.Succeed(t)
		r.more(t, 300)
		s.AwaitStopped(t, i+1)
	}
	r.more(t, 300)
}
