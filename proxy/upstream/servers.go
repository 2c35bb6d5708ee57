package upstream

import (
	"context"
	"log/slog"
	"net"
)

// Server says how an upstream is reached.
type Server struct {
	// Name is how messages call it.
	Name string
	// Dial connects to it.
	Dial func(context.Context) (net.Conn, error)
	// Ended, if not nil, is called once for each connection that Dial has made,
	// when it is no more.
	Ended func()
}

// Servers are the upstreams as all loops see them. They may be used from any goroutine.
type Servers struct {
	list     []Server
	health   []health
	versions versions
}

// NewServers returns the upstreams of a proxy with so many loops. That one is up or down
// is logged to log.
func NewServers(list []Server, loops int, log *slog.Logger) *Servers {
	s := &Servers{list: list, health: make([]health, len(list)), versions: versions{seen: make([]Version, len(list))}}
	for i := range s.health {
		h := &s.health[i]
		h.name, h.log, h.loops = list[i].Name, log, int32(loops)
	}
	return s
}
