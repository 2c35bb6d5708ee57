package spawn

import (
	"bytes"
	"os"
	"os/exec"
	"sync"
)

// Process is a child process and what it has said.
type Process struct {
	Name string

	cmd    *exec.Cmd
	said   output
	exited chan struct{} // closed when err is there
	err    error
}

// Start starts the program at path. The name is for messages.
func Start(name, path string, args ...string) (*Process, error) {
	p := &Process{Name: name, cmd: exec.Command(path, args...), exited: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	if err := Command(p.cmd); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// Pid returns the number of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Said returns what the process has written so far.
func (p *Process) Said() string { return p.said.String() }

// Exited returns a channel that is closed when the process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Running reports whether the process has not ended yet.
func (p *Process) Running() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// Err waits until the process has ended and returns how: nil for exit status 0.
func (p *Process) Err() error {
	<-p.exited
	return p.err
}

// Signal sends s to the process. It fails if that has ended.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill ends the process without giving it a chance to close anything, and waits
// until it is gone.
func (p *Process) Kill() {
	p.cmd.Process.Kill() // fails if it has just ended by itself
	<-p.exited
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
