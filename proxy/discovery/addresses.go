package discovery

import (
	"context"
	"net"
	"strconv"
)

// addressAsker takes each address of a name for a server.
type addressAsker struct {
	*Resolver
	name string
	port int
}

// Ask implements [Asker].
func (a *addressAsker) Ask(ctx context.Context) (Answer, error) {
	found, ttl, err := a.addresses(ctx, a.name)
	if err != nil {
		return Answer{}, err
	}
	var servers []string
	for _, addr := range found {
		servers = append(servers, net.JoinHostPort(addr.String(), strconv.Itoa(a.port)))
	}
	return newAnswer(servers, ttl)
}
