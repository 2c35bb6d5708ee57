package operation

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/spawn"
)

// logged is a memverbs whose log goes to a named pipe, which the test reads or
// does not. Whenever it is asked for the key "close:" its upstream closes the
// connection, which it logs.
type logged struct {
	*exec.Cmd
	addr   string
	fifo   string
	log    *os.File
	client *harness.Client
}

// startLogged starts memverbs and reads its log until it is ready.
func startLogged(t *testing.T) *logged {
	t.Helper()
	l := &logged{fifo: filepath.Join(t.TempDir(), "log")}
	if err := unix.Mkfifo(l.fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	l.openLog(t)
	fd, err := unix.Open(l.fifo, unix.O_WRONLY|unix.O_CLOEXEC, 0) // os.OpenFile's would not block
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.NewFile(uintptr(fd), l.fifo)
	defer stderr.Close()
	rogue := harness.StartRogue(t, map[string]harness.Trick{
		"close": func(conn net.Conn, _ string) { conn.Close() },
	})
	l.Cmd = exec.Command(harness.Program(t), "--listen", "127.0.0.1:0", "--loops", "1", "--upstream", rogue)
	l.Stderr = stderr
	if err := spawn.Command(l.Cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Process.Kill() }) // fails if the test has seen it end
	_, rest, _ := strings.Cut(l.awaitLine(t, "msg=ready "), "listen=[")
	l.addr, _, _ = strings.Cut(rest, "]")
	l.client = harness.Dial(t, l.addr)
	return l
}

func (l *logged) openLog(t *testing.T) {
	t.Helper()
	log, err := os.OpenFile(l.fifo, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	l.log = log
}

// awaitLine reads the log up to a line that has text in it, and returns the line.
func (l *logged) awaitLine(t *testing.T, text string) string {
	t.Helper()
	deadline := time.Now().Add(harness.Patience)
	l.log.SetReadDeadline(deadline)
	in := bufio.NewReader(l.log)
	for time.Now().Before(deadline) {
		line, _ := in.ReadString('\n') // at its end while nobody writes to it
		if strings.Contains(line, text) {
			return line
		}
	}
	t.Fatalf("the log does not say %q", text)
	return ""
}

// loseUpstream has memverbs log that it has lost its upstream.
func (l *logged) loseUpstream(t *testing.T) {
	t.Helper()
	harness.Await(t, "the upstream to close a connection", func() bool {
		l.client.Send("get close:\r\n")
		line := l.client.Line() // "… is down: …" if there was no connection
		return strings.HasSuffix(line, " closed the connection") && !strings.Contains(line, "down")
	})
}

// end tells memverbs to end, and expects it to do so in good order.
func (l *logged) end(t *testing.T) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- l.Wait() }()
	l.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("memverbs ended with %v", err)
		}
	case <-time.After(harness.Patience):
		t.Error("memverbs does not end")
	}
}

// The proxy goes on when whoever read its log is gone, counts the lines that are
// lost, and tells whoever reads it next.
func TestLogReaderGone(t *testing.T) {
	t.Parallel()
	l := startLogged(t)
	l.log.Close()
	for range 3 {
		l.loseUpstream(t)
	}
	m := harness.Memverbs{Addr: l.addr}
	harness.Await(t, "lost lines to be counted", func() bool {
		lost := m.Stats()["log_lines_lost"]
		return lost != "" && lost != "0"
	})
	l.openLog(t)
	l.loseUpstream(t)
	l.awaitLine(t, "log lines were lost")
	l.end(t)
}

// What is wrong at the start decides the exit status, whether or not somebody
// reads what it is.
func TestWrongAtStartWithNobodyReading(t *testing.T) {
	t.Parallel()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	defer out.Close()
	cmd := exec.Command(harness.Program(t), "--listen", "unix:"+t.TempDir())
	cmd.Stderr = out
	if err := spawn.Command(cmd); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 75 {
		t.Errorf("%v, expected status 75", cmd.ProcessState)
	}
}

// There is nothing to reload, and the log says so.
func TestHangup(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t)
	c := harness.Dial(t, m.Addr)
	if err := syscall.Kill(m.Pid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	harness.Await(t, "the log to say so", func() bool { return strings.Contains(m.Log(), "nothing to reload") })
	c.InStep()
}
