package harness

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Nutcracker is a process of twemproxy's program.
type Nutcracker struct {
	Addr string

	process process
}

// StartNutcracker starts nutcracker on a free port in front of servers, each
// written as in its configuration: host:port:weight, with a name after a space
// if it has one. Further lines of the pool's configuration, such as
// "hash: md5", are settings. It ends with the test.
func StartNutcracker(t testing.TB, servers []string, settings ...string) *Nutcracker {
	t.Helper()
	var n *Nutcracker
	for range portTries {
		addr := loopback(freePort(t))
		config := filepath.Join(t.TempDir(), "nutcracker.yml")
		if err := os.WriteFile(config, []byte(nutcrackerPool(addr, servers, settings)), 0o600); err != nil {
			t.Fatal(err)
		}
		if n = launchNutcracker(t, config, addr); n.process.Running() {
			return n
		}
	}
	t.Fatalf("nutcracker does not start:\n%s", n.process.Said())
	return nil
}

// StartNutcrackerWith starts nutcracker with the configuration in a file. addr is one of the addresses at
// which it listens then. It ends with the test, unless Stop has ended it.
func StartNutcrackerWith(t testing.TB, file, addr string) *Nutcracker {
	t.Helper()
	n := launchNutcracker(t, file, addr)
	if !n.process.Running() {
		t.Fatalf("nutcracker does not start:\n%s", n.process.Said())
	}
	return n
}

// launchNutcracker starts nutcracker and waits until it answers at addr, or has ended.
func launchNutcracker(t testing.TB, file, addr string) *Nutcracker {
	t.Helper()
	n := &Nutcracker{Addr: addr, process: start(t, "nutcracker on "+addr, nutcracker(t),
		"--conf-file", file, "--output", file+".log", "--stats-addr", "127.0.0.1", "--stats-port", strconv.Itoa(freePort(t)))}
	Await(t, n.process.Name, func() bool { return n.answers() || !n.process.Running() })
	t.Cleanup(func() {
		n.Stop(t)
		n.process.tell(t)
	})
	return n
}

// Stop ends nutcracker.
func (n *Nutcracker) Stop(t testing.TB) {
	t.Helper()
	n.process.end(t, os.Kill)
}

// nutcracker returns the path of the program.
func nutcracker(t testing.TB) string {
	t.Helper()
	fetched := filepath.Join(root(t), ".cache", "nutcracker", "nutcracker")
	if _, err := os.Stat(fetched); err == nil {
		return fetched
	}
	path, err := exec.LookPath("nutcracker")
	if err != nil {
		t.Fatalf("there is no nutcracker to test against; run \"make needs\", which fetches it (%v)", err)
	}
	return path
}

// nutcrackerPool returns the configuration of a pool that listens at addr.
func nutcrackerPool(addr string, servers, settings []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "pool:\n  listen: %s\n  timeout: %d\n", addr, Patience.Milliseconds())
	for _, s := range settings {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	b.WriteString("  servers:\n")
	for _, s := range servers {
		fmt.Fprintf(&b, "    - %s\n", s)
	}
	return b.String()
}

// answers reports whether a request is answered: nutcracker accepts connections
// as soon as it listens, but answers only when it is ready.
func (n *Nutcracker) answers() bool {
	conn, err := net.DialTimeout("tcp", n.Addr, Patience)
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(Patience))
	if _, err := conn.Write([]byte("get ready\r\n")); err != nil {
		return false
	}
	reply := make([]byte, len("END\r\n"))
	_, err = conn.Read(reply)
	return err == nil && string(reply) == "END\r\n"
}
