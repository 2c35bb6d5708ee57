package listen

import (
	"io/fs"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// socket is a listener on a unix socket. When it is closed it removes the file
// of the socket, unless another process has put its own there meanwhile.
type socket struct {
	net.Listener
	path  string
	file  fs.FileInfo // of the socket
	close sync.Once
}

// listenUnix listens on a unix socket at path whose file has the permissions
// that mode says, whatever the umask. The net package can't do that: it listens
// before the mode can be set, so that others could connect first.
func listenUnix(path string, mode fs.FileMode) (net.Listener, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	unix.CloseOnExec(fd)
	_ = unix.SetNonblock(fd, true)
	bound := os.NewFile(uintptr(fd), path)
	defer func() { _ = bound.Close() }() // the listener has another descriptor
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

// open has a socket that has been bound listen. Nobody can connect before.
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

// Close stops listening. The file is removed first: its inode may be given to
// another as soon as the socket is closed, and would be taken for this one.
func (s *socket) Close() (err error) {
	s.close.Do(func() {
		s.remove()
		err = s.Listener.Close()
	})
	return err
}

// remove removes the file if it is still that of this socket.
func (s *socket) remove() {
	if now, err := os.Lstat(s.path); err == nil && s.file != nil && os.SameFile(s.file, now) {
		_ = os.Remove(s.path)
	}
}
