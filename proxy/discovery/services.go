package discovery

import (
	"context"
	"net"
	"strconv"
	"strings"

	"github.com/miekg/dns"
)

// serviceAsker takes the target of each SRV record of a name for a server. Priorities and weights are ignored: they say
// which server to prefer, while each key of a pool has one server.
type serviceAsker struct {
	*Resolver
	name string
}

// Ask implements [Asker].
func (a *serviceAsker) Ask(ctx context.Context) (Answer, error) {
	found, ttl, err := lookup[*dns.SRV](ctx, a.Resolver, a.name, dns.TypeSRV)
	if err != nil {
		return Answer{}, err
	}
	var servers []string
	for _, record := range found {
		if host := strings.TrimSuffix(dns.CanonicalName(record.Target), "."); host != "" { // the root says that there is no such service
			servers = append(servers, net.JoinHostPort(host, strconv.Itoa(int(record.Port))))
		}
	}
	return newAnswer(servers, ttl)
}
