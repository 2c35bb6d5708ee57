package main

import (
	"log/slog"
	"net"
)

// warnOfExposure logs those of addresses that the whole world may reach: anybody who does can read
// and change what the servers hold. addrs are addresses at which no certificate is needed.
func warnOfExposure(addrs []net.Addr, log *slog.Logger) {
	for _, a := range addrs {
		if tcp, ok := a.(*net.TCPAddr); ok && exposed(tcp.IP) {
			log.Warn("open to everybody who reaches this address: use one of a private network, or a firewall", "address", a.String())
		}
	}
}

// exposed reports whether ip is all addresses of the machine, or a public one.
func exposed(ip net.IP) bool {
	return ip.IsUnspecified() || ip.IsGlobalUnicast() && !ip.IsPrivate()
}
