package service

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/proxy/admin"
	"github.com/memverbs/memverbs/proxy/listen"
)

// adminNames returns the host names of the admin server: the one at which it listens, if it is a name,
// the name of the machine, in full and up to its first dot, and the names in the settings.
func adminNames(s *settings.All) []string {
	host, _, _ := net.SplitHostPort(s.Admin) // checked before
	names := append([]string{host}, s.AdminHosts...)
	if machine, err := os.Hostname(); err == nil {
		short, _, _ := strings.Cut(machine, ".")
		names = append(names, machine, short)
	}
	return names
}

// startAdmin starts the admin server, on one of sockets if that was passed to the process. stop
// stops it; without the setting it does nothing.
func startAdmin(s *settings.All, running *reloader, sockets *listen.Sockets, log *slog.Logger) (stop func(), err error) {
	if s.Admin == "" {
		return func() {}, nil
	}
	l, err := sockets.Open(s.AdminAddress(), listen.Options{})
	if err != nil {
		return nil, fmt.Errorf("--admin: %w", err)
	}
	a := admin.Serve(l, adminNames(s), running.snapshot, running.ask, log)
	log.Info("the admin server is ready", "admin", a.Addr().String())
	if tcp, ok := a.Addr().(*net.TCPAddr); ok && exposed(tcp.IP) {
		log.Warn("the admin server is open to everybody who reaches this address, and shows keys: use one of a private network, or a firewall", "admin", a.Addr().String())
	}
	return a.Close, nil
}
