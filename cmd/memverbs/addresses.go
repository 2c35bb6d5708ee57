package main

import (
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/proxy/listen"
)

// endpoint is an address to listen at, in a form that is equal for all ways to write it.
type endpoint struct {
	listen.Address
	host string // or the path of a socket
	port int
}

// endpointOf converts an address. Of host names it knows only localhost, at which memverbs listens
// by IPv4.
func endpointOf(a listen.Address) endpoint {
	if a.Network == "unix" {
		return endpoint{a, filepath.Clean(a.Address), 0}
	}
	host, service, _ := net.SplitHostPort(a.Address)
	port, _ := net.LookupPort("tcp", service)
	host = strings.ToLower(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.Unmap().String()
	} else if host == "localhost" {
		host = "127.0.0.1"
	}
	return endpoint{a, host, port}
}

// collides reports whether the system would refuse to listen at both.
func (e endpoint) collides(other endpoint) bool {
	if e.Network != other.Network || e.port != other.port || e.Network == "tcp" && e.port == 0 {
		return false
	}
	return e.host == other.host || e.Network == "tcp" && (e.all() || other.all())
}

// all reports whether e is all addresses of the machine. The net package makes no difference
// between 0.0.0.0 and [::].
func (e endpoint) all() bool { return e.host == "" || e.host == "::" || e.host == "0.0.0.0" }

// collision returns the first of addresses that can't be listened at because of one before it,
// and that one; found is false if there is none.
func collision(addresses []listen.Address) (address, before listen.Address, found bool) {
	var ends []endpoint
	for _, a := range addresses {
		end := endpointOf(a)
		for _, other := range ends {
			if end.collides(other) {
				return a, other.Address, true
			}
		}
		ends = append(ends, end)
	}
	return address, before, false
}

// addresses returns where the process is to listen.
func (s *settings) addresses() (list []listen.Address) {
	for _, l := range s.listeners {
		list = append(list, l.address)
	}
	return s.withAdmin(list)
}

// withAdmin returns the addresses with that of the admin server, if there is one, after them.
func (s *settings) withAdmin(list []listen.Address) []listen.Address {
	if s.admin == "" {
		return list
	}
	return append(slices.Clip(list), s.adminAddress())
}
