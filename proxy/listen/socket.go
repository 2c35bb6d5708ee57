package listen

import (
	"io/fs"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// socket is a listener on a unix socket. Close removes the socket's file, unless
// another process has replaced it meanwhile.
type socket struct {
	net.Listener
	path  string
	file  fs.FileInfo // of the socket
	close sync.Once
}

// listenUnix listens on a unix socket at path whose file has the permissions mode,
// whatever the umask. The net package can't do that: it listens before the mode can be
// set, so others could connect in between.
func listenUnix(path string, mode fs.FileMode) (net.Listener, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	unix.CloseOnExec(fd)
	_ = unix.SetNonblock(fd, true)
	bound := os.NewFile(uintptr(fd), path)
	defer func() { _ = bound.Close() }() // the listener has a duplicate
	if err = unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return nil, os.NewSyscallError("bind", err)
	}
	s := &socket{path: path}
	if err = s.open(bound, mode); err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

// open sets the mode of a bound socket and then lets it listen. Before that nobody can
// connect.
func (s *socket) open(bound *os.File, mode fs.FileMode) (err error) {
	if s.file, err = os.Lstat(s.path); err != nil {
		return err
	}
	if err = os.Chmod(s.path, mode); err != nil {
		return err
	}
	if err = unix.Listen(int(bound.Fd()), unix.SOMAXCONN); err != nil {
		return os.NewSyscallError("listen", err)
	}
	s.Listener, err = net.FileListener(bound)
	return err
}

// Close stops listening. It removes the file first: as soon as the socket is closed,
// another file may get the same inode and be mistaken for this one.
func (s *socket) Close() (err error) {
	s.close.Do(func() {
		s.remove()
		err = s.Listener.Close()
	})
	return err
}

// remove removes the file if it is still the one of this socket.
func (s *socket) remove() {
	if now, err := os.Lstat(s.path); err == nil && s.file != nil && os.SameFile(s.file, now) {
		_ = os.Remove(s.path)
	}
}
