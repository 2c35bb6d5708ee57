//go:build linux

package load

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

// Target is a server: network "tcp" and host:port, an IPv4 address, or network
// "unix" and a path.
type Target struct {
	Network, Addr string
	TLS           *tls.Config // for handshakes with a server that speaks TLS, whose name it must have; nil for others
}

// Dial connects to the target, for what is not measured. It fails if the server does not
// accept that in 5 s.
func (t Target) Dial() (net.Conn, error) {
	dialer := &net.Dialer{Timeout: patience}
	if t.TLS == nil {
		return dialer.Dial(t.Network, t.Addr)
	}
	conn, err := tls.DialWithDialer(dialer, t.Network, t.Addr, t.TLS)
	if err != nil {
		return nil, err
	}
	return conn, nil
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
