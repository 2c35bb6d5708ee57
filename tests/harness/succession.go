package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/spawn"
)

// Succession is a memverbs process that is followed by others, one after another, which it starts
// itself.
type Succession struct {
	log  string // a file: the end of a pipe would be noticed only when the successors, which inherit it, have ended too
	pids []int  // of all so far
}

// StartSuccession starts memverbs with flags, and waits until it is ready. At the end of the test
// the last of the processes is told to end, and all must do so in good order.
func StartSuccession(t testing.TB, flags ...string) *Succession {
	t.Helper()
	return startSuccession(t, exec.Command(checked.build(t), flags...))
}

// StartActivated is StartSuccession for a process that is started as systemd does it, with sockets
// that listen already, and with env in addition to the environment.
func StartActivated(t testing.TB, sockets []*os.File, env []string, flags ...string) *Succession {
	t.Helper()
	return startSuccession(t, Activated(t, sockets, env, flags...))
}

// Activated returns the command that StartActivated starts.
func Activated(t testing.TB, sockets []*os.File, env []string, flags ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", `LISTEN_PID=$$ exec "$@"`, "sh", checked.build(t)}, flags...)...)
	cmd.Env = append(append(os.Environ(), env...), fmt.Sprintf("LISTEN_FDS=%d", len(sockets)))
	cmd.ExtraFiles = sockets
	return cmd
}

func startSuccession(t testing.TB, cmd *exec.Cmd) *Succession {
	t.Helper()
	s := &Succession{log: filepath.Join(t.TempDir(), "log")}
	file, err := os.Create(s.log)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := spawn.Command(cmd); err != nil {
		t.Fatal(err)
	}
	go func() { _ = cmd.Wait() }()
	s.pids = []int{cmd.Process.Pid}
	end := guard(t, cmd.Process.Pid)
	t.Cleanup(func() {
		s.Stop(t)
		end()
		if t.Failed() {
			t.Logf("what the processes said:\n%s", s.Log())
		}
	})
	Await(t, "memverbs", func() bool { return strings.Contains(s.Log(), "msg=ready ") || gone(s.Pid()) })
	if gone(s.Pid()) {
		t.Fatalf("memverbs does not start:\n%s", s.Log())
	}
	return s
}

// guard starts a process that kills a group of processes when kill is called, or when this program
// has ended, in whatever way.
func guard(t testing.TB, group int) (kill func()) {
	t.Helper()
	guard := exec.Command("sh", "-c", fmt.Sprintf("read x; kill -KILL -- -%d", group))
	in, err := guard.StdinPipe()
	if err == nil {
		err = guard.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		in.Close()
		guard.Wait()
	}
}

// Log returns what all processes have logged so far.
func (s *Succession) Log() string {
	text, _ := os.ReadFile(s.log)
	return string(text)
}

// Pid returns the number of the last process.
func (s *Succession) Pid() int { return s.pids[len(s.pids)-1] }

// Signal sends a signal to the last process.
func (s *Succession) Signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(s.Pid(), signal); err != nil {
		t.Fatal(err)
	}
}

// Succeed makes the last process start a successor, and waits until that serves clients.
func (s *Succession) Succeed(t testing.TB) {
	t.Helper()
	s.Signal(t, syscall.SIGUSR2)
	s.AwaitSuccessor(t)
}

// AwaitSuccessor waits until a successor of the last process, which has been told to start one,
// serves clients. From then on that is the last process.
func (s *Succession) AwaitSuccessor(t testing.TB) {
	t.Helper()
	const says = `msg="the successor serves clients" pid=`
	Await(t, "a successor", func() bool { return strings.Count(s.Log(), says) == len(s.pids) })
	_, said, _ := strings.Cut(s.Log()[strings.LastIndex(s.Log(), says):], "pid=")
	pid := 0
	if _, err := fmt.Sscan(said, &pid); err != nil {
		t.Fatal(err)
	}
	s.pids = append(s.pids, pid)
}

// AwaitStopped waits until n of the processes have ended in good order.
func (s *Succession) AwaitStopped(t testing.TB, n int) {
	t.Helper()
	Await(t, "the end of a process", func() bool { return strings.Count(s.Log(), "msg=stopped\n") >= n })
}

// Stop ends the last process, and fails the test if one has not ended in good order.
func (s *Succession) Stop(t testing.TB) {
	t.Helper()
	if !gone(s.Pid()) {
		s.Signal(t, syscall.SIGTERM)
	}
	s.AwaitStopped(t, len(s.pids))
	for _, pid := range s.pids {
		Await(t, "the end of a process", func() bool { return gone(pid) })
	}
	for _, bad := range []string{"DATA RACE", "panic", "clients cut off"} {
		if strings.Contains(s.Log(), bad) {
			t.Errorf("the log tells of %q", bad)
		}
	}
}

// gone reports whether a process has ended, whether or not its end was noticed.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err != nil || strings.HasPrefix(state, "Z")
}
