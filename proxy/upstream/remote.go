package upstream

import (
	"context"
	"log/slog"
	"net"
	"sync/atomic"
)

// Server is how to reach an upstream.
type Server struct {
	// Name identifies it in messages.
	Name string
	// Resolve, if not nil, is called before Dial, and may take long: it returns when Dial has an address
	// to connect to.
	Resolve func(context.Context) error
	// Dial connects to it.
	Dial func(context.Context) (net.Conn, error)
	// Ended, if not nil, is called once for each connection that Dial has returned,
	// when it has ended.
	Ended func()
}

// Remote is an upstream as all loops see it. It is safe for concurrent use.
type Remote struct {
	Server
	health  health
	version atomic.Pointer[Version] // as last received; nil until then
}

// NewRemote returns the Remote of a server for so many loops. log gets a line when it goes
// up or down.
func NewRemote(s Server, loops int, log *slog.Logger) *Remote {
	return &Remote{Server: s, health: health{name: s.Name, log: log, loops: int32(loops)}}
}

// Outages returns how often the upstream was down so far.
func (r *Remote) Outages() uint64 { return r.health.outages.total() }

// noteVersion notes the version of the upstream, unless it could not be parsed.
func (r *Remote) noteVersion(v Version) {
	if v != (Version{}) {
		r.version.Store(&v)
	}
}

// LowestVersion returns the lowest version among upstreams. Clients are told it, since they
// use it to decide which commands they may send. Until one of them has told its version, it
// is the first version with which all commands of the proxy work.
func LowestVersion(remotes []*Remote) string {
	var lowest *Version
	for _, r := range remotes {
		if v := r.version.Load(); v != nil && (lowest == nil || lowest.AtLeast(*v)) {
			lowest = v
		}
	}
	if lowest == nil {
		lowest = &MetaCommands
	}
	return lowest.String()
}
