package discovery

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/memverbs/memverbs/sharding"
)

// Answer is what a source has answered.
type Answer struct {
	// Servers are written as in a pool's setting: host:port. They differ, and are in the order of their numbers.
	Servers []string
	// TTL is how long others may have this answer from a cache after it has changed.
	TTL time.Duration
	// Version, if not 0, grows with each change of what the source lists.
	Version uint64
}

// MaxServers is the most servers that a list may have. An answer with more is refused.
const MaxServers = 512

// errEmpty is the error for an answer without servers.
var errEmpty = errors.New("the answer has no servers")

// newAnswer returns the answer that lists servers, which may be repeated. It refuses what can't be a list of servers.
func newAnswer(servers []string, ttl time.Duration) (a Answer, err error) {
	slices.SortFunc(servers, compare)
	servers = slices.Compact(servers)
	switch {
	case len(servers) == 0:
		return a, errEmpty
	case len(servers) > MaxServers:
		return a, fmt.Errorf("the answer has %d servers; the most that a pool may have is %d", len(servers), MaxServers)
	}
	for _, s := range servers {
		if err := check(s); err != nil {
			return a, fmt.Errorf("the answer has what is no server: %w", err)
		}
	}
	return Answer{Servers: servers, TTL: ttl}, nil
}

// check refuses what no connection can lead to, and addresses that stand for several machines or for this one.
func check(server string) error {
	s, err := sharding.ParseServer(server)
	if err != nil {
		return err
	}
	if ip, err := netip.ParseAddr(s.Host); err == nil && (ip.IsUnspecified() || ip.IsMulticast()) {
		return fmt.Errorf("%s is not the address of a machine", ip)
	}
	return nil
}
