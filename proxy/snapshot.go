package proxy

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/slow"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// errNoAnswer is the error of Snapshot if an event loop hangs.
var errNoAnswer = errors.New("not all event loops have answered in time")

// Snapshot returns the state of the proxy. It returns an error if the event loops have not
// answered when ctx is done. It must be called between Start and the end of Shutdown.
func (s *Server) Snapshot(ctx context.Context) (*status.Snapshot, error) {
	answer := make(chan report, 1)
	s.collect(func(all report) { answer <- all })
	select {
	case all := <-answer:
		return s.snapshot(&all), nil
	case <-ctx.Done():
		return nil, errNoAnswer
	}
}

func (s *Server) snapshot(r *report) *status.Snapshot {
	snapshot := &status.Snapshot{
		Version: s.config.Version, Started: s.started, Taken: time.Now(), Unready: s.unready(r),
		Counts: r.Counts, Connections: status.Connections{Current: r.connected, Limit: s.setup.Load().Config.MaxClients},
		Memory:    status.Memory{Used: int64(r.memory), Limit: s.budget.Limit},
		ReadCache: status.ReadCache{Limit: s.config.ReadCache},
		Slow:      status.Slow{Threshold: s.config.Slow, Count: r.slowCount, Latest: slow.Merge(r.slow)},
	}
	for i := range r.pools {
		p := &r.pools[i]
		snapshot.Pools = append(snapshot.Pools, p.status())
		views := p.verbs.Views
		snapshot.ReadCache.Structures += views.Structures
		snapshot.ReadCache.Bytes += views.Bytes
		snapshot.ReadCache.Hits += views.Hits
		snapshot.ReadCache.Outdated += views.Outdated
		snapshot.ReadCache.TooLarge += views.TooLarge
	}
	return snapshot
}

// unready returns why the proxy should get no clients: while it is shutting down, and while no
// upstream of a pool that clients use is up and every request for that is refused.
func (s *Server) unready(r *report) string {
	if s.draining.Load() {
		return "the proxy is shutting down"
	}
	now := s.setup.Load()
	for i := range r.pools {
		p := &r.pools[i]
		if p.pool.OnDown != config.Refuse || !now.RoutesTo(p.pool.Name) {
			continue
		}
		if !slices.ContainsFunc(p.upstreams, func(u upstreamReport) bool { return u.state == upstream.Up }) {
			return "no upstream of pool " + p.pool.Name + " is up"
		}
	}
	return ""
}

func (r *poolReport) status() status.Pool {
	p := status.Pool{
		Name: r.pool.Name, Fingerprint: r.pool.Fingerprint(), Keys: keysStatus(&r.Counts), Hot: r.hot,
		Lost: map[string]uint64{}, Foreign: r.verbs.Foreign, Full: r.verbs.Full, Compactions: status.Compactions(r.verbs.Compactions),
	}
	for _, what := range catalog.Losses {
		p.Lost[what] = r.verbs.Lost[what]
	}
	for k := range reply.Kind(reply.NumKinds) {
		if r.meter.Results[k].Sum() > 0 {
			p.Commands = append(p.Commands, r.meter.Status(k))
		}
	}
	for _, u := range r.upstreams {
		p.Upstreams = append(p.Upstreams, status.Upstream{
			Name: u.remote.Name, State: u.state.String(), Reason: u.remote.Reason(), Version: u.version.String(), Requests: u.Requests, Refused: u.Refused,
			Timeouts: u.Timeouts, Errors: u.Errors, Outages: u.remote.Outages(), Pending: u.pending, Latency: u.RoundTrips, Outdated: u.remote.Outdated(),
		})
	}
	for i, v := range catalog.All {
		if c := r.verbs.Verbs[i]; c.Calls > 0 && !v.Local {
			p.Verbs = append(p.Verbs, status.Verb{Name: v.Name, Calls: c.Calls, RoundTrips: c.Trips})
		}
	}
	return p
}

// keysStatus returns the outcomes of clients' requests for each key.
func keysStatus(c *tally.Counts) (list []status.Keys) {
	for _, of := range []struct {
		operation string
		kind      tally.Kind
	}{
		{"get", tally.Get}, {"touch", tally.Touch}, {"set", tally.Set}, {"cas", tally.Cas}, {"delete", tally.Delete}, {"incr", tally.Incr}, {"decr", tally.Decr},
	} {
		list = append(list, status.Keys{Operation: of.operation, Hits: c.Hits[of.kind], Misses: c.Misses[of.kind]})
	}
	return list
}
