// Package hosts connects to servers that are given by a host name.
//
// Each event loop has its own connections to every server, and all must reach the same
// machine: otherwise items that one loop has stored would be missing for another. But a name may
// have several addresses, and lookups may return different ones. So the loops share a [Host]. It
// looks the name up for all loops, refuses a name that resolves to several machines, and keeps the
// address that it has found as long as there is any connection to it. When there is none, the next
// connection begins with a new lookup (resolve.go).
//
// A name may resolve to another machine while the old one still runs. [Host.Look] finds that out
// (look.go) and returns another Host: another machine is another server, with other items.
//
// # Files, from the top down
//
//	look.go      whether a name resolves to another machine now
//	host.go      the address of all connections
//	resolve.go   the lookup in progress
//	lookup.go    asking name servers
//
// One reference goes to a file above: a lookup belongs to a Host.
package hosts

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Host is a server that is given by its name. It is safe for concurrent use.
type Host struct {
	name, port string
	lookup     Lookup
	lookups    singleflight.Group // the one in progress, if there is one
	dialer     func(ctx context.Context, network, address string) (net.Conn, error)

	mu          sync.Mutex
	known       []netip.Addr // by the last lookup that has succeeded; nil if none has
	left        bool         // another Host has replaced it, so it keeps its address
	address     string       // address of all connections; empty if there are none
	connections int
	choosing    *choice // the choice of the address, if one is in progress
}

// choice is an attempt to find an address that accepts connections. One caller of Dial
// makes it, and the others wait for its outcome.
type choice struct {
	done chan struct{} // closed at its end
	err  error         // the outcome for those who wait; nil if there is an address
}

// New returns the server on a port of the host with the given name. lookup looks up its
// addresses.
func New(name, port string, lookup Lookup) *Host {
	return &Host{name: name, port: port, lookup: lookup, dialer: new(net.Dialer).DialContext}
}

// errTimeout is returned to callers that have waited too long for an address.
var errTimeout = errors.New("connecting timed out")

// Dial connects to the server, at the address of all other connections, or else at one that
// Resolve has found. Call Ended when the connection has ended.
func (h *Host) Dial(ctx context.Context) (net.Conn, error) {
	for {
		address, choosing, mine := h.look()
		switch {
		case address != "":
			conn, err := h.dialer(ctx, "tcp", address)
			if err != nil {
				return nil, err
			}
			if h.join(address) {
				return conn, nil
			}
			_ = conn.Close() // all others have ended meanwhile
			if err := h.Resolve(ctx); err != nil {
				return nil, err
			}
			continue
		case mine:
			return h.choose(ctx, choosing)
		}
		select {
		case <-choosing.done:
			if choosing.err != nil {
				return nil, choosing.err
			}
		case <-ctx.Done():
			return nil, errTimeout
		}
	}
}

// Ended must be called when a connection returned by Dial has ended.
func (h *Host) Ended() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.connections--; h.connections == 0 {
		h.address = ""
	}
}

// look returns the address if there is one, or else the choice in progress. If mine is
// true, the caller must make that choice.
func (h *Host) look() (address string, choosing *choice, mine bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.address != "" {
		return h.address, nil, false
	}
	if h.choosing != nil {
		return "", h.choosing, false
	}
	h.choosing = &choice{done: make(chan struct{})}
	return "", h.choosing, true
}

// join counts a connection to address. It returns false if that is no longer the
// address.
func (h *Host) join(address string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.address != address {
		return false
	}
	h.connections++
	return true
}

// choose makes the choice c: it connects to an address that is known. All other callers then
// use the same address.
func (h *Host) choose(ctx context.Context, c *choice) (net.Conn, error) {
	conn, address, err := h.connect(ctx)
	h.mu.Lock()
	h.choosing = nil
	if err == nil {
		h.address, h.connections = address, 1
	}
	h.mu.Unlock()
	c.err = err
	close(c.done)
	return conn, err
}

// connect connects to the first of the known addresses that accepts the connection. If none
// does, it returns the first error.
func (h *Host) connect(ctx context.Context) (conn net.Conn, address string, first error) {
	addrs, err := h.addresses(ctx)
	if err != nil {
		return nil, "", err
	}
	for i, a := range addrs {
		address := h.at(a)
		conn, err := h.try(ctx, address, len(addrs)-i)
		if err == nil {
			return conn, address, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, "", first
}

// try connects to address. It uses an equal share of the time that ctx leaves for the
// remaining addresses.
func (h *Host) try(ctx context.Context, address string, left int) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
		defer cancel()
	}
	return h.dialer(ctx, "tcp", address)
}

func (h *Host) at(a netip.Addr) string { return net.JoinHostPort(a.String(), h.port) }
