//go:build linux

package load

import (
	"fmt"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

// connect returns a connected socket that does not block.
func connect(t Target) (fd int, err error) {
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
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		unix.Close(fd)
		return -1, os.NewSyscallError("connect", err)
	}
	return fd, nil
}

func (t Target) sockaddr() (family int, addr unix.Sockaddr, err error) {
	switch t.Network {
	case "tcp":
		a, err := netip.ParseAddrPort(t.Addr)
		if err != nil || !a.Addr().Is4() {
			return 0, nil, fmt.Errorf("%q is no IPv4 address with a port", t.Addr)
		}
		return unix.AF_INET, &unix.SockaddrInet4{Addr: a.Addr().As4(), Port: int(a.Port())}, nil
	case "unix":
		return unix.AF_UNIX, &unix.SockaddrUnix{Name: t.Addr}, nil
	}
	return 0, nil, fmt.Errorf("%q is no network; there are tcp and unix", t.Network)
}
