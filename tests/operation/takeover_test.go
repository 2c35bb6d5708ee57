package operation

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// A successor that does not start changes nothing. One that does has all sockets: those that its
// predecessor has made, too, whose files it removes at its end.
func TestTakeoverOfUnixSockets(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	dir := t.TempDir()
	file, stays, goes, comes := filepath.Join(dir, "memverbs.yml"), filepath.Join(dir, "stays"), filepath.Join(dir, "goes"), filepath.Join(dir, "comes")
	write := func(rest string, listen ...string) {
		t.Helper()
		text := "pools:\n  main:\n    servers: [\"" + store.Addr + "\"]\n    listen: [\"unix:" + strings.Join(listen, `", "unix:`) + "\"]\n" + rest
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("", stays, goes)
	s := harness.StartSuccession(t, "--config", file)
	for _, test := range []struct {
		rest   string
		status int
	}{
		{"    zzz: 1\n", 78}, // can't be read
		{"    socket-mode: 0770\n  other:\n    listen: [\"unix:/nowhere/s\"]\n    servers: [\"" + store.Addr + "\"]\n", 75}, // can't be used
	} {
		write(test.rest, stays)
		s.Signal(t, syscall.SIGUSR2)
		harness.Await(t, "the successor to fail", func() bool {
			return strings.Contains(s.Log(), fmt.Sprintf(`level=ERROR msg="the successor does not serve clients: this process goes on" reason="it has ended: exit status %d"`, test.status))
		})
		connects(t, stays, true)
		connects(t, goes, true)
	}
	admin := harness.FreeAddr(t)
	for range 2 { // the second one takes the socket over
		write("    socket-mode: 0770\nadmin: "+admin+"\n", stays, comes)
		s.Succeed(t)
		connectsTo(t, "tcp", admin, true)
	}
	s.AwaitStopped(t, 2)
	connects(t, stays, true)
	connects(t, goes, false)
	connects(t, comes, true)
	if info, err := os.Stat(stays); err != nil || info.Mode().Perm() != 0o770 {
		t.Errorf("the socket is %v, %v; expected the permissions 0770", info, err)
	}
	s.Stop(t)
	for _, path := range []string{stays, goes, comes} {
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", path, err)
		}
	}
}

// connects tries to connect to a unix socket, and fails the test unless that succeeds as expected.
func connects(t *testing.T, path string, expected bool) {
	t.Helper()
	connectsTo(t, "unix", path, expected)
}

func connectsTo(t *testing.T, network, address string, expected bool) {
	t.Helper()
	conn, err := net.Dial(network, address)
	if err == nil {
		conn.Close()
	}
	if (err == nil) != expected {
		t.Errorf("connecting to %s: %v", filepath.Base(address), err)
	}
}

// A process that is told to stop while its successor starts ends that too.
func TestStoppedInATakeover(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	addr, file := harness.FreeAddr(t), filepath.Join(t.TempDir(), "memverbs.yml")
	text := "pools:\n  main:\n    listen: [\"" + addr + "\"]\n    servers: [\"" + store.Addr + "\"]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := harness.StartSuccession(t, "--config", file)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o600); err != nil { // the successor waits for somebody to write to it
		t.Fatal(err)
	}
	s.Signal(t, syscall.SIGUSR2)
	harness.Await(t, "the takeover to begin", func() bool { return strings.Contains(s.Log(), "starting the successor") })
	s.Signal(t, syscall.SIGTERM)
	s.AwaitStopped(t, 1)
	harness.Await(t, "the end of both", func() bool { return syscall.Kill(-s.Pid(), 0) == syscall.ESRCH })
}

// A SIGHUP during a takeover is for the successor too, which may have read the file before that.
func TestHangupInATakeover(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	addr, dir := harness.FreeAddr(t), t.TempDir()
	file, later := filepath.Join(dir, "memverbs.yml"), filepath.Join(dir, "later.yml")
	text := "pools:\n  main:\n    listen: [\"" + addr + "\"]\n    servers: [\"" + store.Addr + "\"]\n"
	writeText(t, file, text)
	s := harness.StartSuccession(t, "--config", file)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o600); err != nil { // the successor waits for somebody to write to it
		t.Fatal(err)
	}
	s.Signal(t, syscall.SIGUSR2)
	reading, err := os.OpenFile(file, os.O_WRONLY, 0) // when the successor opens it too
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, later, text+"    read-only: true\n")
	if err := os.Rename(later, file); err != nil {
		t.Fatal(err)
	}
	s.Signal(t, syscall.SIGHUP)
	if _, err := reading.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := reading.Close(); err != nil {
		t.Fatal(err)
	}
	s.AwaitSuccessor(t)
	s.AwaitStopped(t, 1)
	harness.Await(t, "the successor to read the file again", func() bool { return strings.Contains(s.Log(), "msg=reloaded") })
	harness.Dial(t, addr).Ask("delete k\r\n", "CLIENT_ERROR delete is not allowed in pool main by its setting read-only\r\n")
}

// Two processes listen at one address. Without --reuse-port the second can't.
func TestReusePort(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	addr := harness.FreeAddr(t)
	flags := []string{"--listen", addr, "--reuse-port", "--upstream", store.Addr}
	one, two := harness.StartSuccession(t, flags...), harness.StartSuccession(t, flags...)
	both := map[string]bool{}
	harness.Await(t, "both to get clients", func() bool {
		c := harness.Dial(t, addr)
		defer c.Close()
		c.Send("stats proxy\r\n")
		for _, line := range strings.Split(c.Until("END"), "\r\n") {
			if pid, ok := strings.CutPrefix(line, "STAT pid "); ok {
				both[pid] = true
			}
		}
		return len(both) == 2
	})
	one.Stop(t)
	harness.Dial(t, addr).Ask("set k 0 0 1\r\nx\r\n", "STORED\r\n")
	two.Stop(t)
}

// A listener does not get the setting while it is open, and the log says so.
func TestReusePortOfAnOpenListener(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	r := harness.StartReloading(t, store.Addr)
	text, err := os.ReadFile(r.File)
	if err == nil {
		err = os.WriteFile(r.File, append(text, "    reuse-port: true\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Reload(t, `takes effect at the next start only" setting=reuse-port`)
	r.Reload(t, "msg=reloaded")
}

// A successor that does not reach a server which its predecessor reaches, or does not have, gives up and
// says why. A server that is down for the predecessor too does not keep it from taking over.
func TestTakeoverWithoutAServer(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	addr, file := harness.FreeAddr(t), filepath.Join(t.TempDir(), "memverbs.yml")
	write := func(servers ...string) {
		t.Helper()
		writeText(t, file, "pools:\n  main:\n    listen: [\""+addr+"\"]\n    servers: [\""+strings.Join(servers, `", "`)+"\"]\n")
	}
	down, wrong := harness.FreeAddr(t), harness.FreeAddr(t)
	write(store.Addr, down)
	s := harness.StartSuccession(t, "--config", file)
	harness.Await(t, "the server to be found down", func() bool { return strings.Contains(s.Log(), "upstream="+down+" reason=") })

	write(wrong, down)
	s.Signal(t, syscall.SIGUSR2)
	harness.Await(t, "the successor to give up", func() bool {
		return strings.Contains(s.Log(), `msg="the successor does not serve clients: this process goes on" reason="it has ended: exit status 75"`)
	})
	says := "which does not find this server down: upstream " + wrong + " is not reached within 10s: connection refused"
	if said := s.Log(); !strings.Contains(said, says) || strings.Count(said, "cannot take over") != 1 {
		t.Errorf("the log does not say %q", says)
	}
	c := harness.Dial(t, addr)
	defer c.Close()
	c.Ask("mn\r\n", "MN\r\n")

	write(store.Addr, down)
	s.Succeed(t)
	s.AwaitStopped(t, 1)
	harness.Dial(t, addr).Ask("mn\r\n", "MN\r\n")
}
