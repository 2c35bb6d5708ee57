//go:build linux

package load

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Poll is an epoll of connections, for one goroutine. The zero value must be opened.
type Poll struct {
	fd     int
	events [256]unix.EpollEvent
}

// Open makes the epoll.
func (p *Poll) Open() (err error) {
	p.fd, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	return os.NewSyscallError("epoll_create1", err)
}

// Close closes the epoll, but no connection.
func (p *Poll) Close() { unix.Close(p.fd) }

// Add has events tell by index when there is something to do on fd. Each is told once: fd is to be read until nothing is
// left.
func (p *Poll) Add(fd, index int) error {
	// Edge-triggered, so that one call serves for good.
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLET, Fd: int32(index)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &event))
}

// Wait waits for events, but not longer than the time given. They are valid until it is called again.
func (p *Poll) Wait(timeout time.Duration) ([]unix.EpollEvent, error) {
	limit := unix.NsecToTimespec(int64(max(timeout, 0)))
	// Only epoll_pwait2 (Linux 5.11) waits for less than a millisecond.
	n, _, err := unix.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), uintptr(unsafe.Pointer(&p.events[0])),
		uintptr(len(p.events)), uintptr(unsafe.Pointer(&limit)), 0, 0)
	switch {
	case err == unix.EINTR:
		return nil, nil
	case err != 0:
		return nil, os.NewSyscallError("epoll_pwait2", err)
	}
	return p.events[:n], nil
}

// wakeOnTime has the kernel wake this thread when its time has come, rather than
// up to 50 µs later for the sake of the battery.
func wakeOnTime() error {
	return os.NewSyscallError("prctl", unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0))
}
