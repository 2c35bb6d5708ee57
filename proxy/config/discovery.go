package config

import (
	"context"
	"net"

	"github.com/memverbs/memverbs/proxy/discovery"
	"github.com/memverbs/memverbs/sharding"
)

// Discovery is how the servers of a pool are found. Upstreams, Layout and Agreement of the pool follow from what is found.
type Discovery struct {
	*discovery.Watch
	// Servers returns what a list of servers means for the pool. It returns an error if they make up no pool.
	Servers func(list []string) (Found, error)
}

// Found is what a list of servers means for a pool.
type Found struct {
	Upstreams []Upstream
	Layout    sharding.Layout
	Agreement string
	// Direct returns functions that connect to the servers, with a login if they ask for one. It may take as long as it takes to look up
	// their names.
	Direct func() []func(context.Context) (net.Conn, error)
}
