package limits

import (
	"errors"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// A client that floods an upstream that does not answer is not read from any
// more, whatever it floods it with.
func TestFloodIsHeldBack(t *testing.T) {
	for _, request := range []string{"flush_all noreply\r\n", "delete k noreply\r\n", "sadd k a noreply\r\n", "get k\r\n"} {
		frozen := harness.StartMemcached(t, harness.Versions[1])
		m := harness.StartPlainMemverbs(t, "--upstream", frozen.Addr, "--timeout", "1m", "--drain", "0s")
		frozen.Freeze(t)
		c := harness.Dial(t, m.Addr)
		var sent atomic.Int64
		go func() {
			flood := []byte(strings.Repeat(request, 10000))
			for range 1000 { // some 180 MB
				n, err := c.Conn().Write(flood)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}()
		taken := int64(-1)
		harness.Await(t, "the flood of "+request+" to be held back", func() bool {
			before := taken
			taken = sent.Load()
			return taken == before && taken > 0 && m.Sent(t) > 1
		})
		m.CheckResident(t, "flood of "+strings.TrimSpace(request))
		c.Close()
		frozen.Thaw(t)
		m.Stop(t)
	}
}

// A request that is not answered in time is refused, but a connection on which
// something comes is kept, as others wait for their answers there.
func TestSlowAnswerIsRefusedAlone(t *testing.T) {
	t.Parallel()
	const parts = 60
	rogue := harness.StartRogue(t, map[string]harness.Trick{"slow": func(conn net.Conn, key string) {
		part := strings.Repeat("v", 1000)
		conn.Write([]byte("VALUE " + key + " 0 60000\r\n"))
		pace := time.NewTicker(20 * time.Millisecond)
		defer pace.Stop()
		for range parts {
			<-pace.C
			conn.Write([]byte(part))
		}
		conn.Write([]byte("\r\nEND\r\n"))
	}})
	m := harness.StartMemverbs(t, "--upstream", rogue, "--timeout", "500ms", "--loops", "1")
	c := harness.Dial(t, m.Addr)
	c.Ask("get slow:1\r\n", "SERVER_ERROR upstream "+rogue+" did not answer within 500ms\r\n")
	harness.Await(t, "the rest of the slow answer to have come", func() bool {
		c.Send("get fine\r\n")
		return c.Line() == "END"
	})
	c.InStep()
	if strings.Contains(m.Log(), "upstream is down") {
		t.Errorf("the connection was given up:\n%s", m.Log())
	}
}

// startLoose starts memverbs and leaves it to the test to wait for it and end it.
func startLoose(t *testing.T, flags ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(harness.Program(t), flags...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd
}

// Told to end while it is connecting to an upstream that hangs, memverbs ends.
func TestSignalWhileConnecting(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			asked <- struct{}{}
		}
	}()
	cmd := startLoose(t, "--listen", "127.0.0.1:0", "--upstream", l.Addr().String(), "--timeout", "10m")
	<-asked
	cmd.Process.Signal(syscall.SIGTERM)
	if err := endOf(t, cmd); err != nil {
		t.Errorf("memverbs ended with %v", err)
	}
}

// Told to end twice, memverbs does not wait any longer.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	frozen := harness.StartMemcached(t, harness.Versions[0])
	socket := filepath.Join(t.TempDir(), "s")
	cmd := startLoose(t, "--listen", "unix:"+socket, "--upstream", frozen.Addr, "--timeout", "10m", "--drain", "10m")
	var conn net.Conn
	harness.Await(t, "memverbs to listen", func() (listens bool) {
		var err error
		conn, err = net.Dial("unix", socket)
		return err == nil
	})
	defer conn.Close()
	get := []byte("get k\r\n")
	conn.Write(get)
	if _, err := conn.Read(make([]byte, 1)); err != nil { // the client is served
		t.Fatal(err)
	}
	frozen.Freeze(t)
	conn.Write(get) // and this is not answered
	cmd.Process.Signal(syscall.SIGINT)
	harness.Await(t, "memverbs to hang up on those that come", func() bool {
		late, err := net.Dial("unix", socket)
		if err != nil {
			return true
		}
		defer late.Close()
		late.Write([]byte("version\r\n"))
		late.(*net.UnixConn).SetReadDeadline(time.Now().Add(time.Second))
		_, err = io.ReadAll(late)
		return err == nil
	})
	cmd.Process.Signal(syscall.SIGINT)
	var exit *exec.ExitError
	if err := endOf(t, cmd); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Errorf("memverbs ended with %v, expected the signal", err)
	}
}

// endOf waits for a process to end and returns how it ended.
func endOf(t *testing.T, cmd *exec.Cmd) error {
	t.Helper()
	timer := time.AfterFunc(harness.Patience, func() { cmd.Process.Kill() })
	defer timer.Stop()
	return cmd.Wait()
}
