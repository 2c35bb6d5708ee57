package operation

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
	"github.com/memverbs/memverbs/tests/spawn"
)

// service is a service manager: it has sockets, and receives messages.
type service struct {
	tcp, unix string // addresses
	sockets   []*os.File
	env       []string // of the service

	mu       sync.Mutex
	messages []string
}

func startService(t *testing.T) *service {
	t.Helper()
	dir := t.TempDir()
	s := &service{tcp: harness.FreeAddr(t), unix: filepath.Join(dir, "s")}
	for _, at := range []struct{ network, address string }{{"tcp", s.tcp}, {"unix", s.unix}} {
		l, err := net.Listen(at.network, at.address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		f, err := l.(interface{ File() (*os.File, error) }).File()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		s.sockets = append(s.sockets, f)
	}
	notify := filepath.Join(dir, "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s.env = []string{"NOTIFY_SOCKET=" + notify, "WATCHDOG_USEC=100000"}
	go func() {
		message := make([]byte, 4096)
		for {
			n, err := conn.Read(message)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.messages = append(s.messages, string(message[:n]))
			s.mu.Unlock()
		}
	}()
	return s
}

// was tells how often a message came that begins with text.
func (s *service) was(told string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.messages {
		if strings.HasPrefix(m, told) {
			n++
		}
	}
	return n
}

// await waits for the next message that begins with text.
func (s *service) await(t *testing.T, text string, do func()) {
	t.Helper()
	before := s.was(text)
	do()
	harness.Await(t, "the message "+text, func() bool { return s.was(text) > before })
}

// asks sends a request to each of the sockets and expects the reply.
func (s *service) asks(t *testing.T, request, reply string) {
	t.Helper()
	for network, address := range map[string]string{"tcp": s.tcp, "unix": s.unix} {
		conn, err := net.Dial(network, address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(harness.Patience))
		got := make([]byte, len(reply))
		if _, err = io.WriteString(conn, request); err == nil {
			_, err = io.ReadFull(conn, got)
		}
		if err != nil || string(got) != reply {
			t.Fatalf("at %s: %q was answered by %q, %v", address, request, got, err)
		}
	}
}

// A service of systemd uses the sockets that systemd has, which live on when it ends, and tells
// what it does: also when another process takes over.
func TestService(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	manager := startService(t)
	file := filepath.Join(t.TempDir(), "memverbs.yml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	right := fmt.Sprintf("pools:\n  main:\n    listen: [%q, \"unix:%s\"]\n    servers: [%q]\n", manager.tcp, manager.unix, store.Addr)
	write(right)
	var s *harness.Succession
	serving := fmt.Sprintf("READY=1\nSTATUS=serving clients at %s unix:%s", manager.tcp, manager.unix)
	manager.await(t, serving, func() { s = harness.StartActivated(t, manager.sockets, manager.env, "--config", file) })
	manager.asks(t, "set k 0 0 1\r\nx\r\n", "STORED\r\n")
	manager.await(t, "WATCHDOG=1", func() {})

	manager.await(t, serving, func() {
		manager.await(t, "RELOADING=1\nMONOTONIC_USEC=", func() { s.Signal(t, syscall.SIGHUP) })
	})
	write("pools: {}\n")
	manager.await(t, serving+"; the file can't be used, see the log", func() { s.Signal(t, syscall.SIGHUP) })
	write(right)

	s.Succeed(t)
	manager.await(t, "WATCHDOG=1", func() { s.AwaitStopped(t, 1) })
	if main := fmt.Sprintf("MAINPID=%d\nREADY=1\n", s.Pid()); manager.was(main) != 1 {
		t.Errorf("systemd was not told %q once", main)
	}
	manager.asks(t, "get k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")
	manager.await(t, "STOPPING=1", func() { s.Stop(t) })
	if n := manager.was("STOPPING=1"); n != 1 {
		t.Errorf("systemd was told %d times that the service stops", n)
	}

	waits, err := net.Dial("unix", manager.unix)
	if err != nil {
		t.Fatalf("the socket is gone with the service: %v", err)
	}
	defer waits.Close()
	if _, err := io.WriteString(waits, "get k\r\n"); err != nil {
		t.Fatal(err)
	}
	harness.StartActivated(t, manager.sockets, manager.env, "--config", file)
	waits.SetDeadline(time.Now().Add(harness.Patience))
	got := make([]byte, len("VALUE k 0 1\r\nx\r\nEND\r\n"))
	if _, err := io.ReadFull(waits, got); err != nil {
		t.Errorf("who has connected between two services got %q, %v", got, err)
	}
}

// A service with sockets of systemd speaks TLS at those of TCP: also when another process takes over,
// and with who has connected between two services.
func TestServiceWithTLS(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	manager := startService(t)
	flags := append(harness.ShowingCertificate(a), "--listen", manager.tcp, "--listen", "unix:"+manager.unix)
	s := harness.StartActivated(t, manager.sockets, manager.env, flags...)
	harness.DialTLS(t, manager.tcp, harness.Trusting(a)).InStep()
	s.Succeed(t)
	s.AwaitStopped(t, 1)
	harness.DialTLS(t, manager.tcp, harness.Trusting(a)).InStep()
	s.Stop(t)
	waits, err := net.Dial("tcp", manager.tcp)
	if err != nil {
		t.Fatalf("the socket is gone with the service: %v", err)
	}
	defer waits.Close()
	harness.StartActivated(t, manager.sockets, manager.env, flags...)
	waits.SetDeadline(time.Now().Add(harness.Patience))
	if err := tls.Client(waits, harness.Trusting(a)).Handshake(); err != nil {
		t.Errorf("who has connected between two services: %v", err)
	}
}

// Sockets of systemd that can't be served are an error.
func TestUnusableSocketsOfAService(t *testing.T) {
	t.Parallel()
	manager := startService(t)
	datagrams, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "d"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer datagrams.Close()
	wrong, err := datagrams.File()
	if err != nil {
		t.Fatal(err)
	}
	defer wrong.Close()
	for _, test := range []struct {
		sockets []*os.File
		says    string
	}{
		{manager.sockets, "memverbs: systemd has passed sockets that nothing listens at: unix:" + manager.unix +
			"; set listen to these addresses, or take them out of the socket unit\n"},
		{[]*os.File{wrong}, "memverbs: descriptor 3 (LISTEN_FD_3), which was passed by LISTEN_FDS: no stream socket that listens; its socket unit needs ListenStream= and Accept=no\n"},
	} {
		cmd := harness.Activated(t, test.sockets, nil, "--listen", manager.tcp)
		said, err := cmd.CombinedOutput()
		if string(said) != test.says || cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("it said %q, %v; expected %q", said, err, test.says)
		}
	}
}

// In systemd's journal an outage is a warning, and no line has a second time. Where the service's shell has led
// the log elsewhere, lines are as ever.
func TestOutageInTheJournal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		format, down string
		journal      bool
	}{
		{"text", `(?m)^<4>level=WARN msg="upstream is down" `, true},
		{"json", `(?m)^<4>\{"level":"WARN","msg":"upstream is down",`, true},
		{"text", `(?m)^time=\S+ level=WARN msg="upstream is down" `, false},
	} {
		store := harness.StartMemcached(t, harness.Newest)
		log, err := os.Create(filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		var stat syscall.Stat_t
		if err := syscall.Fstat(int(log.Fd()), &stat); err != nil {
			t.Fatal(err)
		}
		if !test.journal {
			stat.Ino++
		}
		cmd := exec.Command(harness.Program(t), "--listen", "127.0.0.1:0", "--upstream", store.Addr, "--log-format", test.format)
		cmd.Env = append(os.Environ(), fmt.Sprintf("JOURNAL_STREAM=%d:%d", stat.Dev, stat.Ino))
		cmd.Stderr = log
		if err := spawn.Command(cmd); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		says := func(pattern string) bool {
			text, err := os.ReadFile(log.Name())
			return err == nil && regexp.MustCompile(pattern).Match(text)
		}
		harness.Await(t, "the upstream to be up", func() bool { return says("upstream is up") })
		store.Kill(t)
		harness.Await(t, "an outage in the log: "+test.down, func() bool { return says(test.down) })
		if test.journal && !says(`(?m)^<6>`) || test.journal == says(`time"?[=:]`) {
			text, _ := os.ReadFile(log.Name())
			t.Errorf("the log is\n%s", text)
		}
	}
}
