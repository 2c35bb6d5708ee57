package config

import (
	"net"
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/warning"
)

// Socket is a socket that clients connect to. It remains while setups have its address.
type Socket struct {
	net.Listener
	Clients atomic.Int64 // connected
	// Warnings about clients that are refused, and about those that can't be accepted. Only the
	// accepting goroutine uses them.
	Crowded, Unaccepted warning.Limited
	Unserved            warning.Shared
}

// Name identifies the listener in the log, as its address would be set.
func (l *Socket) Name() string { return listen.AddressOf(l.Addr()).String() }

func CloseAll(listeners []*Socket) {
	for _, l := range listeners {
		_ = l.Close()
	}
}
