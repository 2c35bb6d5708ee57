package hosts

import (
	"context"
	"errors"
	"net/netip"
	"time"
)

// A lookup has its own time limit, since a resolver waits five seconds, by default, for a name server
// before it asks the next one. It runs in the background, and names are looked up in parallel. The
// wait for a lookup is limited: if the address of a server is known from an earlier lookup, it is
// tried while the lookup runs, and also if the lookup fails, since the failure of a name server says
// nothing about the server.

const (
	// longestLookup is how long a lookup may take.
	longestLookup = 30 * time.Second
	// firstAnswer is how long a lookup is awaited if no address is known.
	firstAnswer = 10 * time.Second
	// freshAnswer is how long a lookup is awaited if an address is known.
	freshAnswer = 200 * time.Millisecond
)

// Check looks the name up, and returns an error if it resolves to several machines (see
// [Host.Resolve]). A failed lookup is not an error.
func (h *Host) Check(ctx context.Context) error {
	var several *severalError
	if errors.As(h.lookUp(ctx), &several) {
		return several
	}
	return nil
}

// Resolve returns when Dial has an address to connect to: the one that the other connections use, one that a
// lookup has found just now, or the last known one if the lookup fails or takes long. It returns an
// error if there is none, or if the name has several IPv4 addresses, or several IPv6 addresses and
// no IPv4 address.
func (h *Host) Resolve(ctx context.Context) error {
	if h.decided() {
		return nil
	}
	patience, has := firstAnswer, h.has()
	if has {
		patience = freshAnswer
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var several *severalError
	if err := h.lookUp(limited); err != nil && (!has || errors.As(err, &several)) {
		return err
	}
	return ctx.Err()
}

// decided reports whether no lookup is needed to know where to connect to.
func (h *Host) decided() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.address != "" || h.left
}

// has reports whether any address is known.
func (h *Host) has() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.known != nil
}

// addresses returns the known addresses. If there are none, it looks the name up.
func (h *Host) addresses(ctx context.Context) ([]netip.Addr, error) {
	if !h.has() {
		if err := h.lookUp(ctx); err != nil {
			return nil, err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.known, nil
}

// lookUp looks the name up, and returns the error. If a lookup is in progress, it waits for that.
func (h *Host) lookUp(ctx context.Context) error {
	select {
	case looked := <-h.lookups.DoChan(h.name, h.lookUpNow):
		return looked.Err
	case <-ctx.Done():
		return describe(h.name, context.DeadlineExceeded)
	}
}

// lookUpNow carries a lookup out.
func (h *Host) lookUpNow() (_ any, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), longestLookup)
	defer cancel()
	addrs, err := h.resolve(ctx)
	if err == nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.known = addrs
	}
	return nil, err
}

// resolve returns the addresses of the server: one, or one of each IP family.
func (h *Host) resolve(ctx context.Context) ([]netip.Addr, error) {
	found, err := h.lookup(ctx, h.name)
	if err != nil {
		return nil, describe(h.name, err)
	}
	return single(h.name, found)
}
