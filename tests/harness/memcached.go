package harness

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Newest is the newest of the Versions. It parses requests in another way than
// those before it.
const Newest = "1.6.45"

// Versions are the memcacheds that the tests run against: Debian 12's, Debian
// 13's, which can append or create in one round trip, and that of the testing suite.
var Versions = []string{"1.6.18", "1.6.38", Newest}

// Memcached is a memcached process.
type Memcached struct {
	Version string
	Addr    string

	process process
	flags   []string
	apart   string // precedes the host: where TLS is not spoken, if it is elsewhere
}

// StartMemcached starts a memcached of one of the [Versions] on a free port,
// and ends it with the test.
func StartMemcached(t testing.TB, version string, flags ...string) *Memcached {
	t.Helper()
	m := &Memcached{Version: version, flags: flags}
	for range portTries {
		m.Addr = loopback(freePort(t))
		if m.launch(t) {
			m.endWith(t)
			return m
		}
	}
	t.Fatalf("memcached %s does not start:\n%s", version, m.process.Said())
	return nil
}

// StartMemcachedAt is StartMemcached where the address matters, as it does to a
// client that places keys by it. All of 127.0.0.0/8 is the loopback interface.
func StartMemcachedAt(t testing.TB, version, addr string, flags ...string) *Memcached {
	t.Helper()
	m := &Memcached{Version: version, Addr: addr, flags: flags}
	if !m.launch(t) {
		t.Fatalf("memcached %s does not start at %s:\n%s", version, addr, m.process.Said())
	}
	m.endWith(t)
	return m
}

// StartSecureMemcached is StartMemcached for one that speaks TLS too, at another address, with a
// certificate and a key in files.
func StartSecureMemcached(t testing.TB, version, cert, key string, flags ...string) (m *Memcached, secure string) {
	t.Helper()
	for range portTries {
		secure = loopback(freePort(t))
		m = &Memcached{Version: version, Addr: loopback(freePort(t))}
		m.apart, m.flags = "notls:", append([]string{"-l", secure, "-Z", "-o", "ssl_chain_cert=" + cert + ",ssl_key=" + key}, flags...)
		if m.launch(t) {
			m.endWith(t)
			Await(t, "memcached to shake hands", func() bool { return shakesHands(secure) })
			return m, secure
		}
	}
	t.Fatalf("memcached %s does not start:\n%s", version, m.process.Said())
	return nil, ""
}

// shakesHands reports whether a server answers the beginning of a handshake, be it by a refusal. memcached now and then ends the first
// one with an internal error.
func shakesHands(addr string) bool {
	conn, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		return !strings.Contains(err.Error(), "internal error") && !errors.Is(err, syscall.ECONNREFUSED)
	}
	defer conn.Close()
	return true
}

func (m *Memcached) endWith(t testing.TB) {
	t.Cleanup(func() {
		m.Kill(t)
		m.process.tell(t)
	})
}

// launch starts the process and waits until it answers. It returns false if it
// ended instead, as it does where the port is taken.
func (m *Memcached) launch(t testing.TB) bool {
	t.Helper()
	path := filepath.Join(root(t), ".cache", "memcached-"+m.Version, "memcached")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("there is no memcached %s to test against; run \"make test\", which fetches it (%v)", m.Version, err)
	}
	host, port, err := net.SplitHostPort(m.Addr)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-l", m.apart + host, "-p", port, "-U", "0"}
	if os.Geteuid() == 0 {
		// The user stays root, since the kernel resets Pdeathsig when the user changes.
		args = append(args, "-u", "root")
	}
	m.process = start(t, "memcached "+m.Version+" on "+m.Addr, path, append(args, m.flags...)...)
	Await(t, m.process.Name, func() bool { return m.answers() || !m.process.Running() })
	return m.process.Running()
}

// answers reports whether it is this very process, of the version asked for,
// that answers on the port.
func (m *Memcached) answers() bool {
	if slices.Contains(m.flags, "-Y") {
		return m.asksForPassword()
	}
	stats := m.Stats()
	return stats["pid"] == strconv.Itoa(m.process.Pid()) && stats["version"] == m.Version
}

// asksForPassword reports whether a memcached on the port refuses clients that have not authenticated.
func (m *Memcached) asksForPassword() bool {
	conn, err := net.DialTimeout("tcp", m.Addr, Patience)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(Patience))
	if _, err = io.WriteString(conn, "version\r\n"); err != nil {
		return false
	}
	line, _ := bufio.NewReader(conn).ReadString('\n')
	return line == "CLIENT_ERROR unauthenticated\r\n"
}

// Stop ends the process as an operator would.
func (m *Memcached) Stop(t testing.TB) {
	t.Helper()
	m.process.end(t, syscall.SIGTERM)
}

// StopGracefully ends a process with a memory file (-e), so that the next one has its items.
func (m *Memcached) StopGracefully(t testing.TB) {
	t.Helper()
	m.process.end(t, syscall.SIGUSR1)
}

// Kill ends the process without giving it a chance to close anything.
func (m *Memcached) Kill(t testing.TB) {
	t.Helper()
	m.process.end(t, syscall.SIGKILL)
}

// Freeze stops the process where it stands: its port takes connections and
// bytes, and nothing answers, until Thaw.
func (m *Memcached) Freeze(t testing.TB) {
	t.Helper()
	m.process.freeze(t)
}

// Thaw lets a frozen process go on.
func (m *Memcached) Thaw(t testing.TB) {
	t.Helper()
	m.process.thaw(t)
}

// Restart starts memcached on the same port again. After Stop or Kill it is empty.
func (m *Memcached) Restart(t testing.TB) {
	t.Helper()
	if !m.launch(t) {
		t.Fatalf("memcached %s does not come back:\n%s", m.Version, m.process.Said())
	}
}
