package hosts

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Lookup returns the addresses of a host.
type Lookup func(ctx context.Context, host string) ([]netip.Addr, error)

// System looks a host up with the system's resolver.
func System(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// describe returns the relevant part of a lookup error. The net package's text names
// the name servers, which clients need not know.
func describe(name string, err error) error {
	var dns *net.DNSError
	switch is := errors.As(err, &dns); {
	case is && dns.IsNotFound:
		return fmt.Errorf("%s: no such host", name)
	case is && dns.IsTimeout, errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: looking up its address timed out", name)
	}
	return fmt.Errorf("%s: its address can't be looked up now", name)
}

// single returns the addresses found for a name if they belong to one server: one
// address, or one of each IP family. If a name has one IPv4 address and several IPv6
// addresses, only the former is used.
func single(name string, found []netip.Addr) ([]netip.Addr, error) {
	var v4, v6 []netip.Addr
	for _, a := range found {
		family := &v6
		if a = a.Unmap(); a.Is4() {
			family = &v4
		}
		if !slices.Contains(*family, a) {
			*family = append(*family, a)
		}
	}
	switch {
	case len(v4) > 1:
		return nil, several(name, v4)
	case len(v4) == 1 && len(v6) != 1:
		return v4, nil
	case len(v6) > 1:
		return nil, several(name, v6)
	case len(found) == 0:
		return nil, fmt.Errorf("%s: no such host", name)
	}
	return append(v4, v6...), nil
}

// severalError says that a name has several addresses.
type severalError struct{ text string }

func (e *severalError) Error() string { return e.text }

// maxShown is how many addresses an error lists.
const maxShown = 4

func several(name string, addrs []netip.Addr) error {
	slices.SortFunc(addrs, netip.Addr.Compare)
	var shown []string
	for _, a := range addrs[:min(len(addrs), maxShown)] {
		shown = append(shown, a.String())
	}
	if more := len(addrs) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return &severalError{fmt.Sprintf("%s has several addresses (%s): list each as a server of its own", name, strings.Join(shown, ", "))}
}
