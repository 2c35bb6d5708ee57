package discovery

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/miekg/dns"
)

// Resolver looks up names of DNS. Unlike the net package it tells how long an answer may be kept, and asks for all
// types of records. It knows nothing of /etc/hosts.
type Resolver struct {
	server string // the only name server; empty for those of the system
}

// NewResolver returns a resolver that asks one name server, at host:port. If that is empty, it asks those in
// /etc/resolv.conf, with the search list there, and reads the file again each time.
func NewResolver(server string) *Resolver { return &Resolver{server} }

// systemFile has the name servers of the system.
const systemFile = "/etc/resolv.conf"

// config returns the name servers, and how a name is completed.
func (r *Resolver) config() (*dns.ClientConfig, error) {
	if r.server == "" {
		return dns.ClientConfigFromFile(systemFile)
	}
	host, port, err := net.SplitHostPort(r.server)
	return &dns.ClientConfig{Servers: []string{host}, Port: port, Ndots: 1}, err
}

// LookupHost returns the addresses of a host.
func (r *Resolver) LookupHost(ctx context.Context, host string) ([]netip.Addr, error) {
	list, _, err := r.addresses(ctx, host)
	return list, err
}

// addresses returns the addresses of a name, and how long they may be kept. A machine with addresses of both families has
// one of each, so those by IPv6 count only where there are none by IPv4.
func (r *Resolver) addresses(ctx context.Context, name string) (list []netip.Addr, ttl time.Duration, err error) {
	v4, ttl, err := lookup[*dns.A](ctx, r, name, dns.TypeA)
	for _, record := range v4 {
		list = appendAddr(list, record.A)
	}
	if list != nil || err != nil && !errors.Is(err, errNoName) {
		return list, ttl, err
	}
	v6, ttl, err := lookup[*dns.AAAA](ctx, r, name, dns.TypeAAAA)
	for _, record := range v6 {
		list = appendAddr(list, record.AAAA)
	}
	return list, ttl, err
}

// appendAddr appends an address. A packet may have none where one belongs.
func appendAddr(list []netip.Addr, ip net.IP) []netip.Addr {
	if addr, ok := netip.AddrFromSlice(ip); ok {
		list = append(list, addr.Unmap())
	}
	return list
}

// lookup returns the records of a type that a name has. The first name that exists and has any counts, of those that the
// search list makes of it.
func lookup[T dns.RR](ctx context.Context, r *Resolver, name string, of uint16) (list []T, ttl time.Duration, err error) {
	config, err := r.config()
	if err != nil {
		return nil, 0, fmt.Errorf("there are no name servers to ask: %w", err)
	}
	exists := false
	for _, full := range config.NameList(name) {
		reply, err := firstReply(ctx, config, full, of)
		if err != nil {
			return nil, 0, err // the next name could be another one of the same form
		}
		exists = exists || reply.Rcode == dns.RcodeSuccess
		if list, ttl = records[T](reply, full); list != nil {
			return list, ttl, nil
		}
	}
	if !exists {
		err = errNoName
	}
	return nil, 0, err
}

// firstReply asks the name servers one after another, until one has answered.
func firstReply(ctx context.Context, config *dns.ClientConfig, name string, of uint16) (reply *dns.Msg, err error) {
	err = errors.New("there are no name servers to ask")
	for _, server := range config.Servers {
		if reply, err = exchange(ctx, net.JoinHostPort(server, config.Port), name, of); err == nil {
			return reply, nil
		}
	}
	return nil, err
}
