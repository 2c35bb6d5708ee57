package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/admin"
)

// checkAdmin returns an error if address can't be that of the admin server.
func checkAdmin(address string) error {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fmt.Errorf("%q is not an address: use host:port, such as 127.0.0.1:9151", address)
	}
	return nil
}

// startAdmin starts the admin server. stop stops it; without the setting it does nothing.
func (s *settings) startAdmin(server *proxy.Server, log *slog.Logger) (stop func(), err error) {
	if s.admin == "" {
		return func() {}, nil
	}
	a, err := admin.Listen(s.admin, server.Snapshot, log)
	if err != nil {
		return nil, err
	}
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
