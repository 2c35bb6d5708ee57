package service

import (
	"log/slog"
	"net"

	"github.com/memverbs/memverbs/proxy"
)

// warnOfExposure warns of addresses that the whole world may reach, if clients there need no
// password or certificate, or if passwords are sent there without TLS.
func warnOfExposure(server *proxy.Server, log *slog.Logger) {
	warn := func(addrs []net.Addr, text string) {
		for _, a := range addrs {
			if tcp, ok := a.(*net.TCPAddr); ok && exposed(tcp.IP) {
				log.Warn(text, "address", a.String())
			}
		}
	}
	warn(server.OpenAddrs(), "open to everybody who reaches this address: use one of a private network, or a firewall")
	warn(server.LegibleAddrs(), "clients send passwords to this address without encryption: set tls-cert and tls-key, or use an address of a private network")
}

// exposed reports whether ip is all addresses of the machine, or a public one.
func exposed(ip net.IP) bool {
	return ip.IsUnspecified() || ip.IsGlobalUnicast() && !ip.IsPrivate()
}
