package upstream

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/outdated"
	"github.com/memverbs/memverbs/proxy/warning"
)

// Server is how to reach an upstream.
type Server struct {
	// Name identifies it in messages.
	Name string
	// ID identifies the server: pools may have one server under several names.
	ID string
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
	health   health
	presence presence
	outdated *outdated.Keys
	informed bool                    // what was outdated when the process began is known
	deleted  atomic.Uint64           // keys of outdated, by this pool since the last outage began
	answered atomic.Bool             // it has sent its version, so it is memcached, and TLS is used if it has to be
	version  atomic.Pointer[Version] // as last received; nil until then
	limit    atomic.Int64            // of its items, as last compared with the pool's
	excluded atomic.Pointer[string]  // why it must not be used; nil if it may
}

// NewRemote returns the Remote of a server for so many loops. stale are the keys that are outdated there;
// informed says that they are known from the start. log gets a line when it goes up or down.
func NewRemote(s Server, loops int, stale *outdated.Keys, informed bool, log *slog.Logger) *Remote {
	return &Remote{
		Server:   s,
		health:   health{log: log.With("upstream", s.Name), stays: warning.Every(refusalPause)},
		presence: presence{loops: loops, here: map[*Upstream]bool{}},
		outdated: stale,
		informed: informed,
	}
}

// MarkReturning is called when the upstream was in its pool before, so that it may have outdated values.
// That counts as an outage.
func (r *Remote) MarkReturning() {
	r.presence.doubts(elsewhere)
	r.presence.mu.Lock()
	defer r.presence.mu.Unlock()
	r.presence.outages++
}

// Outage is what is known of the outages of an upstream.
type Outage struct {
	Count    uint64    // how often it was down so far
	Since    time.Time // when the present outage began; zero if there is none
	Reason   string    // for that, as clients get it; empty if there is none
	Unserved uint64    // how many requests were refused or lost in it
}

// Outage returns what is known of the outages.
func (r *Remote) Outage() Outage { return r.presence.outage() }

// exclusion returns why the upstream must not be used; nil if it may.
func (r *Remote) exclusion() error {
	if reason := r.excluded.Load(); reason != nil {
		return errors.New(*reason)
	}
	return nil
}

// Outdated returns the counts of keys that are outdated on the upstream.
func (r *Remote) Outdated() outdated.Counts { return r.outdated.Counts() }

// Clear deletes what is outdated on the upstream although it is in use, because the process has
// learnt of it late.
func (r *Remote) Clear() { r.presence.again() }

// returned returns how many keys this pool has deleted after an outage, and how many changes had keys that
// were not remembered. Other pools may have deleted keys on the same server.
func (r *Remote) returned() (deleted, forgotten uint64) {
	deleted, forgotten = r.deleted.Swap(0), r.outdated.Unknown()
	r.outdated.Known()
	return deleted, forgotten
}

// noteVersion notes the version of the upstream, unless it could not be parsed.
func (r *Remote) noteVersion(v Version) {
	r.answered.Store(true)
	if v != (Version{}) {
		r.version.Store(&v)
	}
}

// LowestVersion returns the lowest version among upstreams. Clients get it as the proxy's version,
// and use it to decide which commands they may send. Until an upstream has sent its version, it is
// the first version with which all commands of the proxy work.
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
