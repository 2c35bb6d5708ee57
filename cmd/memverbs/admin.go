package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/memverbs/memverbs/proxy/admin"
	"github.com/memverbs/memverbs/proxy/listen"
)

// checkAdmin returns an error if address can't be that of the admin server.
func checkAdmin(address string) error {
	const expected = "use host:port, such as 127.0.0.1:9151, or [ipv6]:port"
	_, port, err := net.SplitHostPort(address)
	if strings.HasPrefix(address, "unix:") {
		return fmt.Errorf("%q is a unix socket, and the admin server listens at TCP addresses only: %s", address, expected)
	}
	if err != nil || port == "" {
		return fmt.Errorf("%q is not an address: %s", address, expected)
	}
	if _, err = net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("%q is not an address, as %q is no port from 0 to 65535: %s", address, port, expected)
	}
	return nil
}

// adminAddress returns the address of the admin server. There must be one.
func (s *settings) adminAddress() listen.Address {
	return listen.Address{Network: "tcp", Address: s.admin}
}

// checkHostName returns an error if name can't be one by which clients ask for the admin server.
func checkHostName(name string) error {
	if name == "" || strings.ContainsAny(name, ":/ *[]") {
		return fmt.Errorf("%q is not a host name: write it without a port, such as cache1.example", name)
	}
	return nil
}

// adminNames returns the host names of the admin server: the one at which it listens, if it is a name,
// that of the machine, in full and up to its first dot, and those of the settings.
func (s *settings) adminNames() []string {
	host, _, _ := net.SplitHostPort(s.admin) // checked before
	names := append([]string{host}, s.adminHosts...)
	if machine, err := os.Hostname(); err == nil {
		short, _, _ := strings.Cut(machine, ".")
		names = append(names, machine, short)
	}
	return names
}

// startAdmin starts the admin server, on one of sockets if that was passed to the process. stop
// stops it; without the setting it does nothing.
func (s *settings) startAdmin(running *reloader, sockets *listen.Sockets, log *slog.Logger) (stop func(), err error) {
	if s.admin == "" {
		return func() {}, nil
	}
	l, err := sockets.Open(s.adminAddress(), listen.Options{})
	if err != nil {
		return nil, fmt.Errorf("--admin: %w", err)
	}
	a := admin.Serve(l, s.adminNames(), running.snapshot, running.ask, log)
	log.Info("the admin server is ready", "admin", a.Addr().String())
	if tcp, ok := a.Addr().(*net.TCPAddr); ok && exposed(tcp.IP) {
		log.Warn("the admin server is open to everybody who reaches this address, and shows keys: use one of a private network, or a firewall", "admin", a.Addr().String())
	}
	return a.Close, nil
}

// agreementSize is the length of an agreement, in bytes: enough to tell some dozens of
// configurations apart, and short enough to be compared by eye.
const agreementSize = 6

// agreement returns a hash of the settings that all proxies in front of a pool must agree on.
func (p *pool) agreement() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %v %d", p.placing(), p.logChunk, p.logChunks))
	return hex.EncodeToString(sum[:agreementSize])
}
