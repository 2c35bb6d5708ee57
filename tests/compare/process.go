//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// process is a program that was started.
type process struct {
	name   string
	addr   string
	cmd    *exec.Cmd
	log    *os.File
	exited chan struct{} // closed when err is there
	err    error
}

// start starts a program that will listen at addr and speak memcached's
// protocol there, and waits until it does.
func start(folder, name, addr, path string, args ...string) (*process, error) {
	p := &process{name: name, addr: addr, cmd: exec.Command(path, args...), exited: make(chan struct{})}
	var err error
	if p.log, err = os.CreateTemp(folder, "log-"); err != nil {
		return nil, err
	}
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := spawn(p.cmd); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	if err := p.await(); err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

// spawner is the thread that starts every process. The kernel kills a child
// whose Pdeathsig is set when the thread that forked it ends, so that thread
// must live as long as this program: a goroutine locked to it that never
// returns.
var spawner = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for do := range work {
			do()
		}
	}()
	return work
})

// spawn starts cmd such that it is killed when this program ends, however it
// ends.
func spawn(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err := make(chan error)
	spawner() <- func() { err <- cmd.Start() }
	return <-err
}

// await waits until the process answers.
func (p *process) await() error {
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if p.answers() {
				return nil
			}
		case <-p.exited:
			return fmt.Errorf("%s does not start:\n%s", p.name, p.said())
		case <-deadline:
			return fmt.Errorf("%s does not answer:\n%s", p.name, p.said())
		}
	}
}

func (p *process) answers() bool {
	conn, err := net.DialTimeout("tcp", p.addr, patience)
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, "get ready\r\n"); err != nil {
		return false
	}
	reply := make([]byte, len(end))
	_, err = io.ReadFull(conn, reply)
	return err == nil && bytes.Equal(reply, end)
}

// kill ends the process and waits until it is gone.
func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.exited
	p.log.Close()
}

// said returns the end of what the process has written, and how it ended if it
// has.
func (p *process) said() string {
	text, _ := os.ReadFile(p.log.Name())
	text = text[max(0, len(text)-2000):]
	select {
	case <-p.exited:
		return fmt.Sprintf("%s%s has ended: %v", text, p.name, p.err)
	default:
		return string(text)
	}
}

// Ports are taken from below those that the kernel gives to the connections of
// the load.
const (
	firstPort = 20000
	lastPort  = 32767
)

// freePort returns a port that nobody listens on.
func freePort() (port int, addr string, err error) {
	for range 100 {
		port = firstPort + rand.IntN(lastPort-firstPort+1)
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		var l net.Listener
		if l, err = net.Listen("tcp", addr); err == nil {
			return port, addr, l.Close()
		}
	}
	return 0, "", err
}
