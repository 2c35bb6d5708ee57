package listen

import (
	"context"
	"io/fs"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// socket is an open listener of [Sockets]. Close removes its file, if it has one, unless another
// process has replaced the file.
type socket struct {
	net.Listener
	of      *Sockets
	file    *file // of a unix socket that memverbs has made; nil otherwise
	foreign bool  // systemd has it too
	shared  bool  // another memverbs has it too; Sockets.mu protects this
	close   sync.Once
}

// file is the file of a unix socket.
type file struct {
	path string
	info fs.FileInfo
}

// listenTCP listens at an address. With reusePort, other processes may do so too.
func listenTCP(address string, reusePort bool) (net.Listener, error) {
	var config net.ListenConfig
	if reusePort {
		config.Control = func(_, _ string, c syscall.RawConn) error {
			return control(c, func(fd int) error {
				return os.NewSyscallError("setsockopt", unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1))
			})
		}
	}
	return config.Listen(context.Background(), "tcp", address)
}

// listenUnix listens on a unix socket at path whose file has the permissions mode,
// whatever the umask. The net package can't do that: it listens before the mode can be
// set, so others could connect in between.
func listenUnix(path string, mode fs.FileMode) (net.Listener, *file, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socket", err)
	}
	unix.CloseOnExec(fd)
	_ = unix.SetNonblock(fd, true)
	bound := os.NewFile(uintptr(fd), path)
	defer func() { _ = bound.Close() }() // the listener has a duplicate
	if err = unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return nil, nil, os.NewSyscallError("bind", err)
	}
	f := &file{path: path}
	l, err := f.open(bound, mode)
	if err != nil {
		f.remove()
		return nil, nil, err
	}
	return l, f, nil
}

// open sets the mode of a bound socket and then lets it listen. Before that nobody can
// connect.
func (f *file) open(bound *os.File, mode fs.FileMode) (l net.Listener, err error) {
	if f.info, err = os.Lstat(f.path); err != nil {
		return nil, err
	}
	if err = os.Chmod(f.path, mode); err != nil {
		return nil, err
	}
	if err = unix.Listen(int(bound.Fd()), unix.SOMAXCONN); err != nil {
		return nil, os.NewSyscallError("listen", err)
	}
	return net.FileListener(bound)
}

// current reports whether the file is still the one of this socket.
func (f *file) current() bool {
	if f == nil || f.info == nil {
		return false
	}
	now, err := os.Lstat(f.path)
	return err == nil && os.SameFile(f.info, now)
}

// remove removes the file if it is still the one of this socket.
func (f *file) remove() {
	if f.current() {
		_ = os.Remove(f.path)
	}
}

// Close stops listening. It removes the file first: as soon as the socket is closed,
// another file may get the same inode and be mistaken for this one.
func (s *socket) Close() (err error) {
	s.close.Do(func() {
		if alone := s.of.forget(s); alone {
			s.file.remove()
			s.awaitAccepts()
		}
		err = s.Listener.Close()
	})
	return err
}

const (
	// mostWait is how long Close waits for connected clients to be accepted.
	mostWait = 100 * time.Millisecond
	// acceptCheck is how often it checks for that.
	acceptCheck = time.Millisecond
)

// awaitAccepts waits until the owner of the listener has accepted the clients that have connected.
// Nobody else will accept them, so closing the socket would reset their connections.
func (s *socket) awaitAccepts() {
	limit := time.After(mostWait)
	check := time.NewTicker(acceptCheck)
	defer check.Stop()
	for s.queued() {
		select {
		case <-check.C:
		case <-limit:
			return
		}
	}
}

// queued reports whether a client has connected and is not accepted yet.
func (s *socket) queued() (any bool) {
	_ = s.control(func(fd int) error {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		any = err == nil && n > 0
		return err
	})
	return any
}

// duplicate returns another descriptor of the socket. It is closed on exec. It is non-blocking, a
// state that it shares with the listener's descriptor.
func (s *socket) duplicate() (f *os.File, err error) {
	name := nameOwn
	if s.foreign || s.file != nil && !s.file.current() {
		name = nameForeign
	}
	err = s.control(func(fd int) error {
		double, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
		if err == nil {
			f = os.NewFile(uintptr(double), name)
		}
		return os.NewSyscallError("fcntl", err)
	})
	return f, err
}

// control calls do with the descriptor of the listener.
func (s *socket) control(do func(fd int) error) error {
	conn, err := s.Listener.(syscall.Conn).SyscallConn()
	if err != nil {
		return err
	}
	return control(conn, do)
}

// control calls do with the descriptor of a connection.
func control(conn syscall.RawConn, do func(fd int) error) (err error) {
	if wrong := conn.Control(func(fd uintptr) { err = do(int(fd)) }); wrong != nil {
		return wrong
	}
	return err
}

// Names of descriptors that one memverbs passes to another.
const (
	nameOwn     = "own"     // one that memverbs has made
	nameForeign = "foreign" // one of systemd, or one whose file was replaced
)
