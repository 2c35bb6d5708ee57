package transport

import (
	"encoding/binary"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// gnetReads is how much gnet reads at once, in bytes. It reads only what has arrived while it waited, since the loop waits and reads
// by itself otherwise.
const gnetReads = 16 << 10

// poller does what gnet has no function for: waiting for events outside of it, pausing the reading of one connection,
// reading and writing without intermediate buffers, reporting when a socket is writable
// again, and waking a loop by an event counter. On Linux it uses the epoll descriptor of gnet's event loop, and
// another one of its own, which that one polls.
type poller struct {
	poll    int // gnet's epoll descriptor, found in /proc
	counter int // gnet's event counter, which wakes its loop
	near    int // what makes gnet call endTurn
	own     int // epoll descriptor for writability

	events [256]unix.EpollEvent // of poll, for ready
	some   [64]unix.EpollEvent  // of own, for writable
}

// ready returns events, after waiting until there are some if it may. What gnet does not get from epoll again is to be given back.
func (e *poller) ready(wait bool) ([]unix.EpollEvent, error) {
	timeout := 0 // ms
	if wait {
		timeout = -1
	}
	n, err := unix.EpollWait(e.poll, e.events[:], timeout)
	if err == unix.EINTR {
		err = nil
	}
	return e.events[:max(n, 0)], err
}

// isGnets reports whether gnet was woken. Its counter is edge-triggered: epoll does not report it again.
func (e *poller) isGnets(event *unix.EpollEvent) bool { return int(event.Fd) == e.counter }

// giveBack wakes gnet once more.
func (e *poller) giveBack() { _, _ = unix.Write(e.counter, one[:]) }

// ownEvents marks the event that the poller's own epoll descriptor has events. gnet, which does not see the mark, takes it for
// one of near, and calls endTurn.
const ownEvents = 1

// wakes reports whether gnet will call endTurn.
func (e *poller) wakes(event *unix.EpollEvent) bool {
	return int(event.Fd) == e.near && event.Pad != ownEvents
}

// reportsWritable reports whether sockets are writable again.
func (e *poller) reportsWritable(event *unix.EpollEvent) bool {
	return int(event.Fd) == e.near && event.Pad == ownEvents
}

// newPoller finds the epoll descriptor of an event loop, which polls near.
func newPoller(all *epolls, near int) (*poller, error) {
	poll, counter, err := all.take(near)
	if err != nil {
		return nil, err
	}
	own, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	event := unix.EpollEvent{Fd: int32(near), Pad: ownEvents, Events: unix.EPOLLIN}
	if err = unix.EpollCtl(poll, unix.EPOLL_CTL_ADD, own, &event); err != nil {
		_ = unix.Close(own)
		return nil, os.NewSyscallError("epoll_ctl", err)
	}
	return &poller{poll: poll, counter: counter, near: near, own: own}, nil
}

// lighten replaces two connected sockets, of which gnet polls near, by event counters. epoll reports each write to far as one event
// of near, and a write takes half the time. For such an event, gnet calls endTurn only if it can read something from near. So near
// is a counter that can be read for ever, and is not polled itself.
func (e *poller) lighten(near, far int) error {
	// Another descriptor of the socket may still be open, so epoll would go on polling the socket.
	if err := unix.EpollCtl(e.poll, unix.EPOLL_CTL_DEL, near, nil); err != nil {
		return os.NewSyscallError("epoll_ctl", err)
	}
	if err := becomeCounter(near, unix.EFD_SEMAPHORE); err != nil {
		return err
	}
	if _, err := unix.Write(near, binary.NativeEndian.AppendUint64(nil, 1<<63)); err != nil { // each read takes 1 from it
		return os.NewSyscallError("write", err)
	}
	if err := becomeCounter(far, 0); err != nil {
		return err
	}
	event := unix.EpollEvent{Fd: int32(near), Events: unix.EPOLLIN | unix.EPOLLET}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(e.poll, unix.EPOLL_CTL_ADD, far, &event))
}

// becomeCounter replaces what a descriptor refers to by a new event counter.
func becomeCounter(fd, flags int) error {
	counter, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC|flags)
	if err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	defer func() { _ = unix.Close(counter) }()
	return os.NewSyscallError("dup3", unix.Dup3(counter, fd, unix.O_CLOEXEC))
}

// pause stops the event loop from reading fd. It reports whether that worked.
func (e *poller) pause(fd int) bool { return e.mask(fd, 0) }

// resume lets the event loop read fd again.
func (e *poller) resume(fd int) { e.mask(fd, unix.EPOLLIN|unix.EPOLLPRI) }

func (e *poller) mask(fd int, events uint32) bool {
	event := unix.EpollEvent{Fd: int32(fd), Events: events}
	return unix.EpollCtl(e.poll, unix.EPOLL_CTL_MOD, fd, &event) == nil
}

// write sends p. For short replies, sending takes some percent less processor time than writing, which would first ask what kind of
// file the socket is.
func (e *poller) write(to *handle, p []byte) (int, error) {
	return done(unix.RawSyscall6(unix.SYS_SENDTO, uintptr(to.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), unix.MSG_NOSIGNAL, 0, 0))
}

// writev sends at most [maxParts] parts.
func (e *poller) writev(to *handle, parts [][]byte) (int, error) {
	var vectors [maxParts]unix.Iovec
	for i, part := range parts {
		vectors[i].Base = unsafe.SliceData(part)
		vectors[i].SetLen(len(part))
	}
	message := unix.Msghdr{Iov: &vectors[0]}
	message.SetIovlen(len(parts))
	return done(unix.RawSyscall(unix.SYS_SENDMSG, uintptr(to.fd), uintptr(unsafe.Pointer(&message)), unix.MSG_NOSIGNAL))
}

// read receives what has arrived into p.
func (e *poller) read(fd int, p []byte) (int, error) {
	return done(unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), 0, 0, 0))
}

// done converts the results of a raw system call, which returns how many bytes it has transferred. Such a call is not announced
// to Go's scheduler, as gnet's descriptors never block: copying half a megabyte takes so long that the scheduler would
// give the loop's processor away and continue the loop on another thread. Not announcing it serves 20 connections with
// values of 500 kB 3 % faster, with 3 % less processor time.
func done(n, _ uintptr, errno unix.Errno) (int, error) {
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// unconfirmed implements [Conn.Unconfirmed].
func (e *poller) unconfirmed(fd int) int {
	if protocol, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PROTOCOL); protocol != unix.IPPROTO_TCP {
		return 0
	}
	n, _ := unix.IoctlGetInt(fd, unix.SIOCOUTQ)
	return max(n, 0)
}

// awaitWritable has writable return fd when the socket accepts more. watched says that it was called for
// fd before.
func (e *poller) awaitWritable(fd int, watched bool) error {
	event := unix.EpollEvent{Fd: int32(fd), Events: unix.EPOLLOUT | unix.EPOLLONESHOT}
	op := unix.EPOLL_CTL_MOD
	if !watched {
		op = unix.EPOLL_CTL_ADD
	}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(e.own, op, fd, &event))
}

// forget undoes awaitWritable.
func (e *poller) forget(fd int) { _ = unix.EpollCtl(e.own, unix.EPOLL_CTL_DEL, fd, nil) }

// writable returns the sockets that have become writable, those that are left over the next time.
func (e *poller) writable() []unix.EpollEvent {
	n, _ := unix.EpollWait(e.own, e.some[:], 0)
	return e.some[:max(n, 0)]
}

func (e *poller) close() { _ = unix.Close(e.own) }

// duplicate returns another descriptor of a socket, which outlives gnet's.
func (e *poller) duplicate(fd int) (int, error) {
	return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
}

// undelivered implements [Conn.Undelivered].
func (e *poller) undelivered(fd int) int {
	n, _ := unix.IoctlGetInt(fd, unix.SIOCOUTQ)
	return n
}

// unreceived implements [Conn.Unreceived].
func (e *poller) unreceived(fd int) int {
	n, _ := unix.IoctlGetInt(fd, unix.SIOCINQ)
	return n
}
