package harness

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// spawner is the thread that starts every process. The kernel kills a child
// whose Pdeathsig is set when the thread that forked it ends, so that thread
// must live as long as the test run, and no longer: a goroutine that is locked
// to it and never returns.
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

// spawn starts cmd such that it is killed when this process ends, however it
// ends.
func spawn(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err := make(chan error)
	spawner() <- func() { err <- cmd.Start() }
	return <-err
}
