package transport

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// poller does what gnet has no function for: pausing the reading of one connection,
// reading and writing without intermediate buffers, reporting when a socket is writable
// again, and waking a loop by an event counter. On Linux it uses the epoll descriptor of gnet's event loop, and
// another one of its own.
type poller struct {
	loop    *Loop
	poll    int             // gnet's epoll descriptor, found in /proc
	own     int             // epoll descriptor for writability
	file    *os.File        // own, registered with Go's poller
	waiting map[int32]*Conn // by descriptor; for the loop only
}

// newPoller finds the epoll descriptor of the event loop. fd is a descriptor that the
// loop polls.
func newPoller(l *Loop, fd int) (*poller, error) {
	poll, err := l.engine.epolls.take(fd)
	if err != nil {
		return nil, err
	}
	own, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	if err = unix.SetNonblock(own, true); err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	e := &poller{loop: l, poll: poll, own: own, waiting: map[int32]*Conn{}}
	e.file = os.NewFile(uintptr(own), "epoll")
	conn, err := e.file.SyscallConn()
	if err != nil {
		return nil, err
	}
	go e.watch(conn)
	return e, nil
}

// lighten replaces two connected sockets, of which the loop polls near, by an event counter:
// writing to far and reading near then take half the time.
func (e *poller) lighten(near, far int) error {
	counter, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	defer func() { _ = unix.Close(counter) }()
	// Another descriptor of the socket may still be open, so epoll would go on polling the socket.
	if err = unix.EpollCtl(e.poll, unix.EPOLL_CTL_DEL, near, nil); err != nil {
		return os.NewSyscallError("epoll_ctl", err)
	}
	for _, fd := range []int{near, far} {
		if err = unix.Dup3(counter, fd, unix.O_CLOEXEC); err != nil {
			return os.NewSyscallError("dup3", err)
		}
	}
	event := unix.EpollEvent{Fd: int32(near), Events: unix.EPOLLIN}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(e.poll, unix.EPOLL_CTL_ADD, near, &event))
}

// pause stops the event loop from reading c. It reports whether that worked.
func (e *poller) pause(c *Conn) bool { return e.mask(c, 0) }

// resume lets the event loop read c again.
func (e *poller) resume(c *Conn) { e.mask(c, unix.EPOLLIN|unix.EPOLLPRI) }

func (e *poller) mask(c *Conn, events uint32) bool {
	event := unix.EpollEvent{Fd: int32(c.fd), Events: events}
	return unix.EpollCtl(e.poll, unix.EPOLL_CTL_MOD, c.fd, &event) == nil
}

func (e *poller) write(c *Conn, p []byte) (int, error) {
	return transfer(unix.SYS_WRITE, c.fd, unsafe.Pointer(unsafe.SliceData(p)), len(p))
}

// writev writes at most [maxParts] parts.
func (e *poller) writev(c *Conn, parts [][]byte) (int, error) {
	var vectors [maxParts]unix.Iovec
	for i, part := range parts {
		vectors[i].Base = unsafe.SliceData(part)
		vectors[i].SetLen(len(part))
	}
	return transfer(unix.SYS_WRITEV, c.fd, unsafe.Pointer(&vectors), len(parts))
}

// read reads what has arrived into p.
func (e *poller) read(c *Conn, p []byte) (int, error) {
	return transfer(unix.SYS_READ, c.fd, unsafe.Pointer(unsafe.SliceData(p)), len(p))
}

// transfer makes the system call on the memory that p points to. It does not announce the
// call to Go's scheduler, because gnet's descriptors never block: copying half a megabyte
// takes so long that the scheduler would give the loop's processor away and continue the
// loop on another thread. Not announcing it serves 20 connections with values of 500 kB 3
// % faster, with 3 % less processor time.
func transfer(call uintptr, fd int, p unsafe.Pointer, length int) (int, error) {
	n, _, errno := unix.RawSyscall(call, uintptr(fd), uintptr(p), uintptr(length))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// unconfirmed implements [Conn.Unconfirmed].
func (e *poller) unconfirmed(c *Conn) int {
	if protocol, _ := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_PROTOCOL); protocol != unix.IPPROTO_TCP {
		return 0
	}
	n, _ := unix.IoctlGetInt(c.fd, unix.SIOCOUTQ)
	return max(n, 0)
}

// awaitWritable arranges a call of c.writable on the loop when the socket accepts more.
func (e *poller) awaitWritable(c *Conn) {
	event := unix.EpollEvent{Fd: int32(c.fd), Events: unix.EPOLLOUT | unix.EPOLLONESHOT}
	op := unix.EPOLL_CTL_MOD
	if !c.watched {
		op = unix.EPOLL_CTL_ADD
	}
	if err := unix.EpollCtl(e.own, op, c.fd, &event); err != nil {
		c.fail(os.NewSyscallError("epoll_ctl", err))
		return
	}
	c.watched = true
	e.waiting[event.Fd] = c
}

// forget undoes awaitWritable. It must be called before the descriptor is closed: the
// socket may live on under another descriptor and would be polled for ever.
func (e *poller) forget(c *Conn) {
	if c.watched {
		c.watched = false
		delete(e.waiting, int32(c.fd))
		_ = unix.EpollCtl(e.own, unix.EPOLL_CTL_DEL, c.fd, nil)
	}
}

// watch waits for writable sockets and posts them to the loop. It runs on its own goroutine, parked
// in Go's poller, until close.
func (e *poller) watch(conn syscall.RawConn) {
	var events [64]unix.EpollEvent
	for {
		n := 0
		err := conn.Read(func(fd uintptr) bool {
			n, _ = unix.EpollWait(int(fd), events[:], 0)
			return n > 0
		})
		if err != nil {
			return
		}
		ready := make([]int32, 0, n)
		for _, event := range events[:n] {
			ready = append(ready, event.Fd)
		}
		e.loop.Post(func() {
			for _, fd := range ready {
				if c := e.waiting[fd]; c != nil {
					delete(e.waiting, fd)
					c.writable()
				}
			}
		})
	}
}

func (e *poller) close() {
	_ = e.file.Close()
}

// duplicate returns another descriptor of c's socket, which outlives gnet's.
func (e *poller) duplicate(c *Conn) (int, error) {
	return unix.FcntlInt(uintptr(c.fd), unix.F_DUPFD_CLOEXEC, 0)
}

// unread implements [Conn.Unread].
func (e *poller) unread(c *Conn) int {
	n, _ := unix.IoctlGetInt(c.fd, unix.SIOCOUTQ)
	return n
}

// unheard implements [Conn.Unheard].
func (e *poller) unheard(c *Conn) int {
	n, _ := unix.IoctlGetInt(c.fd, unix.SIOCINQ)
	return n
}
