package spawn

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// spawner is the thread that starts every process. The kernel kills a child
// whose Pdeathsig is set when the thread that forked it ends, so that thread
// must live as long as this program, and no longer: a goroutine that is locked
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

// Command starts cmd such that it is killed when this program ends. (The kernel
// forgets about that if cmd changes its user.)
func Command(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err := make(chan error)
	spawner() <- func() { err <- cmd.Start() }
	return <-err
}
