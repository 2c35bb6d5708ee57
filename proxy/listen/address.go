package listen

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
)

// Address is where a server listens.
type Address struct {
	Network string // "tcp" or "unix"
	Address string // for net.Listen
}

func (a Address) String() string {
	if a.Network == "unix" {
		return "unix:" + a.Address
	}
	return a.Address
}

// AddressOf returns the address of an open listener, whose String is what an operator writes for it.
func AddressOf(a net.Addr) Address { return Address{a.Network(), a.String()} }

// Parse parses host:port, [ipv6]:port, :port or unix:/path.
func Parse(s string) (Address, error) {
	if path, ok := strings.CutPrefix(s, "unix:"); ok {
		if !strings.HasPrefix(path, "/") {
			return Address{}, fmt.Errorf("%q: the path of a socket must begin with /", s)
		}
		if len(path) > longestPath {
			return Address{}, fmt.Errorf("%q: the path of a socket has at most %d bytes", s, longestPath)
		}
		return Address{"unix", path}, nil
	}
	if strings.Contains(s, ",") {
		return Address{}, fmt.Errorf("%q: expected a single address: give each one apart", s)
	}
	_, port, err := net.SplitHostPort(s)
	if err != nil || port == "" {
		return Address{}, fmt.Errorf("%q: expected host:port, [ipv6]:port, :port or unix:/path", s)
	}
	if n, err := strconv.Atoi(port); err == nil && (n < 0 || n > 65535) {
		return Address{}, fmt.Errorf("%q: a port is a number from 0, for any that is free, to 65535", s)
	}
	if _, err := net.ResolveTCPAddr("tcp", s); err != nil {
		return Address{}, fmt.Errorf("%q: %w", s, err)
	}
	return Address{"tcp", s}, nil
}

// longestPath is how long the path of a unix socket may be, in bytes.
const longestPath = len(syscall.RawSockaddrUnix{}.Path) - 1
