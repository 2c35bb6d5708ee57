package upstream

import (
	"context"
	"log/slog"
	"net"
)

// Server is how to reach an upstream.
type Server struct {
	// Name identifies it in messages.
	Name string
	// Dial connects to it.
	Dial func(context.Context) (net.Conn, error)
	// Ended, if not nil, is called once for each connection that Dial has returned,
	// when it has ended.
	Ended func()
}

// Servers is the state of the upstreams that all loops share. It is safe for concurrent
// use.
type Servers struct {
	list     []Server
	health   []health
	versions versions
}

// NewServers returns the Servers of a proxy with so many loops. log gets a line when an
// upstream goes up or down.
func NewServers(list []Server, loops int, log *slog.Logger) *Servers {
	s := &Servers{list: list, health: make([]health, len(list)), versions: versions{seen: make([]Version, len(list))}}
	for i := range s.health {
		h := &s.health[i]
		h.name, h.log, h.loops = list[i].Name, log, int32(loops)
	}
	return s
}

// LowestVersion returns the lowest version among the upstreams. Clients are told it,
// since they use it to decide which commands they may send. Until an upstream has told
// its version, it is the first version with which all commands of the proxy work.
func (s *Servers) LowestVersion() string {
	if v := s.versions.lowest.Load(); v != nil {
		return v.String()
	}
	return MetaCommands.String()
}
