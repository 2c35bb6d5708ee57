package report

import (
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

// Snapshot returns the state of a proxy.
func (r *Report) Snapshot(p Process) *status.Snapshot {
	snapshot := &status.Snapshot{
		Version: p.Version, Started: p.Started, Taken: time.Now(), Unready: r.unready(&p),
		Counts: r.Counts, Connections: status.Connections{Current: r.Connected, Limit: p.Setup.Config.MaxClients},
		Memory:    status.Memory{Used: int64(r.Memory), Limit: p.Memory},
		ReadCache: status.ReadCache{Limit: p.ReadCache},
		Slow:      status.Slow{Threshold: p.Slow, Count: r.SlowCount, Latest: slow.Merge(r.Slow)},
	}
	for i := range r.Pools {
		snapshot.Pools = append(snapshot.Pools, r.Pools[i].status(p.Setup))
		views := r.Pools[i].Verbs.Views
		snapshot.ReadCache.Structures += views.Structures
		snapshot.ReadCache.Bytes += views.Bytes
		snapshot.ReadCache.Hits += views.Hits
		snapshot.ReadCache.Outdated += views.Outdated
		snapshot.ReadCache.TooLarge += views.TooLarge
	}
	return snapshot
}

// unready returns why the proxy should get no clients: it is shutting down, or no upstream of a
// pool that clients use is up and every request for that pool is refused. It is empty if neither is
// so.
func (r *Report) unready(about *Process) string {
	if about.Draining {
		return "the proxy is shutting down"
	}
	for i := range r.Pools {
		p := &r.Pools[i]
		if p.Of.OnDown != config.Refuse || !about.Setup.RoutesTo(p.Of.Name) {
			continue
		}
		if !slices.ContainsFunc(p.Upstreams, func(u Upstream) bool { return u.State == upstream.Up }) {
			return "no upstream of pool " + p.Of.Name + " is up"
		}
	}
	return ""
}

func (r *Pool) status(s *config.Setup) status.Pool {
	p := status.Pool{
		Name: r.Of.Name, Fingerprint: s.Fingerprint(r.Of), Keys: keysStatus(&r.Counts), Hot: r.Hot,
		Lost: map[string]uint64{}, Counts: r.Verbs.Pool, Near: r.Near, Held: r.Held, Waiting: r.Verbs.Waiting,
		OnDown: onDownText(r.Of), Settings: settingsOf(r.Of), Servers: r.Of.ServersStatus(),
	}
	for _, what := range catalog.Losses {
		p.Lost[what] = r.Verbs.Lost[what]
	}
	for k := range reply.Kind(reply.NumKinds) {
		if r.Meter.Results[k].Sum() > 0 {
			p.Commands = append(p.Commands, r.Meter.Status(k))
		}
	}
	for _, u := range r.Upstreams {
		counts, remembered := u.all()
		outage := u.Remote.Outage()
		p.Upstreams = append(p.Upstreams, status.Upstream{
			Name: u.Remote.Name, State: u.State.String(), Reason: outage.Reason, Since: outage.Since, Unserved: outage.Unserved, Version: u.Version.String(),
			Counts: counts, Pending: u.Pending, Outdated: remembered, Latency: u.RoundTrips,
		})
	}
	for i, v := range catalog.All {
		if c := r.Verbs.Verbs[i]; c.Calls > 0 && !v.Local {
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
