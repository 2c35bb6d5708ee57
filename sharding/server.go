package sharding

import (
	"errors"
	"fmt"
)

const (
	// DefaultPort is the port of memcached where none is written.
	DefaultPort = 11211

	// MaxWeight is the greatest weight a server may have.
	MaxWeight = 65535
)

// Server is one upstream of a pool as the layouts see it.
type Server struct {
	Name   string // what the ring hashes: host, or path of a unix socket
	Port   int    // 0 for a unix socket
	Weight int    // share of the keys relative to the other servers, 1 to MaxWeight
}

// checkPool refuses the pools that no layout can make sense of.
func checkPool(servers []Server) error {
	if len(servers) == 0 {
		return errors.New("the pool is empty: expected at least one server")
	}
	seen := make(map[Server]bool, len(servers))
	for _, s := range servers {
		if s.Weight < 1 || s.Weight > MaxWeight {
			return fmt.Errorf("server %q port %d: weight %d is not from 1 to %d",
				s.Name, s.Port, s.Weight, MaxWeight)
		}
		s.Weight = 0 // two weights don't make two servers
		if seen[s] {
			return fmt.Errorf("server %q port %d is in the pool twice: expected each server once",
				s.Name, s.Port)
		}
		seen[s] = true
	}
	return nil
}
