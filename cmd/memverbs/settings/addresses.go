package settings

import (
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/proxy/listen"
)

// Endpoint is an address to listen at, in a form that is equal for all ways to write it.
type Endpoint struct {
	listen.Address
	host string // or the path of a socket
	port int
}

// EndpointOf converts an address. Of host names it knows only localhost, at which memverbs listens
// by IPv4.
func EndpointOf(a listen.Address) Endpoint {
	if a.Network == "unix" {
		return Endpoint{a, filepath.Clean(a.Address), 0}
	}
	host, service, _ := net.SplitHostPort(a.Address)
	port, _ := net.LookupPort("tcp", service)
	host = strings.ToLower(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.Unmap().String()
	} else if host == "localhost" {
		host = "127.0.0.1"
	}
	return Endpoint{a, host, port}
}

// collides reports whether the system would refuse to listen at both.
func (e Endpoint) collides(other Endpoint) bool {
	if e.Network != other.Network || e.port != other.port || e.Network == "tcp" && e.port == 0 {
		return false
	}
	return e.host == other.host || e.Network == "tcp" && (e.All() || other.All())
}

// All reports whether e is all addresses of the machine. The net package makes no difference
// between 0.0.0.0 and [::].
func (e Endpoint) All() bool { return e.host == "" || e.host == "::" || e.host == "0.0.0.0" }

// Collision returns the index of the first of addresses at which nothing may listen if a is to be listened at; -1 if
// there is none.
func Collision(a listen.Address, addresses []listen.Address) int {
	end := EndpointOf(a)
	return slices.IndexFunc(addresses, func(other listen.Address) bool { return end.collides(EndpointOf(other)) })
}

// ListensAt returns where the process is to listen.
func (s *All) ListensAt() (list []listen.Address) {
	for _, l := range s.Listeners {
		list = append(list, l.Address)
	}
	return s.withAdmin(list)
}

// withAdmin returns the addresses, and after them the address of the admin server if there is one.
func (s *All) withAdmin(list []listen.Address) []listen.Address {
	if s.Admin == "" {
		return list
	}
	return append(slices.Clip(list), s.AdminAddress())
}
