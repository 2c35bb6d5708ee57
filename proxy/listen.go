package proxy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/proxy/transport"
)

// Address is where a server listens.
type Address struct {
	Network string // "tcp" or "unix"
	Address string // what net.Listen takes
}

func (a Address) String() string {
	if a.Network == "unix" {
		return "unix:" + a.Address
	}
	return a.Address
}

// ParseListen reads host:port, :port or unix:/path.
func ParseListen(s string) (Address, error) {
	if path, ok := strings.CutPrefix(s, "unix:"); ok {
		if !strings.HasPrefix(path, "/") {
			return Address{}, fmt.Errorf("%q: the path of a socket must begin with /", s)
		}
		return Address{"unix", path}, nil
	}
	if _, port, err := net.SplitHostPort(s); err != nil || port == "" {
		return Address{}, fmt.Errorf("%q: expected host:port, :port or unix:/path", s)
	}
	if _, err := net.ResolveTCPAddr("tcp", s); err != nil {
		return Address{}, fmt.Errorf("%q: %w", s, err)
	}
	return Address{"tcp", s}, nil
}

// listen opens the listener for a. mode is for unix sockets.
func listen(a Address, mode fs.FileMode) (net.Listener, error) {
	open := func() (net.Listener, error) { return net.Listen(a.Network, a.Address) }
	if a.Network == "unix" {
		open = func() (net.Listener, error) { return listenUnix(a.Address, mode) }
	}
	l, err := open()
	if a.Network == "unix" && errors.Is(err, syscall.EADDRINUSE) && abandoned(a.Address) {
		if err := os.Remove(a.Address); err != nil {
			return nil, fmt.Errorf("cannot listen on %v: a socket that nobody listens on is in the way: %w", a, err)
		}
		l, err = open()
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %v: %w", a, transport.Cause(err))
	}
	return l, nil
}

// abandoned reports whether path is a socket that a process has left behind.
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

// checkSelf refuses upstreams that are one of the proxy's own listeners.
func (s *Server) checkSelf() error {
	ctx, cancel := context.WithTimeout(s.context, s.config.ConnectTimeout)
	defer cancel()
	for _, u := range s.config.Upstreams {
		for _, l := range s.listeners {
			if isSelf(ctx, u, l.Addr()) {
				return fmt.Errorf("upstream %s is this proxy itself, which listens on %s; give the address of a memcached", u.Name, l.Addr())
			}
		}
	}
	return nil
}

func isSelf(ctx context.Context, u Upstream, own net.Addr) bool {
	if u.Network != own.Network() {
		return false
	}
	if u.Network == "unix" {
		return sameFile(u.Address, own.String())
	}
	host, port, err := net.SplitHostPort(u.Address)
	tcp, ok := own.(*net.TCPAddr)
	if err != nil || !ok || port != fmt.Sprint(tcp.Port) {
		return false
	}
	ips, err := net.DefaultResolver.LookupIP(ctx, "ip", host)
	if err != nil {
		return false // it can't be reached now, whatever it is
	}
	for _, ip := range ips {
		if ip.Equal(tcp.IP) || tcp.IP.IsUnspecified() && local(ip) || ip.IsUnspecified() {
			return true
		}
	}
	return false
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return a == b
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// local reports whether ip is an address of this machine.
func local(ip net.IP) bool {
	if ip.IsLoopback() {
		return true
	}
	addrs, _ := net.InterfaceAddrs()
	for _, addr := range addrs {
		if n, ok := addr.(*net.IPNet); ok && n.IP.Equal(ip) {
			return true
		}
	}
	return false
}
