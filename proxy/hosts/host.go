// Package hosts connects to servers that are known by a host name.
//
// Each event loop has a connection of its own to every server, and all of them
// must reach the same machine: items that one loop has stored would be missing
// for another. But a name may have several addresses, and the answer to a lookup
// may change from one to the next. So the loops share a [Host], which looks the
// name up for all of them, refuses one that stands for several machines, and
// stays with the address that it has found for as long as any connection to it
// lasts. The first who connects after that looks the name up again.
package hosts

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Host is a server that is known by its name. It may be used from any goroutine.
type Host struct {
	name, port string
	lookup     Lookup
	dialer     func(ctx context.Context, network, address string) (net.Conn, error)

	mu          sync.Mutex
	address     string // that all connections go to; empty if there are none
	connections int
	choosing    *choice // of the address, if it is under way
}

// choice is an attempt to find an address that can be connected to. One makes
// it, and others wait for what comes of it.
type choice struct {
	done chan struct{} // closed when it has come to an end
	err  error         // how, for those who wait; nil if there is an address
}

// New returns the server on a port of the host that is called name. Its address
// is looked up by lookup.
func New(name, port string, lookup Lookup) *Host {
	return &Host{name: name, port: port, lookup: lookup, dialer: new(net.Dialer).DialContext}
}

// Check looks the name up, and returns an error if it has several addresses of
// one family. It is no error if the name can't be looked up now.
func (h *Host) Check(ctx context.Context) error {
	var several *severalError
	if _, err := h.resolve(ctx); errors.As(err, &several) {
		return several
	}
	return nil
}

// errTimeout is returned to those who wait for an address for too long.
var errTimeout = errors.New("connecting timed out")

// Dial connects to the server, at the address that all other connections go to.
// When the connection is no more, Ended must be called.
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

// Ended is to be called when a connection that Dial has returned is no more.
func (h *Host) Ended() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.connections--; h.connections == 0 {
		h.address = ""
	}
}

// look returns the address if there is one, or else the choice of it that is
// under way, which is the caller's to make if there was none before.
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

// join enters a connection to address. It returns false if that is not the
// address any more.
func (h *Host) join(address string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.address != address {
		return false
	}
	h.connections++
	return true
}

// choose looks the name up, connects, and has all others use the same address.
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

// connect looks the name up and connects to the first of its addresses that
// takes the connection. If none does, it returns what the first said.
func (h *Host) connect(ctx context.Context) (conn net.Conn, address string, first error) {
	addrs, err := h.resolve(ctx)
	if err != nil {
		return nil, "", err
	}
	for i, a := range addrs {
		address := net.JoinHostPort(a.String(), h.port)
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

// try connects to address, which is one of so many that are left to be tried in
// the time that ctx gives.
func (h *Host) try(ctx context.Context, address string, left int) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
		defer cancel()
	}
	return h.dialer(ctx, "tcp", address)
}

// resolve returns the addresses of the server: one, or one of each family.
func (h *Host) resolve(ctx context.Context) ([]netip.Addr, error) {
	found, err := h.lookup(ctx, h.name)
	if err != nil {
		return nil, describe(h.name, err)
	}
	return single(h.name, found)
}
