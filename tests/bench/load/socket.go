//go:build linux

package load

import (
	"os"

	"golang.org/x/sys/unix"
)

// Connect returns a socket, which blocks, that is connected to a target, without TLS.
func Connect(t Target) (fd int, err error) {
	family, addr, err := t.sockaddr()
	if err != nil {
		return -1, err
	}
	fd, err = unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	if err = unix.Connect(fd, addr); err == nil && family == unix.AF_INET {
		err = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	}
	if err != nil {
		unix.Close(fd)
		return -1, os.NewSyscallError("connect", err)
	}
	return fd, nil
}
