package discovery

import (
	"context"
	"net"
	"strconv"
)

// Asker asks a source once.
type Asker interface {
	// Ask returns the servers that the source lists now: at least one.
	Ask(ctx context.Context) (Answer, error)
}

// Means are what asking takes.
type Means struct {
	*Resolver
	// Dial connects to the endpoint of a cluster, at host:port.
	Dial func(ctx context.Context, host, address string) (net.Conn, error)
}

// Asker returns what asks the source.
func (s Source) Asker(by Means) Asker {
	switch s.kind {
	case byAddress:
		return &addressAsker{by.Resolver, s.name, s.port}
	case byService:
		return &serviceAsker{by.Resolver, s.name}
	}
	address := net.JoinHostPort(s.name, strconv.Itoa(s.port))
	return &clusterAsker{address, func(ctx context.Context) (net.Conn, error) { return by.Dial(ctx, s.name, address) }}
}
