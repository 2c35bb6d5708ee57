// Package listen opens the listeners for clients, on TCP and unix sockets.
//
// [Sockets] opens them: it uses sockets that were passed to the process, by systemd or by the
// process that it takes over from, and passes them on. So a socket can outlive the process that has
// made it, and clients that connect meanwhile wait instead of being refused.
//
// A unix socket has its permissions before anybody can connect to it, and replaces a socket file
// that a process has left behind. [LeadsTo] reports whether an address is one of this process's
// listeners, so that the proxy does not become its own upstream.
package listen

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/proxy/transport"
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

// open opens a new socket at a.
func open(a Address, o Options) (*socket, error) {
	s := &socket{}
	try := func() (err error) {
		if a.Network == "unix" {
			s.Listener, s.file, err = listenUnix(a.Address, o.Mode)
		} else {
			s.Listener, err = listenTCP(a.Address, o.ReusePort)
		}
		return err
	}
	err := try()
	if a.Network == "unix" && errors.Is(err, syscall.EADDRINUSE) && abandoned(a.Address) {
		if err := os.Remove(a.Address); err != nil {
			return nil, fmt.Errorf("cannot listen on %s: a socket that nobody listens on is in the way: %w", smallfile.Name(a.String()), smallfile.Named(err))
		}
		err = try()
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w%s", smallfile.Name(a.String()), transport.Cause(err), a.advice(err))
	}
	return s, nil
}

// abandoned reports whether path is a socket file that a process has left behind.
func abandoned(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != fs.ModeSocket {
		return false
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = conn.Close()
		return false
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}
