package harness

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Memverbs is a memverbs process.
type Memverbs struct {
	Addr string

	process process
	path    string
	flags   []string
}

// StartMemverbs starts memverbs with the flags given, on a free port, and
// waits until it says that it is ready. Unless a flag says otherwise it has two event
// loops, since some faults show only when there are several. At the end of the test it is told to end,
// and must do so in good order: exit status 0, no data race (see [Program]), no panic.
func StartMemverbs(t testing.TB, flags ...string) *Memverbs {
	t.Helper()
	return startMemverbs(t, Program(t), flags)
}

// StartPlainMemverbs is StartMemverbs for a program that never has the race detector,
// which multiplies the memory that a process takes.
func StartPlainMemverbs(t testing.TB, flags ...string) *Memverbs {
	t.Helper()
	return startMemverbs(t, plain.build(t), flags)
}

func startMemverbs(t testing.TB, path string, flags []string) *Memverbs {
	t.Helper()
	var m *Memverbs
	for range portTries {
		addr := loopback(freePort(t))
		m = &Memverbs{Addr: addr, path: path, flags: append([]string{"--listen", addr, "--loops", "2"}, flags...)}
		if m.launch(t) {
			m.endWith(t)
			return m
		}
		if !strings.Contains(m.Log(), "address already in use") {
			break
		}
	}
	t.Fatalf("memverbs %q does not start:\n%s", flags, m.Log())
	return nil
}

// StartMemverbsWithFiles is StartMemverbs for a process that may have so many open files.
func StartMemverbsWithFiles(t testing.TB, limit int, flags ...string) *Memverbs {
	t.Helper()
	script := filepath.Join(t.TempDir(), "memverbs")
	if err := os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\nulimit -n %d\nexec %s \"$@\"\n", limit, Program(t)), 0o700); err != nil {
		t.Fatal(err)
	}
	return startMemverbs(t, script, flags)
}

// StartMemverbsWith starts memverbs with the settings in a file. addr is one of the addresses at which it
// listens then.
func StartMemverbsWith(t testing.TB, file, addr string) *Memverbs {
	t.Helper()
	m := &Memverbs{Addr: addr, path: Program(t), flags: []string{"--config", file}}
	if !m.launch(t) {
		t.Fatalf("memverbs does not start:\n%s", m.Log())
	}
	m.endWith(t)
	return m
}

// endWith ends the process at the end of the test.
func (m *Memverbs) endWith(t testing.TB) {
	t.Helper()
	t.Cleanup(func() {
		m.Stop(t)
		m.process.tell(t)
	})
}

// launch starts the process and waits until it is ready. It returns false if the process
// has ended instead.
func (m *Memverbs) launch(t testing.TB) bool {
	t.Helper()
	m.process = start(t, "memverbs on "+m.Addr, m.path, m.flags...)
	Await(t, m.process.Name, func() bool { return m.ready() || !m.process.Running() })
	return m.process.Running()
}

func (m *Memverbs) ready() bool { return strings.Contains(m.Log(), "msg=ready ") }

// Log returns what memverbs has logged so far.
func (m *Memverbs) Log() string { return m.process.Said() }

// FoundServerDown reports whether memverbs has logged that a server is down, or that it can't be reached, as
// a loop does that has never had a connection.
func (m *Memverbs) FoundServerDown() bool {
	return strings.Contains(m.Log(), "upstream is down") || strings.Contains(m.Log(), "upstream can't be reached")
}

// Stop ends memverbs as an operator would, and fails the test if it does not
// end in good order. It does nothing after Kill.
func (m *Memverbs) Stop(t testing.TB) {
	t.Helper()
	m.process.end(t, syscall.SIGTERM)
	if !m.killed() && m.process.Err() != nil {
		t.Errorf("%s ended with %v", m.process.Name, m.process.Err())
	}
	m.checkLog(t)
}

func (m *Memverbs) checkLog(t testing.TB) {
	t.Helper()
	for _, bad := range []string{"DATA RACE", "panic"} {
		if strings.Contains(m.Log(), bad) {
			t.Errorf("%s has logged a %s", m.process.Name, bad)
		}
	}
}

// Kill ends memverbs without giving it a chance to finish anything.
func (m *Memverbs) Kill(t testing.TB) {
	t.Helper()
	m.process.end(t, syscall.SIGKILL)
}

// Restart starts memverbs on the same address again, after Kill or Stop.
func (m *Memverbs) Restart(t testing.TB) {
	t.Helper()
	m.checkLog(t)
	m.process.tell(t)
	if !m.launch(t) {
		t.Fatalf("memverbs does not come back:\n%s", m.Log())
	}
}

func (m *Memverbs) killed() bool {
	var exit *exec.ExitError
	if !errors.As(m.process.Err(), &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// Pid returns the number of the process.
func (m *Memverbs) Pid() int { return m.process.Pid() }

// Program returns the path of a memverbs that was built for the tests, to be
// run by a test of how it starts and ends. The program has the race detector if the tests have it. With the build tag
// checked, only the program has it, since the tests themselves run several times as fast without.
func Program(t testing.TB) string {
	t.Helper()
	if underDetector {
		return checked.build(t)
	}
	return plain.build(t)
}

// PlainProgram is Program without the race detector, for tests in which one goroutine computes much.
func PlainProgram(t testing.TB) string {
	t.Helper()
	return plain.build(t)
}

// program is a memverbs that is built the first time that it is needed.
type program struct {
	checked bool // it has the race detector
	shifted bool // its clock is ahead or behind, see clock.go
	release bool // it is the last release, see release.go
	once    sync.Once
	folder  string
	err     error
}

var (
	checked = program{checked: true}
	plain   = program{}
	shifted = program{shifted: true}
	release = program{release: true}
)

// build builds the program and returns its path.
func (p *program) build(t testing.TB) string {
	t.Helper()
	p.once.Do(func() {
		if p.folder, p.err = os.MkdirTemp("", "memverbs-"); p.err != nil {
			return
		}
		// Unlike go build, go run keeps what it has linked, which takes seconds, for other packages of tests.
		args := []string{"run", "-exec", "cp -t " + p.folder}
		if p.checked {
			args = append(args, "-race")
		}
		if p.shifted {
			flag, err := overlayClock(root(t), p.folder)
			if err != nil {
				p.err = err
				return
			}
			args = append(args, flag)
		}
		build := exec.Command("go", append(args, "./cmd/memverbs")...)
		build.Dir = root(t)
		if p.release {
			if build.Dir, p.err = unpackRelease(build.Dir, p.folder); p.err != nil {
				return
			}
		}
		// Without cgo, as it is shipped and as the other packages are compiled. Only the race detector needs cgo.
		cgo := "CGO_ENABLED=0"
		if p.checked {
			cgo = "CGO_ENABLED=1"
		}
		build.Env = append(os.Environ(), cgo)
		if said, err := build.CombinedOutput(); err != nil {
			p.err = errors.New("memverbs does not build: " + string(said))
		}
	})
	if p.err != nil {
		t.Fatal(p.err)
	}
	return filepath.Join(p.folder, "memverbs")
}

// Main runs the tests of a package and removes the programs that were built
// for them. Call it from TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
func Main(m *testing.M) int {
	// A program with the race detector sleeps for a second before it ends, so that goroutines that still
	// run may show races. With hundreds of programs that is much of the time that the tests take. A
	// race that is just being reported is waited for all the same.
	os.Setenv("GORACE", "atexit_sleep_ms=10")
	defer func() {
		for _, p := range []*program{&checked, &plain, &shifted, &release} {
			if p.folder != "" {
				os.RemoveAll(p.folder)
			}
		}
	}()
	return m.Run()
}
