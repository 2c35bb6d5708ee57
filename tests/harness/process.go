package harness

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/spawn"
)

// process is a child process of a test.
type process struct{ *spawn.Process }

// start starts the program at path. The caller must end it.
func start(t testing.TB, name, path string, args ...string) process {
	t.Helper()
	p, err := spawn.Start(name, path, args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return process{p}
}

func (p process) signal(t testing.TB, s os.Signal) {
	t.Helper()
	if err := p.Signal(s); err != nil {
		t.Fatalf("%s: %v: %v", p.Name, s, err)
	}
}

// end sends s and waits until the process is gone.
func (p process) end(t testing.TB, s os.Signal) {
	t.Helper()
	if p.Running() {
		p.Signal(s) // fails if it has just ended by itself
	}
	Await(t, "the end of "+p.Name, func() bool { return !p.Running() })
}

// tell shows what the process has said if the test has failed.
func (p process) tell(t testing.TB) {
	t.Helper()
	if said := p.Said(); t.Failed() && said != "" {
		t.Logf("what %s said:\n%s", p.Name, said)
	}
}

// stopped reports whether every thread of the process has been stopped.
func (p process) stopped() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.Pid()))
	for _, thread := range threads {
		stat, _ := os.ReadFile(thread)
		_, state, _ := bytes.Cut(stat, []byte(") ")) // after the name
		if len(state) == 0 || state[0] != 'T' {
			return false
		}
	}
	return len(threads) > 0
}

func (p process) freeze(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGSTOP)
	Await(t, p.Name+" to stop", p.stopped)
}

func (p process) thaw(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGCONT)
	Await(t, p.Name+" to go on", func() bool { return !p.stopped() })
}
