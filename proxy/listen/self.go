package listen

import (
	"context"
	"fmt"
	"net"
	"os"
)

// LeadsTo reports whether a connection to address reaches this process's listener with
// the address own.
func LeadsTo(ctx context.Context, network, address string, own net.Addr) bool {
	if network != own.Network() {
		return false
	}
	if network == "unix" {
		return sameFile(address, own.String())
	}
	host, port, err := net.SplitHostPort(address)
	tcp, ok := own.(*net.TCPAddr)
	if err != nil || !ok || port != fmt.Sprint(tcp.Port) {
		return false
	}
	ips, err := net.DefaultResolver.LookupIP(ctx, "ip", host)
	if err != nil {
		return false // it can't be reached now anyway
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
