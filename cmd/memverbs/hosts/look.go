package hosts

import (
	"context"
	"net/netip"
	"slices"
	"time"
)

// confirmation is how long after a lookup with another answer the name is looked up once more. A name
// server that returns several addresses round-robin must not move a server.
const confirmation = time.Second

// Address returns the address of the connections, or the one that will be tried next if there are
// none; "" if none is known.
func (h *Host) Address() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.address != "":
		return h.address
	case h.known == nil:
		return ""
	}
	return h.at(h.known[0])
}

// Look looks the name up again, while there are connections. If the name resolves to another machine, it
// returns the Host of that machine; h keeps its own address, for requests in flight. It returns nil if the name
// still resolves to the same machine, and an error if the name can't be looked up, resolves to several
// machines, or to one that does not accept connections.
func (h *Host) Look(ctx context.Context) (*Host, error) {
	from, addrs, err := h.other(ctx)
	if addrs == nil || err != nil {
		return nil, err
	}
	select {
	case <-time.After(confirmation):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	again, addrs, err := h.other(ctx)
	if addrs == nil || err != nil || from != again {
		return nil, err
	}
	next := New(h.name, h.port, h.lookup)
	next.dialer, next.known = h.dialer, addrs
	conn, _, err := next.connect(ctx)
	if err != nil {
		return nil, err
	}
	_ = conn.Close()
	return next, nil
}

// Leave makes h keep its address, because another Host has replaced it.
func (h *Host) Leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = true
	if addr, err := netip.ParseAddrPort(h.address); err == nil {
		h.known = []netip.Addr{addr.Addr()}
	}
}

// other looks the name up. It returns the address of the connections, and the addresses of the name,
// or nil if the former is among them.
func (h *Host) other(ctx context.Context) (from string, addrs []netip.Addr, err error) {
	if err := h.lookUp(ctx); err != nil {
		return "", nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.address == "" || h.left || slices.ContainsFunc(h.known, func(a netip.Addr) bool { return h.at(a) == h.address }) {
		return h.address, nil, nil
	}
	return h.address, h.known, nil
}
