package operation

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// runCommand runs memverbs to its end and returns its exit status and what it
// printed. It must end by itself.
func runCommand(t *testing.T, flags ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(harness.Program(t), flags...)
	cmd.Stdout = &out
	status, stderr = endOfCommand(t, cmd)
	return status, out.String(), stderr
}

// endOfCommand runs a command to its end, as runCommand does.
func endOfCommand(t *testing.T, cmd *exec.Cmd) (status int, stderr string) {
	t.Helper()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(harness.Patience, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), errs.String()
}

// What can't be done is said in one line, with status 2 if the flags are wrong, and 75 if what they name can't be
// used now.
func TestWrongFlags(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	takenAddr := taken.Addr().String()
	folder := t.TempDir()
	outside := []string{"/nowhere/memverbs.yml", "address already in use", folder}
	for _, test := range []struct {
		flags string
		says  []string // all of it in the one line
	}{
		{"--config /nowhere/memverbs.yml", []string{"/nowhere/memverbs.yml"}},
		{"--config f --loops 2", []string{"--config", "--loops"}},
		{"check /nowhere/memverbs.yml", []string{"/nowhere/memverbs.yml"}},
		{"check", []string{"1 to 2 files", "--help"}},
		{"import a b", []string{"one file", "--help"}},
		{"--nonsense", []string{"--nonsense", "--help"}},
		{"surplus", []string{"surplus"}},
		{"--timeout abc", []string{"--timeout", "abc"}},
		{"--timeout 0s", []string{"--timeout"}},
		{"--loops 0", []string{"--loops"}},
		{"--max-clients 0", []string{"--max-clients"}},
		{"--max-item-size 12parsecs", []string{"--max-item-size", "12parsecs"}},
		{"--embedded-memory 1", []string{"--embedded-memory"}},
		{"--log-chunk 1500ms", []string{"--log-chunk", "seconds"}},
		{"--log-chunks 1", []string{"--log-chunks"}},
		{"--log-level loud", []string{"--log-level", "loud"}},
		{"--log-format xml", []string{"--log-format", "xml"}},
		{"--listen nowhere", []string{"--listen", "nowhere"}},
		{"--socket-mode 0999", []string{"--socket-mode", "0999", "octal"}},
		{"--socket-mode rwx", []string{"--socket-mode", "rwx", "octal"}},
		{"--socket-mode 01777", []string{"--socket-mode", "01777", "octal"}},
		{"--socket-mode 0500", []string{"--socket-mode", "0500", "nobody could connect"}},
		{"--listen 127.0.0.1:99999", []string{"--listen", "99999"}},
		{"--listen unix:relative", []string{"--listen", "unix:relative"}},
		{"--listen " + takenAddr, []string{takenAddr, "address already in use"}},
		{"--listen unix:" + folder, []string{folder}},                  // a folder is in the way, and must stay
		{"--upstream=", []string{"--upstream", "at least one server"}}, // as of a variable that is not set
		{"--upstream :::", []string{"--upstream", ":::"}},
		{"--upstream 127.0.0.1:11211:0", []string{"--upstream", "127.0.0.1:11211:0"}},
		{"--upstream 127.0.0.1:1,127.0.0.1:1", []string{"--upstream", "127.0.0.1"}},
		{"--upstream [::1]:1,[::1]:1", []string{"--upstream", `"[::1]:1"`}},
		{"--listen 127.0.0.1:21999 --upstream 127.0.0.1:21999", []string{"127.0.0.1:21999", "itself"}},
		{"--listen :21998 --upstream localhost:21998", []string{"localhost:21998", "itself"}},
		{"--listen unix:" + folder + "/s --upstream unix:" + folder + "/s", []string{folder + "/s", "itself"}},
	} {
		status, stdout, stderr := runCommand(t, strings.Fields(test.flags)...)
		expected := 2
		if slices.ContainsFunc(test.says, func(word string) bool { return slices.Contains(outside, word) }) {
			expected = 75
		}
		if status != expected || stdout != "" {
			t.Errorf("%s: status %d, stdout %q; expected %d and nothing", test.flags, status, stdout, expected)
		}
		lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
		if last := lines[len(lines)-1]; len(lines) > 1 || !strings.HasPrefix(last, "memverbs: ") {
			t.Errorf("%s: said %q, expected one line", test.flags, stderr)
		}
		for _, word := range test.says {
			if !strings.Contains(stderr, word) {
				t.Errorf("%s: %q does not say %q", test.flags, stderr, word)
			}
		}
	}
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	status, help, _ := runCommand(t, "--help")
	if status != 0 {
		t.Errorf("--help ended with status %d", status)
	}
	for _, flag := range []string{"listen", "socket-mode", "upstream", "embedded-memory", "timeout", "connect-timeout", "loops", "max-item-size",
		"max-clients", "compact-dirtiness", "log-chunk", "log-chunks", "log-level", "log-format", "version", "drain", "config"} {
		if !strings.Contains(help, "--"+flag+" ") {
			t.Errorf("--help does not tell of --%s", flag)
		}
	}
	if status, version, _ := runCommand(t, "--version"); status != 0 || !strings.HasPrefix(version, "memverbs ") {
		t.Errorf("--version ended with status %d and said %q", status, version)
	}
}

// Unix sockets serve on both sides, and one left behind is not in the way.
func TestUnixSockets(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	behind, front := filepath.Join(folder, "behind"), filepath.Join(folder, "front")
	harness.StartMemverbs(t, "--listen", "unix:"+behind)
	for range 2 {
		m := harness.StartMemverbs(t, "--listen", "unix:"+front, "--upstream", "unix:"+behind+":3")
		conn, err := net.Dial("unix", front)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		const asked, expected = "sadd k a b\r\nscard k\r\n", "STORED\r\n2\r\n"
		if _, err := io.WriteString(conn, asked); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(expected))
		if _, err := io.ReadFull(conn, got); err != nil || string(got) != expected {
			t.Fatalf("%q was answered by %q (%v)", asked, got, err)
		}
		m.Kill(t) // leaves the socket behind
	}
}

func TestMaxClients(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t, "--max-clients", "2")
	first, second := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
	first.InStep()
	second.InStep()
	third := harness.Dial(t, m.Addr)
	third.Expect("SERVER_ERROR too many open connections\r\n")
	third.Closed()
	harness.Await(t, "the log to tell of it", func() bool {
		return strings.Contains(m.Log(), `msg="a client is refused: as many as max-clients allows are connected" address=`+m.Addr+" client=")
	})
	second.Close()
	harness.Await(t, "a place to be free", func() bool {
		next := harness.Dial(t, m.Addr)
		defer next.Close()
		next.Send("version\r\n")
		line, err := next.ReadLine()
		return err == nil && strings.HasPrefix(line, "VERSION ")
	})
	first.InStep()
}

// Told to end, memverbs answers what it has been asked before, and what clients ask for first that come
// while it waits for that. After that it takes no new ones.
func TestDrain(t *testing.T) {
	t.Parallel()
	slow := harness.StartMemcached(t, harness.Versions[0])
	m := harness.StartMemverbs(t, "--upstream", slow.Addr, "--timeout", "10s", "--drain", "15s")
	c := harness.Dial(t, m.Addr)
	c.Ask("set k 0 0 5\r\nvalue\r\n", "STORED\r\n")
	idle := harness.Dial(t, m.Addr)
	idle.InStep()

	slow.Freeze(t)
	c.Send("get k\r\nscard k\r\n")
	harness.Await(t, "the request to be sent on", func() bool { return m.Pending(t) >= 1 })
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		m.Stop(t) // checks the exit status
	}()
	idle.Closed()
	for range 20 {
		late := harness.Dial(t, m.Addr)
		late.Ask("mn\r\n", "MN\r\n")
		late.Closed()
	}
	slow.Thaw(t)
	c.Expect("VALUE k 0 5\r\nvalue\r\nEND\r\nCLIENT_ERROR k does not hold a set\r\n")
	c.Closed()
	<-stopped
	connectsTo(t, "tcp", m.Addr, false)
}
