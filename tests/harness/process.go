package harness

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// process is a child process and what it has said.
type process struct {
	name   string
	cmd    *exec.Cmd
	said   output
	exited chan struct{} // closed when err is there
	err    error
}

// start starts the program at path. The caller sees to it that it ends.
func start(t testing.TB, name, path string, args ...string) *process {
	t.Helper()
	p := &process{name: name, cmd: exec.Command(path, args...), exited: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	if err := spawn(p.cmd); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	return p
}

func (p *process) running() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

func (p *process) signal(t testing.TB, s os.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatalf("%s: %v: %v", p.name, s, err)
	}
}

// end sends s and waits until the process is gone.
func (p *process) end(t testing.TB, s os.Signal) {
	t.Helper()
	if p.running() {
		p.cmd.Process.Signal(s) // fails if it has just ended by itself
	}
	Await(t, "the end of "+p.name, func() bool { return !p.running() })
}

// tell shows what the process has said if the test has failed.
func (p *process) tell(t testing.TB) {
	t.Helper()
	if said := p.said.String(); t.Failed() && said != "" {
		t.Logf("what %s said:\n%s", p.name, said)
	}
}

// stopped reports whether every thread of the process has been stopped.
func (p *process) stopped() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.cmd.Process.Pid))
	for _, thread := range threads {
		stat, _ := os.ReadFile(thread)
		_, state, _ := bytes.Cut(stat, []byte(") ")) // behind the name
		if len(state) == 0 || state[0] != 'T' {
			return false
		}
	}
	return len(threads) > 0
}

func (p *process) freeze(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGSTOP)
	Await(t, p.name+" to stop", p.stopped)
}

func (p *process) thaw(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGCONT)
	Await(t, p.name+" to go on", func() bool { return !p.stopped() })
}

// output keeps what a process writes; it is read while that goes on.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
